import { DAY_MS } from '../../../base/text/time.ts';
import { type JsonObject, jsonText, printJson } from '../../../chain/api/json.ts';
import { RESOURCES } from '../../../chain/resources/registry.ts';
import { displayMembers } from '../../../memory/diff/describe-change.ts';
import { listScreen, wholeHeight } from '../../core/list.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type ListScreen,
  type Message,
  SAVE_KEY,
  type ScreenContext,
  type SharedState,
} from '../../core/screen.ts';
import { open } from '../../openings.ts';
import type { FoundChanges } from '../../services/changes/changes.ts';
import { nodeCommandText, recordCommandText } from '../../services/copying/equal-commands.ts';
import { saveableScreen } from '../../services/copying/saveable.ts';
import { errorMessage } from '../../services/failure.ts';
import { type ChangesState, changeLines, changeSentence } from './state.ts';
import { changesHead, changesPosition, comparedNotes, drawChanges, unreachableReason } from './view.ts';

type ChangesEvent =
  | { readonly type: 'show' | 'go' | 'toggle-all' | 'again' }
  | { readonly type: 'reading'; readonly list: string }
  | { readonly type: 'arrived'; readonly answer: FoundChanges }
  | { readonly type: 'failed'; readonly problem: string };

export const changesScreen: ListScreen<ChangesState, ChangesEvent, null> = {
  title: 'the changes',
  needs: 'snapshots',
  isOverlay: false,
  description: 'Changes on the chain since the last snapshot of yesterday',
  open: () => newChangesRequest(false, 1),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'show' }, title: 'show the whole change', group: 'Record', footer: 'details', disabledReason: noLine },
    { keys: ['g'], event: { type: 'go' }, title: 'go to the record', group: 'Record', footer: 'go to', disabledReason: noRecord },
    { keys: ['a'], event: { type: 'toggle-all' }, title: 'also frequent changes, such as scores', group: 'Look', footer: 'all', disabledReason: stillReading },
    { keys: ['r'], event: { type: 'again' }, title: 'compare again', group: 'Pages', disabledReason: stillReading },
    COPY_KEY,
    SAVE_KEY,
  ],
  needsNode: true,
  ...listScreen<ChangesState>({ count: state => state.lines.length, height: wholeHeight }),
  handlers: {
    show: state => ({ state, messages: fullChangeMessages(state) }),
    go: state => ({ state, messages: openRecordMessages(state) }),
    'toggle-all': state => ({ state: newChangesRequest(!state.isAll, state.attempt + 1) }),
    again: state => ({ state: newChangesRequest(state.isAll, state.attempt + 1) }),
    reading: (state, { list }) => ({
      state: state.answer.kind === 'asking' ? { ...state, answer: { kind: 'asking', list } } : state,
    }),
    arrived: (state, { answer }) => ({ state: { ...state, answer, lines: changeLines(answer) } }),
    failed: (state, { problem }) => ({ state: { ...state, answer: { kind: 'failed', problem } } }),
  },
  effects,
  around: {
    head: changesHead,
    place: changesPosition,
  },
  body: drawChanges,
  waits: ({ answer }, { shared: { node } }) =>
    answer.kind === 'asking' && unreachableReason(node).length === 0
      ? { key: 'changes', text: 'reading every list of the node', hint: 'Esc stops' }
      : undefined,
  output: {
    copies,
    file: {
      saves: state => (state.answer.kind === 'found' ? saveableScreen('the changes') : 'nothing was compared yet'),
      name: () => ({ parts: ['changes'] }),
    },
  },
};

const newChangesRequest = (isAll: boolean, attempt: number): ChangesState => ({
  ...{ isAll, attempt, row: 0, top: 0 },
  answer: { kind: 'asking', list: '' },
  lines: [],
});

function effects({ answer, attempt, isAll }: ChangesState, { node }: SharedState): readonly Effect<ChangesEvent>[] {
  const { status, chainId } = node;
  if (answer.kind !== 'asking' || status !== 'ready' || chainId === null) return [];
  return [
    {
      key: `changes ${attempt}`,
      run: async (world, signal, report) => {
        const nowMs = world.nowMs();
        const query = {
          chainId,
          isAll,
          nowMs,
          recordCommand: recordCommandText(node),
          sinceMs: nowMs - (nowMs % DAY_MS) - 1,
        };
        return [
          { type: 'arrived', answer: await world.changes(query, list => report({ type: 'reading', list }), signal) },
        ];
      },
      failed: error => [{ type: 'failed', problem: errorMessage(error) }],
    },
  ];
}

/** The change of the selected line in full, and the records that were not compared. */
function fullChangeMessages(state: ChangesState): readonly Message[] {
  const line = state.lines[state.row];
  if (line === undefined || state.answer.kind !== 'found') return [];
  const { resource, key, change, members } = line.change;
  const words = change === 'changed' ? displayMembers(line.change, state.answer.shown) : [];
  const lines = (path: string, from: string, to: string) => ['', path, `  from ${from}`, `  to   ${to}`];
  const text = [
    `${resource} ${key}: ${change}`,
    ...words.flatMap(({ path, from, to }) => lines(path, from, to)),
    ...['', ...comparedNotes(state.answer, ' (a compares them)')],
    ...['', 'As sent'],
    ...members.flatMap(({ path, from, to }) => lines(path, printJson(from), printJson(to))),
  ];
  return [open('value', { title: 'change', text: text.join('\n') })];
}

/** For a record that exists now, in a list that has a tab. */
function openRecordMessages(state: ChangesState): readonly Message[] {
  const line = state.lines[state.row];
  if (line === undefined || noRecord(state) !== undefined) return [];
  const { resource, key, after } = line.change;
  const filters = filtersForRecord(resource, after);
  return [{ type: 'go-to-key', resource, key, ...(filters !== undefined && { filters }) }];
}

/** Nodes list provisions by market, and fees by epoch. */
function filtersForRecord(resource: string, record: JsonObject | null) {
  if (record === null) return undefined;
  if (resource === 'fees') return { epochSeq: [jsonText(record.epochSeq)] };
  if (resource !== 'provisions') return undefined;
  return { marketId: [jsonText(record.marketId)], live: ['true'] };
}

function copies(state: ChangesState, { shared: { node } }: ScreenContext): readonly CopyItem[] {
  const line = state.lines[state.row];
  const since = state.answer.kind === 'found' ? state.answer.before.snapshot : 'yesterday';
  const command = copyText('command', nodeCommandText(node, `diff ${since}`, state.isAll ? ['--all'] : []));
  return line === undefined
    ? [command]
    : [copyText('line', changeSentence(line)), copyText('key', line.change.key), command];
}

function stillReading({ answer }: ChangesState): string | undefined {
  return answer.kind === 'asking' ? 'the node is being read' : undefined;
}

function noLine(state: ChangesState): string | undefined {
  const { answer } = state;
  if (answer.kind === 'found' && answer.found.compared > 0)
    return state.lines.length === 0 ? 'nothing has changed here' : undefined;
  return stillReading(state) ?? 'nothing was compared';
}

function noRecord(state: ChangesState): string | undefined {
  const change = state.lines[state.row]?.change;
  if (change === undefined) return noLine(state);
  if (change.after === null) return 'the record is no longer there';
  return RESOURCES.some(({ id }) => id === change.resource) ? undefined : 'this list has no tab';
}
