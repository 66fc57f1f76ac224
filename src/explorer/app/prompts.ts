import type { PromptId } from '../core/action.ts';
import type { SessionState } from '../core/state.ts';
import { partyOpening } from './ask-export.ts';
import { promptCommands, runCommand } from './commands/command.ts';
import { offersFor } from './commands/completion.ts';
import { openOver } from './layers.ts';
import { saveOpening } from './save.ts';

/** Opens the line in which what is meant is typed. */
export function openPrompt(state: SessionState, id: PromptId): SessionState {
  switch (id) {
    case 'command':
      return openOver(state, 'command-line', { run: runCommand, offers: offersFor, commands: promptCommands });
    case 'party':
      return openOver(state, 'prompt', partyOpening(state));
    case 'save':
      return openOver(state, 'prompt', saveOpening(state));
  }
}
