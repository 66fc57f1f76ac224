import { isUnreachable, WAITING_ANSWER } from '../../../attention/overview/answers.ts';
import type { FactLead } from '../../../attention/overview/facts/fact.ts';
import { MINUTE_MS } from '../../../base/text/time.ts';
import { RateLimitedError } from '../../../chain/api/errors.ts';
import { isMine } from '../../../chain/directory/directory.ts';
import type { MineEntity } from '../../../chain/directory/mine.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { ruleTitle } from '../../core/rule.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type ListScreen,
  type Message,
  SAVE_KEY,
  type ScreenContext,
  type ScreenNotification,
  type SharedState,
  type Step,
} from '../../core/screen.ts';
import { type MoveAction, moveWindow } from '../../core/window.ts';
import { open } from '../../openings.ts';
import { overviewCommandText } from '../../services/copying/equal-commands.ts';
import { saveableScreen } from '../../services/copying/saveable.ts';
import type { MarkedId } from '../../services/mine/mine.ts';
import { MAX_ANSWER_AGE_MS, noChainReason } from '../../services/node/health.ts';
import { previousNode } from '../../services/node/nodes.ts';
import { findingTarget, overviewAlarms } from './lines.ts';
import { nodeMessages } from './node-messages.ts';
import { failureInsteadOfPage, firstFindingIndex, overviewPage, selectableIds } from './page.ts';
import { announcedOverview, overviewFoot, selectedSentence } from './sentences.ts';
import { startHereParts } from './start-here.ts';
import {
  answeredAtMs,
  answerParts,
  findingOrderAfter,
  newOverview,
  type OverviewEvent,
  type OverviewState,
} from './state.ts';
import { drawOverview } from './view.ts';

type Context = ScreenContext<OverviewState>;

export const overviewScreen: ListScreen<OverviewState, OverviewEvent, null> = {
  kind: 'list',
  title: 'the overview',
  needs: null,
  isOverlay: false,
  description: 'Chain and node at a glance, and what needs attention',
  tab: {
    id: 'overview',
    root: {
      news: (state, news, { shared }) => ({ state: applyNotification(state, news, shared) }),
      alarms: overviewAlarms,
      checksNode: true,
      asOfMs: state => answeredAtMs(state) ?? undefined,
      nextChangeMs: state => (answeredAtMs(state) === null ? undefined : MINUTE_MS),
    },
    // No request of the other node has an id of this one.
    afterSwitch: ({ requestId }) => newOverview(requestId),
  },
  open: () => newOverview(0),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'open' }, title: 'open the record behind the line', group: 'Record', footer: 'open', disabledReason: (state, { shared }) => failureInsteadOfPage(state, shared) && 'no line to open' },
    { keys: ['r'], event: { type: 'reload' }, title: 'reload everything', group: 'Pages', footerNow: (state, { shared }) => failureInsteadOfPage(state, shared) && 'reload', disabledReason: noReload },
    { keys: ['D'], program: { type: 'toggle-screen', screen: 'changes' }, title: 'changes since yesterday', group: 'Look', footer: 'changes' },
    { keys: ['backspace'], program: { type: 'come-back' }, title: 'back to the previous node', group: 'Record', disabledReason: (_, { shared: { node } }) => (previousNode(node) === undefined ? 'Backspace comes back here from a record' : undefined) },
    { keys: ['M'], event: { type: 'toggle-mine' }, title: 'mark as yours, or take it back', group: 'Record', footer: 'mine', disabledReason: noIdToMark },
    COPY_KEY,
    SAVE_KEY,
    { keys: ['esc'], event: { type: 'select-findings' }, title: 'back to what needs attention', group: 'Program', disabledReason: ({ selected }) => (selected === null ? 'nothing to close here; q quits' : undefined), isInProgramsPlace: true },
    { keys: ['q'], program: { type: 'quit' }, title: 'quit', group: 'Program', footer: 'quit', isInProgramsPlace: true },
  ],
  move,
  handlers: {
    answered: receiveAnswers,
    'mine-read': (state, event) => ({ state, messages: [event] }),
    marked: (state, { overview, mine }) => {
      const known = { ...state, overview, mine, marked: mine };
      return { state: { ...known, order: findingOrderAfter(known) } };
    },
    complete: finishRequest,
    'changes-read': (state, { changed }) => ({ state: { ...state, changed, isChangedOld: false } }),
    'patience-ended': state => {
      const shown: OverviewState = { ...state, asking: { kind: 'first', isEarly: false } };
      return { state: { ...shown, order: findingOrderAfter(shown) } };
    },
    'minute-passed': minutePassed,
    reload: (state, _, { shared }) =>
      shared.node.status === 'failed'
        ? { state, messages: [{ type: 'connect-again' }] }
        : { state: startRequest(state, { kind: 'all' }) },
    'select-findings': state => ({ state: { ...reorderFindings(state), selected: null, top: 0 } }),
    'toggle-mine': toggleMine,
    open: (state, _, context) => ({ state, messages: openTargetMessages(state, context) }),
  },
  // Its selection is a line by its id, where that is shown.
  settle: state => state,
  effects,
  around: {
    head: (state, { shared, area }) =>
      failureInsteadOfPage(state, shared) === undefined ? startHereParts(shared, area.columns) : [ruleTitle('Home')],
    foot: {
      rows: (_, { rows }) => footRows(rows),
      draw: (state, context) => overviewFoot(state, context, footRows(context.area.rows + FOOT_ROWS)),
    },
    // The heading of the findings already has the position.
    place: () => '',
    footTitle: (state, { shared, area }) =>
      failureInsteadOfPage(state, shared) === undefined && footRows(area.rows + FOOT_ROWS) > 0 ? 'Details' : '',
    progress: (state, { shared }) =>
      failureInsteadOfPage(state, shared) === undefined ? askingText(state) : undefined,
  },
  body: drawOverview,
  waits: (state, { shared }) => {
    const text = failureInsteadOfPage(state, shared) === undefined ? askingText(state) : undefined;
    return text === undefined ? undefined : { key: `overview ${state.requestId}`, text };
  },
  announced: announcedOverview,
  output: {
    copies,
    file: {
      saves: state => (state.overview === null ? 'nothing was answered yet' : saveableScreen('the overview')),
      name: () => ({ parts: ['overview'] }),
    },
  },
};

function askingText({ asking, answers }: OverviewState): string | undefined {
  if (asking === null || asking.kind === 'part') return undefined;
  // The previous answers stay until new ones arrive.
  if (asking.kind === 'all') return 'asking the node again';
  const parts = answerParts({ ...answers, checked: WAITING_ANSWER });
  const done = parts.filter(part => part.kind === 'answered' || (part.kind === 'failed' && part.error !== null)).length;
  return `asking the node: ${countOf(done, 'answer')} so far`;
}

const FOOT_ROWS = 2;

/** On a low screen the lines themselves come first. */
const footRows = (rows: number): number => (rows >= 15 ? FOOT_ROWS : 0);

/** A late finding, placed at the bottom at first, moves to its rank when no line would move while the user is reading. */
const reorderFindings = (state: OverviewState): OverviewState =>
  state.asking?.kind === 'first' ? state : { ...state, order: findingOrderAfter(state) };

function applyNotification(state: OverviewState, news: ScreenNotification, shared: SharedState): OverviewState {
  switch (news.type) {
    case 'arrived':
      return loadWhenShown(state, shared);
    case 'node-back':
      return shared.tab === 'overview' ? loadWhenShown(state, shared) : state;
    case 'names':
      // Snapshots of another chain do not apply to this one.
      return news.isOtherChain ? { ...state, changed: undefined, isChangedOld: true } : state;
    case 'connected':
      return state;
  }
}

/** The node is queried when the tab is shown for the first time, and when the data is old. */
function loadWhenShown(state: OverviewState, { node }: SharedState): OverviewState {
  if (!state.isWanted) return { ...startRequest(state, { kind: 'first', isEarly: true }), isWanted: true };
  const sorted = reorderFindings(state);
  const isWaitOver = node.blockedUntilMs <= node.nowMs;
  const isDue =
    isOverviewOld(sorted, node.nowMs) || (hasOnlyFailures(sorted) && isWaitOver) || isNodeBack(sorted, node);
  return isDue ? startRequest(sorted, { kind: 'all' }) : sorted;
}

/** Another screen has heard of a node that could not be reached here. */
const isNodeBack = ({ asking, answers: { statistics } }: OverviewState, { contact }: SharedState['node']): boolean =>
  asking === null &&
  isUnreachable(statistics) &&
  statistics.kind === 'failed' &&
  contact.silentSinceMs === null &&
  (contact.answeredAtMs ?? 0) > statistics.atMs;

function isOverviewOld(state: OverviewState, nowMs: number): boolean {
  const atMs = answeredAtMs(state);
  return state.asking === null && atMs !== null && nowMs - atMs >= MAX_ANSWER_AGE_MS;
}

/** A node that limited every request is asked for all again. One that cannot be reached is asked for its core. */
const hasOnlyFailures = ({ asking, answers }: OverviewState): boolean =>
  asking === null &&
  answerParts(answers).every(answer => answer.kind === 'failed') &&
  answers.statistics.kind === 'failed' &&
  answers.statistics.error instanceof RateLimitedError;

const startRequest = (state: OverviewState, asking: OverviewState['asking']): OverviewState => ({
  ...state,
  asking,
  isChangedOld: state.isChangedOld || asking?.kind === 'all',
  requestId: state.requestId + 1,
});

function move(state: OverviewState, action: MoveAction, context: Context): OverviewState {
  const page = overviewPage(state, context);
  const ids = selectableIds(page);
  const at = ids.indexOf(page.selected);
  const { row } = moveWindow({ row: Math.max(0, at), top: 0 }, action, ids.length, context.area.rows);
  return withSelected(state, ids[row], context);
}

function withSelected(state: OverviewState, id: string | undefined, context: Context): OverviewState {
  if (id === undefined || id === state.selected) return state;
  const selected = { ...state, selected: id };
  return { ...selected, top: firstFindingIndex(selected, overviewPage(selected, context)) };
}

type EventOf<Type extends OverviewEvent['type']> = Extract<OverviewEvent, { readonly type: Type }>;

function receiveAnswers(
  state: OverviewState,
  { answers, overview, mine, heard }: EventOf<'answered'>,
): Step<OverviewState> {
  const known = { ...state, answers, overview, mine };
  const shown = { ...known, order: findingOrderAfter(known) };
  // While a node is unreachable, only its core is queried.
  const answersAgain = isUnreachable(state.answers.statistics) && answers.statistics.kind === 'answered';
  return {
    state: answersAgain && state.asking?.kind === 'part' ? startRequest(shown, { kind: 'all' }) : shown,
    messages: nodeMessages(state.answers, answers, heard),
  };
}

// The order of a first overview stays: nothing moves because the last answer has come.
function finishRequest(state: OverviewState, { busy }: EventOf<'complete'>): Step<OverviewState> {
  const settled = { ...state, asking: state.asking?.kind === 'first' ? state.asking : null };
  const text = `the node limits requests: ${countOf(busy, 'answer')} of before ${busy === 1 ? 'is' : 'are'} shown, r asks again`;
  return {
    state: { ...state, asking: null, order: findingOrderAfter(settled) },
    messages: busy > 0 && state.asking?.kind === 'all' ? [{ type: 'noticed', text, tone: 'bad' }] : [],
  };
}

function minutePassed(
  state: OverviewState,
  { nowMs }: EventOf<'minute-passed'>,
  { shared }: Context,
): Step<OverviewState> {
  const passed = { ...state, minutes: state.minutes + 1 };
  const messages: readonly Message[] = [{ type: 'ticked', nowMs }];
  const mayAsk = shared.preferences.nodeCheck !== 'off' && shared.node.blockedUntilMs <= nowMs;
  if (state.asking !== null || !mayAsk) return { state: passed, messages };
  const kind = isOverviewOld(state, nowMs) || hasOnlyFailures(state) ? 'all' : 'part';
  return { state: startRequest(passed, { kind }), messages };
}

function toggleMine(state: OverviewState, _: unknown, context: Context): Step<OverviewState> {
  const marked = idOfLine(state, context);
  return marked === undefined ? { state } : { state, messages: [{ type: 'mark-mine', ...marked }] };
}

function noIdToMark(state: OverviewState, context: Context): string | undefined {
  const { node, mine } = context.shared;
  if (!node.chainId) return noChainReason(node);
  if (mine.saving !== null) return 'the last change is being written';
  return idOfLine(state, context) === undefined ? 'no single ID: M works in its list' : undefined;
}

/** The one thing that the selected line is about, if it can be the user's. */
function idOfLine(state: OverviewState, context: Context): MarkedId | undefined {
  const { own, selected } = overviewPage(state, context);
  const line = own.find(({ id }) => id === selected);
  const target = selectedTarget(state, context);
  const entity = target.kind === 'record' ? MARKED_IN.get(target.resource) : undefined;
  const about = line?.about ?? (target.kind === 'record' && entity && { entity, id: target.key });
  return about ? { ...about, isMine: !isMine(context.shared.directory, about.entity, about.id) } : undefined;
}

/** Lists whose keys are ids that can be the user's. */
const MARKED_IN: ReadonlyMap<string, MineEntity> = new Map([
  ['validators', 'node'],
  ['markets', 'market'],
]);

function noReload({ asking }: OverviewState, { shared: { node } }: Context): string | undefined {
  const waitMs = node.blockedUntilMs - node.nowMs;
  if (waitMs > 0) return `rate limited by the node: ${Math.ceil(waitMs / 1000)} s to wait`;
  return asking === null || asking.kind === 'part' ? undefined : 'it is loading already';
}

function effects(state: OverviewState, shared: SharedState): readonly Effect<OverviewEvent>[] {
  const { isWanted, asking } = state;
  if (!isWanted || shared.node.status !== 'ready') return [];
  const stored = readingStored(state, shared);
  if (asking === null)
    return [
      ...stored,
      ...(shared.tab === 'overview' ? [nextMinute(state.minutes)] : []),
      ...(isMarkedAnew(state, shared) ? [judging(state, shared)] : []),
    ];
  const patience = asking.kind === 'first' && asking.isEarly ? [PATIENCE] : [];
  // A slow answer puts the next question off no further.
  const minute = asking.kind === 'part' && shared.tab === 'overview' ? [nextMinute(state.minutes)] : [];
  return [loadEffect(state, asking.kind, shared), ...minute, ...patience, ...stored];
}

/** Once the chain is known. A file that cannot be read is for `blockglass record check` to report. */
function readingStored(
  { isChangedOld }: OverviewState,
  { node: { chainId } }: SharedState,
): readonly Effect<OverviewEvent>[] {
  if (!isChangedOld || chainId === null || chainId === '') return [];
  return [
    {
      key: `stored ${chainId}`,
      run: async world => [{ type: 'changes-read', changed: await world.recentChanges(chainId) }],
      failed: () => [{ type: 'changes-read', changed: null }],
      isBackground: true,
    },
  ];
}

const loadEffect = (
  { requestId, answers, mine }: OverviewState,
  kind: NonNullable<OverviewState['asking']>['kind'],
  { node: { chainId }, preferences }: SharedState,
): Effect<OverviewEvent> => ({
  key: `ask ${requestId}`,
  run: async (world, signal, report) => {
    const { loadOverview } = await import('./load-overview.ts');
    const busy = await loadOverview({
      ...{ client: world.node().client(), signal, nowMs: world.nowMs, chainId, preferences, answers, mine },
      part: kind === 'part' ? 'next' : 'all',
      readMine: async chain => {
        const read = await world.readMine(chain);
        report({ type: 'mine-read', chainId: chain, ...read });
        return read.mine;
      },
      onAnswer: known => report({ type: 'answered', ...known }),
    });
    return [{ type: 'complete', busy }];
  },
  failed: () => [{ type: 'complete', busy: 0 }],
  // The minute's request is as quiet as the check of the node.
  isBackground: kind === 'part',
});

/** A record was marked as the user's, or was unmarked. */
const isMarkedAnew = ({ overview, marked }: OverviewState, { directory }: SharedState): boolean =>
  overview !== null && directory.mine !== undefined && directory.mine !== marked;

const judging = (
  { answers, minutes }: OverviewState,
  { node: { chainId }, preferences, directory: { mine } }: SharedState,
): Effect<OverviewEvent> => ({
  key: `judge ${minutes}`,
  run: async world => {
    const { assessAnswers } = await import('./load-overview.ts');
    return [{ type: 'marked', ...assessAnswers({ answers, chainId, preferences, nowMs: world.nowMs(), mine }) }];
  },
  failed: () => [],
});

/** So long warnings wait for worse findings. */
const PATIENCE_MS = 6000;

const PATIENCE: Effect<OverviewEvent> = {
  key: 'patience',
  run: async (world, signal) => {
    await world.wait(PATIENCE_MS, signal);
    return [{ type: 'patience-ended' }];
  },
  failed: () => [],
  isBackground: true,
};

const nextMinute = (minutes: number): Effect<OverviewEvent> => ({
  key: `minute ${minutes}`,
  run: async (world, signal) => {
    await world.wait(MINUTE_MS, signal);
    return [{ type: 'minute-passed', nowMs: world.nowMs() }];
  },
  failed: () => [],
  isBackground: true,
});

/** Where the selected line leads. */
function selectedTarget(state: OverviewState, context: Context): FactLead {
  const { facts, findings, own, selected } = overviewPage(state, context);
  const finding = findings.find(({ id }) => id === selected);
  const line = [...facts, ...own].find(({ id }) => id === selected);
  return finding === undefined ? (line?.lead ?? { kind: 'text' }) : findingTarget(finding, state);
}

function openTargetMessages(state: OverviewState, context: Context): readonly Message[] {
  const target = selectedTarget(state, context);
  switch (target.kind) {
    case 'record': {
      const { resource, key, filters } = target;
      const { node } = context.shared;
      // A finding belongs to the newest answers. A node that does not answer shows its last data.
      const asOfMs = node.contact.silentSinceMs === null ? answeredAtMs(state) : null;
      return [
        {
          type: 'go-to-key',
          ...{ resource, key },
          ...(filters !== undefined && { filters }),
          ...(asOfMs !== null && { asOfMs }),
        },
      ];
    }
    case 'list':
      return [{ type: 'go-to', goal: target.goal }];
    case 'tab':
      return [{ type: 'visit-tab', tab: target.tab }];
    case 'nodes':
      return [open('nodes', null)];
    case 'changes':
      return [open('changes', null)];
    case 'text':
      return [open('value', { title: 'overview', text: selectedSentence(state, context) })];
  }
}

function copies(state: OverviewState, context: Context): readonly CopyItem[] {
  const { findings, selected } = overviewPage(state, context);
  const key = findings.find(({ id }) => id === selected)?.key ?? null;
  return [
    copyText('line', selectedSentence(state, context)),
    ...(key === null ? [] : [copyText('key', key)]),
    copyText('command', overviewCommandText(context.shared.node)),
  ];
}
