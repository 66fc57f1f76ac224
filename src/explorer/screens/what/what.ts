import type { WhatAnswer } from '../../../chain/what/what.ts';
import type { Choice } from '../../core/choice.ts';
import {
  type ChoiceEvent,
  choiceHandlers,
  choiceKeys,
  choiceScreen,
  INITIAL_CHOICE_LIST,
  matchingChoices,
  selectByMark,
} from '../../core/choices.ts';
import type { Effect } from '../../core/runner.ts';
import type { ListScreen } from '../../core/screen.ts';
import type { ValueToIdentify } from '../../openings.ts';
import { errorMessage } from '../../services/failure.ts';
import { type IdentifiedValue, whatChoices, whatTitle } from './state.ts';

type WhatEvent =
  | ChoiceEvent
  | { readonly type: 'known'; readonly answer: WhatAnswer }
  | { readonly type: 'failed'; readonly problem: string };

export const whatScreen: ListScreen<IdentifiedValue, WhatEvent, ValueToIdentify> = {
  title: 'what a value is',
  needs: null,
  open: ({ text }) => ({ text, list: INITIAL_CHOICE_LIST, status: 'asking' }),
  keys: choiceKeys(shownRoles),
  ...choiceScreen(whatTitle, shownRoles),
  handlers: {
    ...choiceHandlers(shownRoles),
    known: ({ text, list }, { answer }) => ({ state: { text, list, status: 'known', answer } }),
    failed: ({ text, list }, { problem }) => ({ state: { text, list, status: 'failed', problem } }),
  },
  effects: ({ status, text }, { node }) => (status === 'asking' && node.status === 'ready' ? [identifying(text)] : []),
  waits: ({ status }) =>
    status === 'asking' ? { key: 'what', text: 'asking the node', hint: 'Esc stops' } : undefined,
  needsNode: true,
  otherKey: (value, key) => selectByMark(shownRoles(value), value.list, key),
};

const identifying = (text: string): Effect<WhatEvent> => ({
  key: 'what',
  run: async (world, signal) => [{ type: 'known', answer: await world.node().what(text, signal) }],
  failed: error => [{ type: 'failed', problem: errorMessage(error) }],
});

function shownRoles(value: IdentifiedValue): readonly Choice[] {
  return matchingChoices(whatChoices(value), value.list);
}
