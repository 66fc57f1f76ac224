import { isId } from '../../../base/text/ids.ts';
import { shellWord } from '../../../base/text/shell-word.ts';
import type { FeeProgress, FetchedFees } from '../../../chain/explain/statement/fetch-fees.ts';
import { type FeeSubject, NO_SUBJECT_NOTICE, parseFeeSubject } from '../../core/fee-subject.ts';
import { fileNameParts } from '../../core/file-name.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type Message,
  SAVE_KEY,
  type ScreenContext,
  type Step,
  type TextScreen,
} from '../../core/screen.ts';
import { scrollTop } from '../../core/window.ts';
import { open } from '../../openings.ts';
import { FORM_NAMES } from '../../services/copying/content.ts';
import { loginHint, nodeCommandText } from '../../services/copying/equal-commands.ts';
import { ENDINGS, type Saveable } from '../../services/copying/saveable.ts';
import { type ScreenFailure, toScreenFailure } from '../../services/failure.ts';
import type { NodeState } from '../../services/node/node.ts';
import { maxStatementTop, statementHeight, topForNewestRow } from './lines.ts';
import { epochChoice, hasOtherEpochs, LAST_EPOCHS, prepareStatement, type ShownStatement } from './state.ts';
import { drawStatement, statementHead, statementPosition, statementWait } from './view.ts';

type StatementEvent =
  | { readonly type: 'show-notes' | 'toggle-epochs' | 'ask-again' | 'earned' }
  | { readonly type: 'pasted'; readonly text: string }
  | { readonly type: 'progressed'; readonly progress: FeeProgress }
  | { readonly type: 'arrived'; readonly fetched: FetchedFees }
  | { readonly type: 'failed'; readonly failure: ScreenFailure; readonly atMs: number };

export const statementScreen: TextScreen<ShownStatement, StatementEvent, FeeSubject> = {
  kind: 'text',
  title: 'the statement',
  needs: null,
  isOverlay: false,
  description: 'Liquidity fees allocated, epoch by epoch, with shares and totals',
  open: subject => newStatementRequest(subject, false, 1),
  // biome-ignore format: a table, a row a key
  keys: [
    COPY_KEY,
    SAVE_KEY,
    { keys: ['enter'], event: { type: 'show-notes' }, title: 'every problem and note in full', group: 'Record', footer: 'notes', disabledReason: notYet },
    { keys: ['a'], event: { type: 'toggle-epochs' }, title: 'every epoch, or the last ones', group: 'Look', footer: 'epochs', disabledReason: noOtherEpochs },
    { keys: ['E'], event: { type: 'earned' }, title: 'earned by the party, from disk', group: 'Record', footer: 'earned', disabledReason: ofNoParty, needs: 'files' },
    { keys: ['r'], event: { type: 'ask-again' }, title: 'ask again', group: 'Pages', footer: 'reload', disabledReason: rateLimitReason },
  ],
  move: (state, move, context) => ({
    ...state,
    top: scrollTop(state.top, move, { height: statementHeight(state, context), last: maxStatementTop(state, context) }),
  }),
  handlers: {
    'show-notes': (state, _, context) => ({ state, messages: fullNotes(state, context) }),
    earned: state => ({ state, messages: [open('earned', { party: state.question.party })] }),
    'toggle-epochs': toggleEpochs,
    'ask-again': state => ({ state: newStatementRequest(state.question, state.isAll, nextAttempt(state)) }),
    pasted: (state, { text }, { shared }) => {
      const subject = parseFeeSubject(shared, text);
      return { state, messages: [subject === undefined ? NO_SUBJECT_NOTICE : open('statement', subject)] };
    },
    progressed: (state, { progress }) => ({ state: state.status === 'asking' ? { ...state, progress } : state }),
    arrived: ({ question, isAll }, { fetched }, context) => {
      const known = { question, isAll, top: 0, status: 'known', fetched } as const;
      return { state: { ...known, top: topForNewestRow(known, context) } };
    },
    failed: ({ question, isAll }, { failure, atMs }) => ({
      state: { question, isAll, top: 0, status: 'failed', failure },
      messages: [{ type: 'node-blocked', untilMs: failure.retryAtMs, atMs }],
    }),
  },
  settle: (state, context) => {
    const last = state.status === 'known' ? maxStatementTop(state, context) : state.top;
    return state.top <= last ? state : { ...state, top: last };
  },
  effects: (state, { node }) => (state.status === 'asking' && node.status === 'ready' ? [asking(state)] : []),
  needsNode: true,
  around: {
    head: statementHead,
    place: statementPosition,
  },
  body: drawStatement,
  waits: statementWait,
  input: { pasted: (_, text) => ({ type: 'pasted', text }) },
  output: {
    copies,
    file: {
      saves,
      name: ({ question }) => ({
        parts: ['statement', ...SUBJECTS.flatMap(name => fileNameParts(name, question[name]))],
      }),
    },
  },
};

const SUBJECTS = ['party', 'market', 'asset'] as const;

const newStatementRequest = (
  { party, market, asset }: FeeSubject,
  isAll: boolean,
  attempt: number,
): ShownStatement => ({
  question: { party, market, asset, epochs: epochChoice(isAll) },
  ...{ isAll, top: 0, status: 'asking', attempt, progress: null },
});

function toggleEpochs(state: ShownStatement, _: unknown, context: ScreenContext): Step<ShownStatement> {
  const { question, isAll } = state;
  if (!hasOtherEpochs(state)) return { state: newStatementRequest(question, !isAll, nextAttempt(state)) };
  const toggled = { ...state, isAll: !isAll };
  return { state: { ...toggled, top: topForNewestRow(toggled, context) } };
}

const nextAttempt = (state: ShownStatement): number => (state.status === 'asking' ? state.attempt + 1 : 1);

/** Every problem and note in full: next to the rows there is room only for the first ones. */
function fullNotes(state: ShownStatement, { shared }: ScreenContext): readonly Message[] {
  const shown = prepareStatement(state, shared.directory);
  if (shown === undefined) return [];
  const { statement: made, table } = shown;
  const parts = [[made.span, made.basis, ...table.totals], made.problems, [...table.units, ...made.notes]].filter(
    part => part.length > 0,
  );
  const text = parts.map(part => part.join('\n')).join('\n\n');
  return [open('value', { title: 'About this statement', text })];
}

function ofNoParty({ question: { party } }: ShownStatement): string | undefined {
  return isId(party) ? undefined : 'this statement is not about a party';
}

function notYet({ status }: ShownStatement): string | undefined {
  return status === 'known' ? undefined : 'no statement yet';
}

function noOtherEpochs(state: ShownStatement, context: ScreenContext): string | undefined {
  return notYet(state) ?? (hasOtherEpochs(state) ? undefined : rateLimitReason(state, context));
}

function rateLimitReason(_: ShownStatement, { shared: { node } }: ScreenContext): string | undefined {
  const waitMs = node.blockedUntilMs - node.nowMs;
  return waitMs > 0 ? `rate limited by the node: ${Math.ceil(waitMs / 1000)} s to wait` : undefined;
}

const asking = ({
  question,
  attempt,
}: Extract<ShownStatement, { readonly status: 'asking' }>): Effect<StatementEvent> => ({
  key: `ask ${question.epochs.kind} ${attempt}`,
  run: async (world, signal, report) => {
    const onProgress = (progress: FeeProgress) => report({ type: 'progressed', progress });
    return [{ type: 'arrived', fetched: await world.node().statement(question, onProgress, signal) }];
  },
  failed: (error, atMs) => [{ type: 'failed', failure: toScreenFailure(error), atMs }],
});

function copies(state: ShownStatement, { shared: { node, directory } }: ScreenContext): readonly CopyItem[] {
  const command = statementCommand(node, state);
  const equal = copyText(`equal command${loginHint(node, command)}`, command);
  const made = prepareStatement(state, directory);
  if (made === undefined) return [equal];
  const detail = `${made.statement.lines.length} lines`;
  const as = (name: string, form: 'csv' | 'tsv' | 'md' | 'json'): CopyItem => ({
    label: `statement as ${name}`,
    detail,
    content: { kind: 'statement', form, statement: made.statement, directory },
  });
  return [
    ...(['csv', 'tsv', 'md'] as const).map(form => as(FORM_NAMES[form], form)),
    as('JSON', 'json'),
    ...made.table.totals.map((total, index) => copyText(index === 0 ? 'total' : `total ${index + 1}`, total)),
    equal,
  ];
}

/** The command that makes the same statement. */
function statementCommand(node: NodeState, { question, isAll }: ShownStatement): string {
  const ids = SUBJECTS.flatMap(name => (question[name] === '' ? [] : [`--${name} ${shellWord(question[name])}`]));
  return nodeCommandText(node, 'statement', [...ids, ...(isAll ? [] : [`--last ${LAST_EPOCHS}`])]);
}

function saves(state: ShownStatement, { shared: { directory } }: ScreenContext): Saveable | string {
  const made = prepareStatement(state, directory);
  if (made === undefined) return 'no statement yet';
  return {
    what: 'the statement',
    endings: ENDINGS,
    content: form => ({ kind: 'statement', form, statement: made.statement, directory }),
  };
}
