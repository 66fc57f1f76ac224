import type { MenuAction } from '../core/action.ts';
import { withByHand } from '../core/looks.ts';
import type { SessionState } from '../core/state.ts';
import { withEntered } from '../services/history/history.ts';
import { withCopyOf } from './copying.ts';
import { askOfExport, askOfParty, openFiles, withParty } from './exports.ts';
import { goTo, goToKey, goToTab } from './go-to.ts';
import { openScreen } from './layers.ts';
import { markMine } from './mine.ts';
import { connectAgain } from './node-events.ts';
import { keepFile, replaceFile, saveAs } from './saving.ts';
import { chooseNode, switchNode } from './switch-node.ts';
import { arriveAtTab, toRoot } from './transitions.ts';

/** What was chosen from a menu or typed on the command line. */
export function choose(state: SessionState, action: MenuAction): SessionState {
  switch (action.type) {
    case 'copy':
      return withCopyOf(state, action.what, action.content);
    case 'save':
      return saveAs(state, action.path);
    case 'set-looks':
      return { ...state, looks: withByHand(state.looks, action.said) };
    case 'open-screen':
      return openScreen({ ...state, notice: null }, action);
    case 'command-entered': {
      const lastId = state.lastId + 1;
      return { ...state, lastId, history: withEntered(state.history, action.line, lastId) };
    }
    case 'open-files':
      return openFiles(state, action.files);
    case 'ask-export':
      return askOfExport(state, action.question);
    case 'ask-party':
      return askOfParty(state, action.party);
    case 'party-asked':
      return withParty(state, action.party);
    case 'go-to-resource':
      return arriveAtTab(state, action.resource);
    case 'visit-tab':
      return goToTab(state, action.tab);
    case 'go-to':
      return goTo(state, action.goal);
    case 'go-to-key':
      return goToKey(state, action);
    case 'choose-node':
      return chooseNode(state, action.to);
    case 'connect-again':
      return connectAgain(state);
    case 'switch-node':
      return switchNode(state, action.to);
    case 'end':
      return { ...state, isEnded: true };
    case 'replace-file':
      return replaceFile(state);
    case 'name-another-file':
      return keepFile(state);
    case 'mark-mine':
      return markMine(state, action);
    case 'go-to-root':
      return toRoot(state, action.tab);
  }
}
