import type { MenuAction } from '../core/action.ts';
import { withChosenAppearance } from '../core/appearance.ts';
import type { ActionHandlers } from '../core/state.ts';
import { addToHistory } from '../services/history/history.ts';
import { requestCopy } from './copying.ts';
import { answerForParty, answerFromExport, openFiles, rememberParty } from './export-results.ts';
import { openScreen } from './layers.ts';
import { markMine } from './mine.ts';
import { goTo, goToKey, goToTab } from './navigation.ts';
import { reconnect } from './node-events.ts';
import { keepFile, replaceFile, saveAs } from './saving.ts';
import { chooseNode, switchNode } from './switch-node.ts';
import { showTab } from './transitions.ts';

/** Handles choices made in a menu or typed on the command line. */
export const CHOICE_HANDLERS: ActionHandlers<MenuAction> = {
  copy: (state, { what, content }) => requestCopy(state, what, content),
  save: (state, { path }) => saveAs(state, path),
  'set-looks': (state, { said }) => ({ ...state, looks: withChosenAppearance(state.looks, said) }),
  'open-screen': (state, action) => openScreen({ ...state, notice: null }, action),
  'command-entered': (state, { line }) => {
    const lastId = state.lastId + 1;
    return { ...state, lastId, history: addToHistory(state.history, line, lastId) };
  },
  'open-files': (state, { files }) => openFiles(state, files),
  'ask-export': (state, { question }) => answerFromExport(state, question),
  'ask-party': (state, { party }) => answerForParty(state, party),
  'party-asked': (state, { party }) => rememberParty(state, party),
  'go-to-resource': (state, { resource }) => showTab(state, resource),
  'visit-tab': (state, { tab }) => goToTab(state, tab),
  'go-to': (state, { goal }) => goTo(state, goal),
  'go-to-key': goToKey,
  'choose-node': (state, { to }) => chooseNode(state, to),
  'connect-again': reconnect,
  'switch-node': (state, { to }) => switchNode(state, to),
  end: state => ({ ...state, isEnded: true }),
  'replace-file': replaceFile,
  'name-another-file': keepFile,
  'mark-mine': markMine,
};
