import { basename } from 'node:path';
import type { SessionState } from '../core/state.ts';
import type { ConfirmOpening } from '../openings.ts';
import { isFetching } from '../services/chain-history/chain-history.ts';
import type { OfferedNode } from '../services/node/offered-node.ts';
import { openOver } from './layers.ts';

type ConfirmRequest =
  | { readonly about: 'quit' | 'replace-file' }
  | { readonly about: 'switch-node'; readonly to: OfferedNode };

/** Asks before something is done. */
export const askToConfirm = (state: SessionState, asked: ConfirmRequest): SessionState =>
  openOver(state, 'confirm', confirmOpening(state, asked));

function confirmOpening(state: SessionState, asked: ConfirmRequest): ConfirmOpening {
  const { saving } = state;
  const what = state.job?.status !== 'running' && isFetching(state.chainHistory) ? 'fetch' : 'export';
  const article = what === 'export' ? 'An' : 'A';
  switch (asked.about) {
    case 'switch-node':
      return {
        about: 'switch-node',
        questions: [
          `${article} ${what} is running. Switch to ${asked.to.name} and cancel it?`,
          `Switch and cancel the ${what} that runs?`,
          `Switch and cancel the ${what}?`,
        ],
        yes: [{ type: 'switch-node', to: asked.to }],
        isPointless: hasNoDownload,
      };
    case 'quit':
      return {
        about: 'quit',
        questions: [
          `${article} ${what} is running. Quit and cancel it?${what === 'fetch' ? ' Finished slices are kept.' : ''}`,
          `${article} ${what} is running. Quit and cancel it?`,
          `Quit and cancel the ${what}?`,
        ],
        yes: [{ type: 'end' }],
        isPointless: hasNoDownload,
      };
    case 'replace-file': {
      const path = saving?.path ?? '';
      return {
        about: 'replace-file',
        questions: [
          `${path} exists. Replace it?`,
          `${basename(path)} exists. Replace it?`,
          'The file exists. Replace it?',
        ],
        yes: [{ type: 'replace-file' }],
        no: [{ type: 'name-another-file' }],
      };
    }
  }
}

/** Nothing runs that would be cancelled. */
export const hasNoDownload = ({ job, chainHistory }: SessionState): boolean =>
  job?.status !== 'running' && !isFetching(chainHistory);
