import type { ListContent } from '../../explorer/services/copying/content.ts';
import { ENDINGS, type Saveable } from '../../explorer/services/copying/saveable.ts';
import { countOf, countText } from '../../insight/count-of.ts';
import { resourceById } from '../../resources/registry.ts';
import { amongIn } from '../model/cell-text.ts';
import { rowsAtHand } from '../model/rows-at-hand.ts';
import type { SessionState } from '../model/state.ts';
import { shownColumns } from '../model/visible-rows.ts';
import { topScreen } from './layers.ts';

/** What the view shown can be saved as; a sentence where there is nothing of it to save. */
export function saveableHere(state: SessionState): Saveable | string {
  const { tab } = state;
  const top = topScreen(state);
  if (top !== undefined)
    return top.screen.saves?.(top.layer.state, top.context) ?? `${top.screen.title} cannot be saved`;
  const inspector = state.browsers[tab]?.inspector;
  if (!inspector) return ofTable(state);
  const { row, around, meaning } = inspector;
  const list = listContent(state);
  if (list === undefined) return 'there is no record to save';
  const explanation = meaning.status === 'known' ? meaning.explanation : null;
  return {
    what: 'the record',
    endings: ['json', 'txt', 'ndjson', 'csv', 'tsv', 'md'],
    content: ending => {
      if (ending === 'json') return { kind: 'json', value: row, isIndented: true };
      if (ending === 'txt')
        return { kind: 'record', record: { resource: tab, row, around, directory: state.directory, explanation } };
      return {
        kind: 'rows',
        form: ending,
        list: { ...list, rows: [row], amongOf: () => ({ ...around, isWhole: false }) },
      };
    },
  };
}

function ofTable(state: SessionState): Saveable | string {
  const list = listContent(state);
  if (list === undefined || list.rows.length === 0) return 'there are no rows to save';
  return {
    what: countOf(list.rows.length, 'row'),
    endings: ENDINGS,
    content: ending => (ending === 'txt' ? { kind: 'screen' } : { kind: 'rows', form: ending, list }),
  };
}

/** The rows at hand, as they are found and sorted. */
export function listContent(state: SessionState): ListContent | undefined {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page) return undefined;
  const { page } = browser;
  const { rows } = rowsAtHand(resource, browser);
  return {
    resource: resource.id,
    rows,
    amongOf: row => amongIn(page, row),
    columns: shownColumns(resource, browser),
    directory: state.directory,
    nowMs: page.receivedAtMs,
  };
}

/** How many rows those are, and whether they are all: `50 loaded rows`. */
export function rowsInWords(state: SessionState): string {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return '';
  const { rows, loaded, isWhole } = rowsAtHand(resource, browser);
  const found = rows.length === loaded ? '' : `${countText(rows.length)} found of `;
  return isWhole ? `${found}${countOf(loaded, 'row')}, the whole list` : `${found}${countOf(loaded, 'loaded row')}`;
}
