import type { PromptOpening } from '../../explorer/openings.ts';
import type { PromptId } from '../model/prompt-id.ts';
import { FIND_MINE } from '../model/record-search.ts';
import type { SessionState } from '../model/state.ts';
import { partyOpening } from './ask-export.ts';
import { promptCommands, runCommand } from './command.ts';
import { offersFor } from './completion.ts';
import { openOver } from './layers.ts';
import { saveOpening } from './save.ts';

/** Opens the line in which what is meant is typed. */
export const openPrompt = (state: SessionState, id: PromptId): SessionState =>
  id === 'command'
    ? openOver(state, 'command-line', { run: runCommand, offers: offersFor, commands: promptCommands })
    : openOver(state, 'prompt', openingOf(state, id));

function openingOf(state: SessionState, id: Exclude<PromptId, 'command'>): PromptOpening {
  const browser = state.browsers[state.tab];
  switch (id) {
    case 'find':
      return finding('find in the loaded rows', browser?.find === FIND_MINE ? '' : (browser?.find ?? ''), 'list');
    case 'inspector-find':
      return finding('find in the record', browser?.inspector?.find ?? '', 'record');
    case 'party':
      return partyOpening(state);
    case 'page-size':
      return {
        label: 'rows a page',
        drawnLabel: 'rows a page (1-5000)',
        text: String(browser?.pageSize ?? ''),
        isProposed: true,
        done: (below, text) => runCommand(below, `size ${text}`),
      };
    case 'save':
      return saveOpening(state);
  }
}

/** A search shows its matches at each letter. Leaving it without Enter leaves nothing searched for. */
const finding = (label: string, text: string, where: 'list' | 'record'): PromptOpening => ({
  label,
  text,
  isProposed: true,
  edited: typed => ({ type: 'find-text', where, text: typed }),
  done: () => ({ actions: [] }),
  left: [{ type: 'find-text', where, text: '' }],
});
