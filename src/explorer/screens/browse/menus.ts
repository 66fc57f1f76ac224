import { columnsTitledFor } from '../../../chain/resources/columns.ts';
import { FIND_MINE, readSearch } from '../../../chain/resources/record-search.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Choice } from '../../core/choice.ts';
import { type LineOutcome, type ListedColumn, open, type PromptOpening } from '../../openings.ts';
import type { ListMenuId, ListPromptId } from './events.ts';
import { markedColumn } from './list/column-layout.ts';
import { countChoices } from './list/counted-list.ts';
import { shownColumns } from './list/visible-rows.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { mineChoices } from './mine.ts';
import { goChoices } from './record/goals.ts';
import type { BrowseState } from './state.ts';
import { LIST_VERBS } from './verbs.ts';

/** Opens a menu of the list, one of columns on the column whose cell is marked. */
export function openListMenu(list: BrowseState, id: ListMenuId, context: ListContext): ListStep {
  const opened = (message: ReturnType<typeof open>): ListStep => ({ state: list, messages: [message] });
  switch (id) {
    case 'go':
      return opened(open('menu', { id, title: 'Go to: Enter goes, Backspace comes back', ...goMenu(context, false) }));
    case 'go-all':
      return opened(open('menu', { id, title: 'Go to: the ids of this record; / filters', ...goMenu(context, true) }));
    case 'sort':
      return opened(open('menu', { id, title: 'Sort the loaded rows by', ...ofColumns(sortChoices, list, context) }));
    case 'count':
      return opened(open('menu', { id, title: 'Count the values of', ...ofColumns(countChoices, list, context) }));
    case 'mine': {
      const choices = context.live<readonly Choice[]>(mineChoices, []);
      return opened(open('menu', { id, title: 'Yours: Enter adds an id, or takes it back', choices }));
    }
    case 'columns':
      return opened(open('columns', ofColumns(columnChoices, list, context)));
  }
}

const goMenu = ({ live }: ListContext, isWhole: boolean) => ({
  choices: live<readonly Choice[]>((list, context) => goChoices(list, context, isWhole), []),
  areMarksKeys: true,
});

type ColumnChoices = (list: BrowseState, context: ListContext) => readonly ListedColumn[];

function ofColumns(choices: ColumnChoices, list: BrowseState, context: ListContext) {
  const marked = markedColumn(list, context);
  const at = choices(list, context).findIndex(({ column }) => column !== undefined && column === marked);
  return { choices: context.live<readonly ListedColumn[]>(choices, []), cursor: Math.max(0, at) };
}

function sortChoices(list: BrowseState, { to }: ListContext): readonly ListedColumn[] {
  const resource = resourceById(list.resource);
  if (resource === undefined) return [];
  const { sort } = list;
  const choices = shownColumns(resource, list).map(({ id, title }): ListedColumn => {
    const isSorted = sort?.column === id;
    return {
      column: id,
      mark: isSorted ? (sort.isDescending ? 'v' : '^') : ' ',
      label: title,
      detail: isSorted ? `again: ${sort.isDescending ? 'smallest' : 'largest'} first` : '',
      action: to({ type: 'sort-by', column: id }),
    };
  });
  return [
    ...choices,
    {
      mark: sort === null ? '*' : ' ',
      label: "the node's own order",
      detail: '',
      action: to({ type: 'sort-by', column: '' }),
    },
  ];
}

/** Every column of the list, and a choice that resets them all. */
function columnChoices(list: BrowseState, { to }: ListContext): readonly ListedColumn[] {
  const resource = resourceById(list.resource);
  if (resource === undefined) return [];
  const shown = shownColumns(resource, list);
  const [first] = shown;
  const ids = new Set(shown.map(({ id }) => id));
  const columns = columnsTitledFor(resource, list.page?.request.filters ?? {});
  const choices = columns.map(({ id, title }): ListedColumn => {
    const isFirst = id === first?.id;
    return {
      column: id,
      mark: ids.has(id) ? '[x]' : '[ ]',
      label: title,
      detail: isFirst ? 'always shown' : '',
      action: to({ type: 'toggle-column', column: id }),
      ...(isFirst && { disabledReason: 'the first column is always shown' }),
    };
  });
  return [
    ...choices,
    {
      mark: Object.keys(list.columnChoice).length === 0 ? '*' : ' ',
      label: "the list's own columns",
      detail: '',
      action: to({ type: 'reset-columns' }),
    },
  ];
}

/** Opens a prompt of the list. */
export const openListPrompt = (list: BrowseState, id: ListPromptId, context: ListContext): ListStep => ({
  state: list,
  messages: [open('prompt', listPromptOpening(list, id, context))],
});

function listPromptOpening(list: BrowseState, id: ListPromptId, context: ListContext): PromptOpening {
  switch (id) {
    case 'find': {
      const { text } = readSearch(list.find);
      return findPrompt('find in the loaded rows', text === FIND_MINE ? '' : text, 'list', context);
    }
    case 'inspector-find':
      return findPrompt('find in the record', list.inspector?.find ?? '', 'record', context);
    case 'page-size':
      return {
        label: 'rows a page',
        drawnLabel: 'rows a page (1-5000)',
        text: String(list.pageSize),
        isProposed: true,
        done: (_, text) => pageSizeOutcome(list, text, context),
      };
  }
}

/** A search shows its matches at each letter. Leaving it without Enter leaves nothing searched for. */
const findPrompt = (label: string, text: string, where: 'list' | 'record', { to }: ListContext): PromptOpening => ({
  label,
  text,
  isProposed: true,
  edited: typed => to({ type: 'find-text', where, text: typed }),
  done: () => ({ actions: [] }),
  left: [to({ type: 'find-text', where, text: '' })],
});

function pageSizeOutcome(list: BrowseState, text: string, context: ListContext): LineOutcome {
  const outcome = LIST_VERBS.size.read(list, text.trim().split(/\s+/), context);
  return 'event' in outcome
    ? { actions: [context.to(outcome.event)] }
    : 'problem' in outcome
      ? outcome
      : { actions: [] };
}
