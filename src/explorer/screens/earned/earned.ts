import { fileNameParts } from '../../core/file-name.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type Message,
  SAVE_KEY,
  type ScreenContext,
  type SharedState,
  type TextScreen,
} from '../../core/screen.ts';
import { scrollTop } from '../../core/window.ts';
import { type EarnedOpening, open } from '../../openings.ts';
import { askForRange } from '../../range-prompt.ts';
import { errorMessage } from '../../services/failure.ts';
import { EARNED_TABLES, type Earned, type EarnedEvent, inRange, noFetch, settleEarned } from './state.ts';
import { drawEarned, earnedHead, earnedLines, earnedPlace } from './view.ts';

type Context = ScreenContext<Earned>;

/** What a party received, earned and held, answered from the history on disk. */
export const earnedScreen: TextScreen<Earned, EarnedEvent, EarnedOpening> = {
  kind: 'text',
  title: 'what a party earned',
  needs: 'files',
  isOverlay: false,
  description: 'Money received, fees, rewards, trades and balances, from history on disk',
  open: ({ party }, { shared }) => ({
    ...{ party, range: 'all', isOpening: true, answers: { status: 'none' }, top: 0 },
    ...{ estimating: shared.node.moment === null ? 1 : null, estimate: null, reporting: null, lastRequest: 1 },
  }),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['F'], event: { type: 'fetch' }, title: 'fetch the missing history', group: 'Export', footerNow: (earned, { shared }) => noFetch(earned, shared) === undefined ? 'fetch' : undefined, disabledReason: (earned, { shared }) => noFetch(earned, shared), needs: 'exports' },
    { keys: ['e'], event: { type: 'type-range' }, title: 'another range: epochs, days, a year', group: 'Filter', footer: 'epochs, dates' },
    { keys: ['R'], event: { type: 'ask-page' }, title: 'write one page about the party', group: 'Export', footer: 'page', disabledReason: noPage },
    { keys: ['enter', 'a'], event: { type: 'choose-rows' }, title: 'the rows of an answer', group: 'Record', footer: 'rows', disabledReason: noAnswer },
    { keys: ['r'], event: { type: 'ask-again' }, title: 'ask again', group: 'Pages' },
    COPY_KEY,
    SAVE_KEY,
  ],
  move: (earned, move, context) => ({
    ...earned,
    top: scrollTop(earned.top, move, { height: context.area.rows, last: lastTop(earned, context) }),
  }),
  handlers: {
    // Fields that ask for a party propose this one from now on.
    opened: earned => ({
      state: { ...earned, isOpening: false },
      messages: [{ type: 'party-asked', party: earned.party }, { type: 'read-history' }],
    }),
    fetch: earned => ({
      state: earned,
      messages: [
        {
          type: 'start-fetch',
          request: { title: `what a party earned${inRange(earned)}`, tables: EARNED_TABLES, range: earned.range },
        },
      ],
    }),
    'type-range': (earned, _, { to }) => ({
      state: earned,
      messages: [askForRange(earned.range, range => [to({ type: 'range', range } satisfies EarnedEvent)])],
    }),
    range: (earned, { range }) => ({
      state: withRequest({ ...earned, range, top: 0 }, estimating => ({ estimating, estimate: null })),
    }),
    'ask-page': (earned, _, { to }) => ({
      state: earned,
      messages: [askForRange(earned.range, range => [to({ type: 'page', range } satisfies EarnedEvent)])],
    }),
    page: (earned, { range }) => ({
      state: withRequest(earned, request => ({ reporting: { request, range } })),
    }),
    'choose-rows': (earned, _, context) => ({ state: earned, messages: [rowsMenu(context)] }),
    'open-rows': (earned, { name, title }, { shared }) => ({
      state: earned,
      messages: openRows(earned, shared, { name, title }),
    }),
    'ask-again': earned => ({
      state: withRequest({ ...earned, answers: { status: 'none' } }, estimating => ({ estimating, estimate: null })),
      messages: [{ type: 'read-history' }],
    }),
    stepped: (earned, { step }) => ({
      state: earned.answers.status === 'asking' ? { ...earned, answers: { ...earned.answers, step } } : earned,
    }),
    answered: (earned, { answers }) => {
      if (earned.answers.status !== 'asking') return { state: earned };
      const known: Earned = { ...earned, answers: { status: 'known', of: earned.answers.of, answers } };
      // New answers make the estimate of the missing rows outdated.
      return { state: earned.estimating === null ? withRequest(known, estimating => ({ estimating })) : known };
    },
    failed: (earned, { problem }) => ({
      state:
        earned.answers.status === 'asking'
          ? { ...earned, answers: { status: 'failed', of: earned.answers.of, problem } }
          : earned,
    }),
    estimated: (earned, { estimate }) => ({ state: { ...earned, estimating: null, estimate } }),
    'page-written': (earned, { text }, { isOnTop }) => {
      const [first = ''] = text.split('\n');
      const message: Message = isOnTop
        ? open('value', { title: 'Report', text, isProse: true })
        : { type: 'noticed', text: `report: ${first}` };
      return { state: { ...earned, reporting: null }, messages: [message] };
    },
  },
  settle: (earned, context) => {
    const settled = settleEarned(earned, context.shared);
    const last = lastTop(settled, context);
    return settled.top <= last ? settled : { ...settled, top: last };
  },
  effects,
  around: { head: earnedHead, place: earnedPlace },
  body: drawEarned,
  waits: ({ answers, reporting, lastRequest }) => {
    if (answers.status === 'asking') {
      const next = reporting === null ? '' : '; then the page about the party';
      const text = `${answers.step || 'reading the history on disk'}${next}`;
      return { key: `earned ${lastRequest} ${answers.of}`, text };
    }
    return reporting === null
      ? undefined
      : { key: `page ${reporting.request}`, text: 'writing the page about the party' };
  },
  output: {
    copies,
    file: {
      saves: ({ answers }) =>
        answers.status === 'known'
          ? { what: 'what a party earned', endings: ['txt'], content: () => ({ kind: 'screen' }) }
          : 'nothing was answered yet',
      name: ({ party }) => ({ parts: ['earned', ...fileNameParts('party', party)] }),
    },
  },
};

function withRequest(earned: Earned, change: (request: number) => Partial<Earned>): Earned {
  const lastRequest = earned.lastRequest + 1;
  return { ...earned, lastRequest, ...change(lastRequest) };
}

const lastTop = (earned: Earned, context: ScreenContext): number =>
  Math.max(0, earnedLines(earned, context).length - context.area.rows);

function noAnswer({ answers }: Earned): string | undefined {
  return answers.status === 'known' ? undefined : 'nothing is answered yet';
}

/** A page asked for early is written once the answer has come. */
function noPage(earned: Earned): string | undefined {
  return earned.answers.status === 'asking' ? undefined : noAnswer(earned);
}

/** The five answers, each with its rows in the viewer. */
const rowsMenu = (context: Context): Message =>
  open('menu', {
    title: 'The rows of',
    choices: context.live(
      (_, { shared, to }) =>
        (shared.chainHistory.stored?.questions ?? []).map(({ name, title }) => ({
          ...{ mark: '', label: name, detail: title },
          action: to({ type: 'open-rows', name, title } satisfies EarnedEvent),
        })),
      [],
    ),
  });

function openRows(
  { party, range }: Earned,
  { chainHistory: { stored } }: SharedState,
  question: { readonly name: string; readonly title: string },
): readonly Message[] {
  if (stored === null || stored.folder === null) return [];
  return [
    { type: 'party-asked', party },
    {
      type: 'open-files',
      files: { paths: [stored.folder], isEvenIncomplete: false, question: { ...question, party, range } },
    },
  ];
}

function effects(earned: Earned, shared: SharedState): readonly Effect<EarnedEvent>[] {
  const { answers, party, range, isOpening, estimating, reporting } = earned;
  const folder = shared.chainHistory.stored?.folder ?? null;
  return [
    ...(isOpening ? [OPENED] : []),
    ...(estimating !== null && shared.node.status === 'ready' ? [estimate(estimating, range)] : []),
    ...(answers.status === 'asking' && folder !== null
      ? [
          {
            key: `earned ${answers.of}`,
            run: async (world, signal, report) => {
              const onProgress = (step: string): void => report({ type: 'stepped', step });
              return [{ type: 'answered', answers: await world.earned({ folder, party, range }, onProgress, signal) }];
            },
            failed: error => [{ type: 'failed', problem: errorMessage(error) }],
            mustFinish: true,
          } satisfies Effect<EarnedEvent>,
        ]
      : []),
    ...(reporting !== null && answers.status !== 'asking' && folder !== null
      ? [
          {
            key: `page ${reporting.request}`,
            run: async (world, signal) => {
              const asked = { folder, party, range: reporting.range, to: '.' };
              return [{ type: 'page-written', text: await world.report(asked, signal) }];
            },
            failed: error => [{ type: 'page-written', text: errorMessage(error) }],
            mustFinish: true,
          } satisfies Effect<EarnedEvent>,
        ]
      : []),
  ];
}

/** The history on disk may have changed since it was read last. */
const OPENED: Effect<EarnedEvent> = { key: 'opened', run: async () => [{ type: 'opened' }], failed: () => [] };

const estimate = (request: number, range: string): Effect<EarnedEvent> => ({
  key: `estimate ${request}`,
  run: async (world, signal) => [{ type: 'estimated', estimate: await world.estimateFetch(range, signal) }],
  failed: error => [
    {
      type: 'estimated',
      estimate: { tables: [], naming: [], bytesPerS: null, problem: errorMessage(error), notes: [] },
    },
  ],
});

function copies({ party, range }: Earned): readonly CopyItem[] {
  const words = range === 'all' ? [] : /^\d{4}$/.test(range) ? ['--year', range] : rangeFlags(range);
  const report = ['blockglass report', '--party', party, ...words].join(' ');
  return [copyText('command that writes the page', report), copyText('party', party)];
}

function rangeFlags(range: string): readonly string[] {
  const [from = '', to = from] = range.split('..').map(end => end.trim());
  return [`--from ${JSON.stringify(from)}`, `--to ${JSON.stringify(to)}`];
}
