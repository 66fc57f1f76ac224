import { formatByteCount } from '../../../base/text/byte-count.ts';
import { listScreen } from '../../core/list.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type ListScreen,
  type Message,
  type ScreenContext,
  type Step,
} from '../../core/screen.ts';
import { open, type ValueOpening } from '../../openings.ts';
import { askForRange } from '../../range-prompt.ts';
import { isFetching, storedRows } from '../../services/chain-history/chain-history.ts';
import { nodeCommandText, nodeFlags } from '../../services/copying/equal-commands.ts';
import { errorMessage, toScreenFailure } from '../../services/failure.ts';
import type { World } from '../../services/world.ts';
import { askForFetchRange, askForParty, askMenu, type FetchPurpose, fetchMenu, forgetMenu, noEngine } from './menus.ts';
import {
  HISTORY_TABLES,
  type HistoryView,
  type HistoryViewEvent,
  NEW_HISTORY_VIEW,
  withHistoryRequest,
} from './state.ts';
import { announcedHistory, drawHistory, historyHead, historyHeight, historyPlace } from './view.ts';

type Context = ScreenContext<HistoryView>;

/** The history that the node has, the part on disk, and the actions on it. */
export const chainHistoryScreen: ListScreen<HistoryView, HistoryViewEvent, null> = {
  ...listScreen<HistoryView>({ count: () => HISTORY_TABLES.length, height: historyHeight }),
  title: 'the History tab',
  needs: null,
  isOverlay: false,
  description: 'The history of the chain: fetched once, kept on disk, and queried there',
  tab: {
    id: 'history',
    showsDownload: () => 'fetch',
    root: {
      news: (view, { type }, context) => (type === 'arrived' ? arrived(view, context) : { state: view }),
    },
    // No request of the other node has an id of this one.
    afterSwitch: ({ row, top, lastRequest }, { shared }) => {
      const fresh = { ...NEW_HISTORY_VIEW, row, top, lastRequest };
      return shared.tab === 'history' ? askForSegments(fresh) : fresh;
    },
  },
  open: () => NEW_HISTORY_VIEW,
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'open-rows' }, title: 'the rows of this table', group: 'Record', footer: 'rows', disabledReason: noRows, needs: 'files' },
    { keys: ['f'], event: { type: 'choose-fetch' }, title: 'fetch what a report, an audit or an answer needs', group: 'Export', footer: 'fetch', needs: 'exports' },
    { keys: ['a'], event: { type: 'choose-answer' }, title: 'ask: the answers, audit, report', group: 'Export', footer: 'ask', needs: 'files' },
    { keys: ['A'], event: { type: 'audit' }, title: 'audit the history on disk, or fetch it for an audit', group: 'Export', footer: 'audit', needs: 'files' },
    { keys: ['R'], event: { type: 'ask-report' }, title: 'write one page about a party', group: 'Export', footer: 'report', disabledReason: (view, context) => nothingStored(view, context) ?? noEngine(context.shared), needs: 'files' },
    { keys: ['x'], event: { type: 'cancel-fetch' }, title: 'cancel the fetch', group: 'Export', footerNow: (_, { shared }) => isFetching(shared.chainHistory) ? 'cancel' : undefined, disabledReason: (_, { shared }) => isFetching(shared.chainHistory) ? undefined : 'no fetch is running' },
    { keys: ['X'], event: { type: 'choose-forget' }, title: 'delete from disk: this table, or all', group: 'Export', disabledReason: noForget, needs: 'files' },
    { keys: ['w'], event: { type: 'open-wizard' }, title: 'export one ZIP file of a range', group: 'Export', footer: 'export' },
    { keys: ['r'], event: { type: 'reload' }, title: 'ask the node and read the disk again', group: 'Pages' },
    COPY_KEY,
    { keys: ['backspace'], program: { type: 'come-back' }, title: 'back to where this tab was opened', group: 'Record', disabledReason: (_, { shared: { trail } }) => (trail.length > 0 ? undefined : 'Backspace returns here after Enter or g') },
    { keys: ['esc'], event: { type: 'dismiss' }, title: 'dismiss the result of the fetch', group: 'Program', disabledReason: (_, { shared }) => shared.chainHistory.fetch?.status === 'ended' ? undefined : 'nothing to close here; q quits', isInProgramsPlace: true },
    { keys: ['q'], program: { type: 'quit' }, title: 'quit', group: 'Program', footer: 'quit', isInProgramsPlace: true },
  ],
  handlers: {
    'open-rows': (view, _, { shared }) => ({ state: view, messages: openRows(view, shared) }),
    'choose-fetch': (view, _, context) => chooseFetch(view, context),
    'type-fetch-range': (view, _, context) => ({ state: view, messages: [askForFetchRange(view, context)] }),
    'fetch-range': (view, { range }, context) => chooseFetch({ ...view, fetchRange: range }, context),
    'choose-forget': (view, _, context) => ({ state: view, messages: [forgetMenu(context)] }),
    forget: (view, { tables }) => ({
      state: withHistoryRequest(view, request => ({ forgetting: { request, tables } })),
    }),
    forgotten: (view, { text: said }) => ({
      state: { ...view, forgetting: null },
      messages: [{ type: 'noticed', text: said }, { type: 'dismiss-fetch' }, { type: 'read-history' }],
    }),
    'choose-answer': (view, _, context) => ({ state: view, messages: [askMenu(context)] }),
    ask: (view, { question, title, needsParty }, context) => {
      const answer = (party: string): readonly Message[] => openAnswer(context, { name: question, title, party });
      return { state: view, messages: needsParty ? [askForParty(context, 'party', answer)] : answer('') };
    },
    audit: (view, _, context) =>
      nothingStored(view, context) === undefined
        ? { state: withHistoryRequest(view, auditing => ({ auditing })) }
        : chooseFetch(view, context, 'an audit'),
    'ask-report': (view, _, context) => ({
      state: view,
      messages: [
        askForParty(context, 'report on party', party => [
          askForRange('all', range => [context.to({ type: 'report', party, range } satisfies HistoryViewEvent)]),
        ]),
      ],
    }),
    report: (view, { party, range }) => ({
      state: withHistoryRequest(view, request => ({ reporting: { request, party, range } })),
    }),
    'open-wizard': view => ({ state: view, messages: [open('export', { filled: null })] }),
    dismiss: view => ({ state: view, messages: [{ type: 'dismiss-fetch' }] }),
    'cancel-fetch': (view, _, context) => ({ state: view, messages: [askToCancel(context)] }),
    reload: (view, _, { shared }) =>
      shared.node.status === 'failed'
        ? { state: view, messages: [{ type: 'connect-again' }] }
        : { state: askForSegments({ ...view, asking: null }), messages: [{ type: 'read-history' }] },
    'segments-known': (view, { boundaries }) => ({
      state: { ...view, asking: null, boundaries, failure: null },
      messages: [
        { type: 'segments-known' },
        ...(boundaries.kind === 'listed' && boundaries.chainId !== ''
          ? [{ type: 'chain-known', chainId: boundaries.chainId } as const]
          : []),
      ],
    }),
    'segments-failed': (view, { failure }) => ({ state: { ...view, asking: null, failure } }),
    estimated: (view, { estimate }) => ({ state: { ...view, estimating: null, estimate } }),
    audited: (view, { text }, context) =>
      showText({ ...view, auditing: null }, { title: 'Audit', text, isProse: true }, context),
    reported: (view, { text }, context) =>
      showText({ ...view, reporting: null }, { title: 'Report', text, isProse: true }, context),
  },
  effects: (view, { node, chainHistory }) => [
    ...(node.status === 'ready' ? askingNode(view) : []),
    ...askingDisk(view, chainHistory.stored?.folder ?? null, nodeFlags(node)),
  ],
  around: { head: historyHead, place: historyPlace },
  body: drawHistory,
  waits: ({ asking, auditing, reporting, forgetting }) => {
    const waits = [
      { request: forgetting?.request ?? null, text: 'deleting from disk' },
      { request: auditing, text: 'comparing the tables on disk' },
      { request: reporting?.request ?? null, text: 'writing the page about the party' },
      { request: asking, text: 'asking the node for its segments' },
    ];
    const [wait] = waits.filter(({ request }) => request !== null);
    return wait && { key: `history ${wait.request}`, text: wait.text };
  },
  announced: announcedHistory,
  output: { copies },
};

/** The tab is shown: what the node has is asked for once, and the disk is read. */
function arrived(view: HistoryView, { shared }: Context): Step<HistoryView> {
  const isKnown = view.boundaries !== null || view.asking !== null;
  return {
    state: isKnown || (shared.access === 'guest' && shared.node.moment !== null) ? view : askForSegments(view),
    messages: shared.access === 'guest' ? [] : [{ type: 'read-history' }],
  };
}

/** Opens the menu of fetches, and requests the size of each. */
const chooseFetch = (view: HistoryView, context: Context, purpose?: FetchPurpose): Step<HistoryView> => ({
  state: withHistoryRequest(view, estimating => ({ estimating, estimate: null })),
  messages: [fetchMenu(view, context, purpose)],
});

const askForSegments = (view: HistoryView): HistoryView =>
  withHistoryRequest(view, asking => ({ asking, failure: null }));

function openRows({ row }: HistoryView, { chainHistory }: Context['shared']): readonly Message[] {
  const { folder = null } = chainHistory.stored ?? {};
  const table = HISTORY_TABLES[row]?.id ?? '';
  if (folder === null) return [];
  return [{ type: 'open-files', files: { paths: [folder], only: [table], isEvenIncomplete: false, question: null } }];
}

function openAnswer(
  { shared }: Context,
  question: { readonly name: string; readonly title: string; readonly party: string },
): readonly Message[] {
  const { folder = null } = shared.chainHistory.stored ?? {};
  if (folder === null) return [];
  return [{ type: 'open-files', files: { paths: [folder], isEvenIncomplete: false, question } }];
}

function noRows({ row }: HistoryView, { shared }: Context): string | undefined {
  const table = HISTORY_TABLES[row]?.id ?? '';
  if (storedRows(shared.chainHistory, table) === undefined) return `${table} is not on disk: f fetches it`;
  return noEngine(shared);
}

function nothingStored(_: HistoryView, { shared }: Context): string | undefined {
  return (shared.chainHistory.stored?.tables.length ?? 0) > 0 ? undefined : 'nothing on disk yet: f fetches';
}

function noForget(view: HistoryView, context: Context): string | undefined {
  return isFetching(context.shared.chainHistory) ? 'a fetch is running: x cancels it' : nothingStored(view, context);
}

function askToCancel({ shared }: Context): Message {
  const title = shared.chainHistory.fetch?.request.title ?? '';
  return open('confirm', {
    about: 'cancel-fetch',
    questions: [
      `Cancel the fetch for ${title}? Finished slices are kept, and the next fetch downloads the rest.`,
      'Cancel the fetch? Finished slices are kept.',
      'Cancel the fetch?',
    ],
    yes: [{ type: 'cancel-fetch' }],
    isPointless: below => !isFetching(below.chainHistory),
  });
}

/** The text over the screen, unless the person has gone on to something else. */
function showText(view: HistoryView, value: ValueOpening, { isOnTop, shared }: Context): Step<HistoryView> {
  if (isOnTop && shared.tab === 'history') return { state: view, messages: [open('value', value)] };
  const [first = ''] = value.text.split('\n');
  return { state: view, messages: [{ type: 'noticed', text: `${value.title.toLowerCase()}: ${first}` }] };
}

const askingNode = ({ asking, estimating, fetchRange }: HistoryView): readonly Effect<HistoryViewEvent>[] => [
  ...(asking === null
    ? []
    : [
        {
          key: `segments ${asking}`,
          run: async (world, signal) => [
            { type: 'segments-known', boundaries: (await world.node().boundaries(signal)).boundaries },
          ],
          failed: error => [{ type: 'segments-failed', failure: toScreenFailure(error) }],
        } satisfies Effect<HistoryViewEvent>,
      ]),
  ...(estimating === null
    ? []
    : [
        {
          key: `estimate ${estimating}`,
          run: async (world, signal) => [
            { type: 'estimated', estimate: await world.estimateFetch(fetchRange, signal) },
          ],
          failed: error => [
            {
              type: 'estimated',
              estimate: { tables: [], naming: [], bytesPerS: null, problem: errorMessage(error), notes: [] },
            },
          ],
        } satisfies Effect<HistoryViewEvent>,
      ]),
];

function askingDisk(
  { auditing, reporting, forgetting }: HistoryView,
  folder: string | null,
  flags: readonly string[],
): readonly Effect<HistoryViewEvent>[] {
  if (folder === null) return [];
  return [
    ...(forgetting === null ? [] : [forget(forgetting, folder)]),
    ...(auditing === null
      ? []
      : [text(`audit ${auditing}`, 'audited', (world, signal) => world.audit({ folder, nodeFlags: flags }, signal))]),
    ...(reporting === null
      ? []
      : [
          text(`report ${reporting.request}`, 'reported', (world, signal) =>
            world.report({ folder, party: reporting.party, range: reporting.range }, signal),
          ),
        ]),
  ];
}

const forget = (
  { request, tables }: NonNullable<HistoryView['forgetting']>,
  folder: string,
): Effect<HistoryViewEvent> => ({
  key: `forget ${request}`,
  run: async world => [
    { type: 'forgotten', text: `${formatByteCount(await world.forgetHistory(folder, tables))} freed in ${folder}` },
  ],
  failed: error => [{ type: 'forgotten', text: errorMessage(error) }],
  mustFinish: true,
});

/** A text to be read, or why there is none. */
const text = (
  key: string,
  type: 'audited' | 'reported',
  run: (world: World, signal: AbortSignal) => Promise<string>,
): Effect<HistoryViewEvent> => ({
  key,
  run: async (world, signal) => [{ type, text: await run(world, signal) }],
  failed: error => [{ type, text: errorMessage(error) }],
});

function copies(_: HistoryView, { shared: { node, chainHistory } }: Context): readonly CopyItem[] {
  const { folder = null } = chainHistory.stored ?? {};
  return [
    copyText('command that fetches it', nodeCommandText(node, 'fetch', ['--for report'])),
    ...(folder === null ? [] : [copyText('path of the folder', folder)]),
  ];
}
