import type { WhatAnswer } from '../../../what/what.ts';
import type { Choice } from '../../core/choice.ts';
import {
  announcedChoices,
  type ChoiceEvent,
  choiceAt,
  choiceByMark,
  choiceField,
  choiceHandlers,
  choiceKeys,
  choiceRows,
  choiceStatus,
  drawChoices,
  FIRST_CHOICE,
  matching,
  movedChoice,
  settledChoice,
} from '../../core/choices.ts';
import type { Effect } from '../../core/runner.ts';
import type { Screen } from '../../core/screen.ts';
import type { ValueToIdentify } from '../../openings.ts';
import { messageOf } from '../../services/failure.ts';
import { choicesOf, type IdentifiedValue, titleOf } from './state.ts';

type WhatEvent =
  | ChoiceEvent
  | { readonly type: 'known'; readonly answer: WhatAnswer }
  | { readonly type: 'failed'; readonly problem: string };

export const whatScreen: Screen<IdentifiedValue, WhatEvent, ValueToIdentify> = {
  title: 'what a value is',
  description: 'What a text can be: an id, a name or an address, and where it leads',
  open: ({ text }) => ({ text, list: FIRST_CHOICE, status: 'asking' }),
  keys: choiceKeys(shownRoles),
  move: (value, move, { area }) => movedChoice(value, move, shownRoles(value).length, area),
  handlers: {
    ...choiceHandlers(shownRoles),
    known: ({ text, list }, { answer }) => ({ state: { text, list, status: 'known', answer } }),
    failed: ({ text, list }, { problem }) => ({ state: { text, list, status: 'failed', problem } }),
  },
  settle: value => settledChoice(value, shownRoles(value).length),
  effects: ({ status, text }, { node }) => (status === 'asking' && node.status === 'ready' ? [identifying(text)] : []),
  waits: ({ status }) =>
    status === 'asking' ? { key: 'what', text: 'asking the node', hint: 'Esc stops' } : undefined,
  needsNode: true,
  isOverlay: true,
  body: (value, context) => drawChoices({ title: titleOf(value), shown: shownRoles(value), list: value.list }, context),
  status: choiceStatus,
  field: choiceField,
  pointed: (value, { row }, { area }) => {
    const shown = { count: shownRoles(value).length, rows: choiceRows(area) };
    const index = choiceAt(value.list, row, shown);
    return index === undefined
      ? undefined
      : { isSelected: index === value.list.cursor, select: { type: 'select', index } };
  },
  otherKey: (value, key) => choiceByMark(shownRoles(value), value.list, key),
  announced: value => announcedChoices(titleOf(value), shownRoles(value), value.list),
};

const identifying = (text: string): Effect<WhatEvent> => ({
  key: 'what',
  run: async (world, signal) => [{ type: 'known', answer: await world.what(text, signal) }],
  failed: error => [{ type: 'failed', problem: messageOf(error) }],
});

function shownRoles(value: IdentifiedValue): readonly Choice[] {
  return matching(choicesOf(value), value.list);
}
