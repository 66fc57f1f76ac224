import { FIND_MINE } from '../../../resources/record-search.ts';
import { type LineOutcome, open, type PromptOpening } from '../../openings.ts';
import type { ListPromptId } from './events.ts';
import type { ListContext, ListStep } from './list-context.ts';
import type { Browser } from './state.ts';
import { LIST_VERBS } from './verbs.ts';

/** Opens a line in which something about the list is typed. */
export const openListPrompt = (list: Browser, id: ListPromptId, context: ListContext): ListStep => ({
  state: list,
  messages: [open('prompt', openingOf(list, id, context))],
});

function openingOf(list: Browser, id: ListPromptId, context: ListContext): PromptOpening {
  switch (id) {
    case 'find':
      return finding('find in the loaded rows', list.find === FIND_MINE ? '' : list.find, 'list', context);
    case 'inspector-find':
      return finding('find in the record', list.inspector?.find ?? '', 'record', context);
    case 'page-size':
      return {
        label: 'rows a page',
        drawnLabel: 'rows a page (1-5000)',
        text: String(list.pageSize),
        isProposed: true,
        done: (_, text) => sized(list, text, context),
      };
  }
}

/** A search shows its matches at each letter. Leaving it without Enter leaves nothing searched for. */
const finding = (label: string, text: string, where: 'list' | 'record', { to }: ListContext): PromptOpening => ({
  label,
  text,
  isProposed: true,
  edited: typed => to({ type: 'find-text', where, text: typed }),
  done: () => ({ actions: [] }),
  left: [to({ type: 'find-text', where, text: '' })],
});

function sized(list: Browser, text: string, context: ListContext): LineOutcome {
  const outcome = LIST_VERBS.size.read(list, text.trim().split(/\s+/), context);
  return 'event' in outcome
    ? { actions: [context.to(outcome.event)] }
    : 'problem' in outcome
      ? outcome
      : { actions: [] };
}
