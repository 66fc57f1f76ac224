import type { PromptId } from '../model/prompt-id.ts';
import type { SessionState } from '../model/state.ts';
import { partyOpening } from './ask-export.ts';
import { promptCommands, runCommand } from './command.ts';
import { offersFor } from './completion.ts';
import { openOver } from './layers.ts';
import { saveOpening } from './save.ts';
import { stepList } from './tab-list.ts';

/** Opens the line in which what is meant is typed. */
export function openPrompt(state: SessionState, id: PromptId): SessionState {
  switch (id) {
    case 'command':
      return openOver(state, 'command-line', { run: runCommand, offers: offersFor, commands: promptCommands });
    case 'party':
      return openOver(state, 'prompt', partyOpening(state));
    case 'save':
      return openOver(state, 'prompt', saveOpening(state));
    case 'find':
    case 'inspector-find':
    case 'page-size':
      return stepList(state, state.tab, { type: 'open-prompt', id });
  }
}
