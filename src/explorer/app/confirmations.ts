import { basename } from 'node:path';
import type { SessionState } from '../core/state.ts';
import type { ConfirmOpening } from '../openings.ts';
import type { OfferedNode } from '../services/node/offered-node.ts';
import { openOver } from './layers.ts';

/** What is asked about before it is done. */
export type ConfirmRequest =
  | { readonly about: 'quit' | 'replace-file' }
  | { readonly about: 'switch-node'; readonly to: OfferedNode };

/** Asks before something is done. */
export const askToConfirm = (state: SessionState, asked: ConfirmRequest): SessionState =>
  openOver(state, 'confirm', confirmOpening(state, asked));

function confirmOpening({ saving }: SessionState, asked: ConfirmRequest): ConfirmOpening {
  switch (asked.about) {
    case 'switch-node':
      return {
        about: 'switch-node',
        questions: [
          `An export is running. Switch to ${asked.to.name} and cancel it?`,
          'Switch and cancel the export that runs?',
          'Switch and cancel the export?',
        ],
        yes: [{ type: 'switch-node', to: asked.to }],
        isPointless: hasNoJob,
      };
    case 'quit':
      return {
        about: 'quit',
        questions: ['An export is running. Quit and cancel it?', 'Quit and cancel the export?'],
        yes: [{ type: 'end' }],
        isPointless: hasNoJob,
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

const hasNoJob = ({ job }: SessionState): boolean => job?.status !== 'running';
