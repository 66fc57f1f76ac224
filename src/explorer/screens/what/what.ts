import type { WhatAnswer } from '../../../chain/what/what.ts';
import type { Choice } from '../../core/choice.ts';
import {
  type ChoiceEvent,
  choiceByMark,
  choiceHandlers,
  choiceKeys,
  choiceScreen,
  FIRST_CHOICE,
  matching,
} from '../../core/choices.ts';
import type { Effect } from '../../core/runner.ts';
import type { ListScreen } from '../../core/screen.ts';
import type { ValueToIdentify } from '../../openings.ts';
import { messageOf } from '../../services/failure.ts';
import { choicesOf, type IdentifiedValue, titleOf } from './state.ts';

type WhatEvent =
  | ChoiceEvent
  | { readonly type: 'known'; readonly answer: WhatAnswer }
  | { readonly type: 'failed'; readonly problem: string };

export const whatScreen: ListScreen<IdentifiedValue, WhatEvent, ValueToIdentify> = {
  title: 'what a value is',
  description: 'What a text can be: an id, a name or an address, and where it leads',
  open: ({ text }) => ({ text, list: FIRST_CHOICE, status: 'asking' }),
  keys: choiceKeys(shownRoles),
  ...choiceScreen(titleOf, shownRoles),
  handlers: {
    ...choiceHandlers(shownRoles),
    known: ({ text, list }, { answer }) => ({ state: { text, list, status: 'known', answer } }),
    failed: ({ text, list }, { problem }) => ({ state: { text, list, status: 'failed', problem } }),
  },
  effects: ({ status, text }, { node }) => (status === 'asking' && node.status === 'ready' ? [identifying(text)] : []),
  waits: ({ status }) =>
    status === 'asking' ? { key: 'what', text: 'asking the node', hint: 'Esc stops' } : undefined,
  node: 'needed',
  otherKey: (value, key) => choiceByMark(shownRoles(value), value.list, key),
};

const identifying = (text: string): Effect<WhatEvent> => ({
  key: 'what',
  run: async (world, signal) => [{ type: 'known', answer: await world.node().what(text, signal) }],
  failed: error => [{ type: 'failed', problem: messageOf(error) }],
});

function shownRoles(value: IdentifiedValue): readonly Choice[] {
  return matching(choicesOf(value), value.list);
}
