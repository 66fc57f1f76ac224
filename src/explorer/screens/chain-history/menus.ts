import { formatByteCount } from '../../../base/text/byte-count.ts';
import { tablesFor, withNamingTables } from '../../../history/store/purposes.ts';
import type { Choice } from '../../core/choice.ts';
import type { Message, ScreenContext } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import {
  FETCH_RUNS,
  type FetchRequest,
  isFetching,
  type StoredRows,
  storedRows,
} from '../../services/chain-history/chain-history.ts';
import { parseFetchRange, WHOLE_HISTORY } from '../../services/chain-history/fetch-range.ts';
import { fetchEstimateText } from '../../services/chain-history/fetch-text.ts';
import { NO_PARTY_PROBLEM, parseParty, proposedParty } from '../../services/names/party.ts';
import { HISTORY_TABLES, type HistoryView, type HistoryViewEvent } from './state.ts';

type Context = ScreenContext<HistoryView>;

/** What a fetch can be for before a question is chosen, in the order of the menu. */
const PURPOSES = ['a report', 'an audit'] as const;

export type FetchPurpose = (typeof PURPOSES)[number];

const TABLES_FOR: { readonly [purpose in FetchPurpose]: readonly string[] } = {
  'a report': tablesFor('report'),
  'an audit': tablesFor('audit'),
};

/** The fetches to choose from, each with its size once known. */
export function fetchMenu(view: HistoryView, context: Context, selected: FetchPurpose = PURPOSES[0]): Message {
  return open('menu', {
    title: `Fetch missing history${rangeSuffix(view)} for`,
    choices: context.live(fetchChoices, []),
    cursor: PURPOSES.indexOf(selected),
  });
}

const rangeSuffix = ({ fetchRange }: HistoryView): string => (fetchRange === WHOLE_HISTORY ? '' : ` (${fetchRange})`);

function fetchChoices(view: HistoryView, { shared, to }: Context): readonly Choice[] {
  const { stored } = shared.chainHistory;
  const table = HISTORY_TABLES[view.row]?.id ?? '';
  const { fetchRange: range } = view;
  const choice = (label: string, wanted: Pick<FetchRequest, 'title' | 'tables'>): Choice => {
    const request: FetchRequest = { ...wanted, title: `${wanted.title}${rangeSuffix(view)}`, range };
    const { detail, disabledReason } = estimated(view, shared.node.status === 'ready', request.tables);
    const reason = isFetching(shared.chainHistory) ? FETCH_RUNS : disabledReason;
    return {
      ...{ mark: '', label, detail: reason ?? detail, action: { type: 'start-fetch', request } },
      ...(reason !== undefined && { disabledReason: reason }),
    };
  };
  const answers = (stored?.questions ?? []).map(({ name, title }) =>
    choice(name, { title: `the answer ${name}: ${title}`, tables: tablesFor('answer', name) }),
  );
  return [
    ...PURPOSES.map(purpose => choice(purpose, { title: purpose, tables: TABLES_FOR[purpose] })),
    ...answers,
    choice(`this table: ${table}`, { title: `the table ${table}`, tables: [table] }),
    choice('all tables', { title: 'all tables', tables: tablesFor('all') }),
    checkChoice(shared),
    {
      ...{ mark: '', label: `range: ${range === WHOLE_HISTORY ? 'all that the node has' : range}` },
      detail: 'change it: last 3 segments, last-month, a date, an epoch',
      action: to({ type: 'type-fetch-range' } satisfies HistoryViewEvent),
    },
  ];
}

function checkChoice({ chainHistory }: Context['shared']): Choice {
  const tables = (chainHistory.stored?.tables ?? []).map(({ table }) => table);
  const reason = isFetching(chainHistory) ? FETCH_RUNS : tables.length === 0 ? 'nothing is on disk yet' : undefined;
  const { folder = null } = chainHistory.stored ?? {};
  const request: FetchRequest = {
    ...{ title: 'a check of the history on disk', tables, range: WHOLE_HISTORY },
    ...(folder !== null && { checkedFolder: folder }),
  };
  return {
    mark: '',
    label: 'verify the history on disk',
    detail: reason ?? 'reads every file again; damaged files are fetched again',
    action: { type: 'start-fetch', request },
    ...(reason !== undefined && { disabledReason: reason }),
  };
}

function estimated(
  { estimate, estimating }: HistoryView,
  isConnected: boolean,
  tables: readonly string[],
): { readonly detail: string; readonly disabledReason?: string } {
  if (!isConnected) return { detail: '', disabledReason: 'no node is connected: history on disk can be queried' };
  if (estimate === null) return { detail: estimating === null ? '' : 'looking for missing segments ...' };
  if (estimate.problem !== null) return { detail: '', disabledReason: estimate.problem };
  const fetched = withNamingTables(tables, estimate.naming);
  // The size of all tables is unknown where that of any is: once is enough.
  const text = fetchEstimateText(estimate, tables, tables.length === HISTORY_TABLES.length ? undefined : '');
  return text === undefined
    ? { detail: '', disabledReason: 'nothing is missing' }
    : { detail: `${text}: ${fetched.length > 4 ? `${fetched.length} tables` : fetched.join(', ')}` };
}

/** Asks for the range of the next fetch. */
export const askForFetchRange = ({ fetchRange }: HistoryView, { to }: Context): Message =>
  open('prompt', {
    label: 'range',
    drawnLabel: 'range (all, last 3, e20..e25, 2026-10-01..)',
    text: fetchRange,
    isProposed: true,
    done: (_, typed) => {
      const range = typed.trim().toLowerCase() || WHOLE_HISTORY;
      return parseFetchRange(typed) !== undefined
        ? { actions: [to({ type: 'fetch-range', range } satisfies HistoryViewEvent)] }
        : { problem: `unknown range: ${typed.trim()}` };
    },
  });

/** The tables to delete from disk, and the space each frees. */
export const forgetMenu = (context: Context): Message =>
  open('menu', { title: 'Delete from disk', choices: context.live(forgetChoices, []) });

function forgetChoices({ row }: HistoryView, { shared, to }: Context): readonly Choice[] {
  const { stored } = shared.chainHistory;
  const table = HISTORY_TABLES[row]?.id ?? '';
  const choice = (label: string, what: string, tables: readonly StoredRows[]): Choice => {
    const size = formatByteCount(tables.reduce((sum, { bytes }) => sum + bytes, 0));
    const event: HistoryViewEvent = { type: 'forget', tables: label === ALL_TABLES ? undefined : [table] };
    return {
      ...{ mark: '', label, detail: `frees at least ${size}` },
      action: open('confirm', {
        about: 'forget-history',
        questions: [
          `Delete ${what} from disk, and free at least ${size}? You can get it back only from a node that still has it.`,
          `Delete ${what} from disk, and free at least ${size}?`,
          `Delete ${what} (${size})?`,
        ],
        yes: [to(event)],
        isPointless: below => isFetching(below.chainHistory),
      }),
    };
  };
  const known = storedRows(shared.chainHistory, table);
  return [
    ...(known === undefined ? [] : [choice(`this table: ${table}`, `the table ${table}`, [known])]),
    choice(ALL_TABLES, 'all tables of this chain', stored?.tables ?? []),
  ];
}

const ALL_TABLES = 'all tables';

/** Answers, audit and report, from the history on disk. */
export const askMenu = (context: Context): Message =>
  open('menu', { title: 'Ask the history on disk', choices: context.live(askChoices, []) });

function askChoices(_: HistoryView, { shared, to }: Context): readonly Choice[] {
  const { stored } = shared.chainHistory;
  const choice = (label: string, detail: string, tables: readonly string[], event: HistoryViewEvent): Choice => {
    const missing = tables.filter(table => storedRows(shared.chainHistory, table) === undefined);
    const engine = noEngine(shared);
    if (missing.length === tables.length)
      return {
        ...{
          mark: '',
          label,
          detail: `not on disk: Enter fetches ${tables.join(', ')}`,
        },
        action: { type: 'start-fetch', request: { title: label, tables, range: WHOLE_HISTORY } },
        ...(isFetching(shared.chainHistory) && { disabledReason: FETCH_RUNS }),
      };
    const part = missing.length === 0 ? '' : ` (without ${missing.join(', ')})`;
    return {
      ...{ mark: '', label, detail: `${detail}${part}`, action: to(event) },
      ...(engine !== undefined && { disabledReason: engine }),
    };
  };
  return [
    ...(stored?.questions ?? []).map(({ name, title, needsParty }) =>
      choice(name, title, tablesFor('answer', name), { type: 'ask', question: name, title, needsParty }),
    ),
    choice('audit', 'do the tables agree: is a row missing, is money unexplained', tablesFor('audit'), {
      type: 'audit',
    }),
    choice('report', 'one page about a party: money, fees, rewards, trades, balances', tablesFor('report'), {
      type: 'ask-report',
    }),
  ];
}

/** How to have what opens tables and answers questions; undefined where it is installed. */
export const noEngine = ({ chainHistory }: Context['shared']): string | undefined =>
  chainHistory.stored?.hasEngine === false ? NO_ENGINE : undefined;

const NO_ENGINE = 'to open rows and to ask, install DuckDB: npm install -g @duckdb/node-api';

/** Asks for a party; typed or pasted text replaces the last one. */
export const askForParty = (context: Context, label: string, then: (party: string) => readonly Message[]): Message =>
  open('prompt', {
    label,
    drawnLabel: `${label} (64 digits, paste it)`,
    text: proposedParty(context.shared),
    isProposed: true,
    done: (below, typed) => {
      const party = parseParty(below, typed);
      if (party === undefined) return { problem: NO_PARTY_PROBLEM };
      return { actions: [{ type: 'party-asked', party }, ...then(party)] };
    },
  });
