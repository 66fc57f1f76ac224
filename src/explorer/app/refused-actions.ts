import type { Action, MenuId } from '../core/action.ts';
import { accessProblem, type Privilege } from '../core/guest-access.ts';
import type { SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';

/** Why an action is refused; undefined if it is not. Every action is asked about, wherever it comes from. */
export const refusalReason = ({ access }: Pick<SessionState, 'access'>, action: Action): string | undefined =>
  access === 'own' ? undefined : accessProblem(access, requiredPrivilege(action));

const MENU_NEEDS: { readonly [menu in MenuId]: Privilege | undefined } = {
  keys: undefined,
  copy: undefined,
  presets: 'presets',
  'after-export': 'files',
  answers: 'files',
};

function requiredPrivilege(action: Action): Privilege | undefined {
  switch (action.type) {
    case 'suspend':
      return 'shell';
    case 'step-moment':
      return 'snapshots';
    case 'choose-node':
    case 'switch-node':
      return 'other-node';
    case 'save':
    case 'replace-file':
    case 'name-another-file':
    case 'open-files':
    case 'ask-export':
    case 'ask-party':
      return 'files';
    case 'start-export':
    case 'start-fetch':
      return 'exports';
    case 'open-prompt':
      return action.id === 'save' ? 'files' : undefined;
    case 'open-menu':
      return MENU_NEEDS[action.id];
    case 'toggle-screen':
    case 'open-screen':
      return SCREENS[action.screen]?.needs ?? undefined;
  }
  return undefined;
}
