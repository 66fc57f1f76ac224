import { countOf, countText } from '../../insight/count-of.ts';
import { resourceById } from '../../resources/registry.ts';
import { amongIn } from './cell-text.ts';
import { countedColumn } from './counted-columns.ts';
import { type FrequencyView, frequencyCount } from './frequency.ts';
import { rowsAtHand } from './rows-at-hand.ts';
import type { SessionState } from './state.ts';
import { madeStatement, type StatementView } from './statement.ts';
import { ENDINGS, type Takeable } from './takeable.ts';
import type { TableForm, TakenFigures, TakenList } from './taking.ts';
import { openTableOf } from './viewer.ts';
import { ofViewer } from './viewer-takings.ts';
import { shownColumns } from './visible-rows.ts';

/** What the view shown can be saved as; a sentence where there is nothing of it to save. */
export function takeableHere(state: SessionState): Takeable | string {
  const { requests, statement, frequency, viewer, tab } = state;
  if (requests !== null) {
    return {
      what: countOf(requests.requests.length, 'request'),
      endings: ['ndjson', 'json', 'txt'],
      taking: ending =>
        ending === 'json' || ending === 'ndjson'
          ? { kind: 'requests', form: ending, requests: requests.requests }
          : { kind: 'screen' },
    };
  }
  if (statement !== null) return ofStatement(state, statement);
  if (frequency !== null) return ofFigures(state, frequency);
  if (tab === 'export' && viewer !== null) return ofViewer(openTableOf(viewer));
  const inspector = state.browsers[tab]?.inspector;
  if (!inspector) return ofTable(state);
  const { row, around, meaning } = inspector;
  const list = takenList(state);
  if (list === undefined) return 'there is no record to save';
  const explanation = meaning.status === 'known' ? meaning.explanation : null;
  return {
    what: 'the record',
    endings: ['json', 'txt', 'ndjson', 'csv', 'tsv', 'md'],
    taking: ending => {
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

function ofTable(state: SessionState): Takeable | string {
  const list = takenList(state);
  if (list === undefined || list.rows.length === 0) return 'there are no rows to save';
  return {
    what: countOf(list.rows.length, 'row'),
    endings: ENDINGS,
    taking: ending => (ending === 'txt' ? { kind: 'screen' } : { kind: 'rows', form: ending, list }),
  };
}

function ofStatement({ directory }: SessionState, view: StatementView): Takeable | string {
  const made = madeStatement(view, directory);
  if (made === undefined) return 'there is no statement yet';
  const { statement } = made;
  return {
    what: 'the statement',
    endings: ENDINGS,
    taking: form => ({ kind: 'statement', form, statement, directory }),
  };
}

function ofFigures(state: SessionState, view: FrequencyView): Takeable | string {
  const figures = takenFigures(state, view);
  if (figures === undefined) return 'the rows are being counted';
  return {
    what: countOf(frequencyCount(view), 'line'),
    endings: ENDINGS,
    taking: form => (form === 'txt' ? { kind: 'screen' } : { kind: 'figures', form, figures }),
  };
}

/** Undefined while they are counted. */
export function takenFigures(state: SessionState, view: FrequencyView): TakenFigures | undefined {
  const column = countedColumn(state, view);
  if (view.status === 'counting' || column === undefined) return undefined;
  return { column, shows: view.shows, frequency: view.frequency, directory: state.directory };
}

/** The rows at hand, as they are found and sorted. */
export function takenList(state: SessionState): TakenList | undefined {
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

/** The forms of a table, as menus call them. */
export const FORM_NAMES: { readonly [form in 'csv' | 'tsv' | 'md']: string } = {
  csv: 'CSV',
  tsv: 'TSV',
  md: 'Markdown',
} satisfies { readonly [form in TableForm]?: string };
