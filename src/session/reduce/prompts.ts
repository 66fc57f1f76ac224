import type { PromptId } from '../model/prompt-id.ts';
import type { SessionState } from '../model/state.ts';
import { partyOpening } from './ask-export.ts';
import { promptCommands, runCommand } from './command.ts';
import { offersFor } from './completion.ts';
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
