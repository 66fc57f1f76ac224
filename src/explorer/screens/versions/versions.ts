import { printJson } from '../../../api/json.ts';
import { type ShownMember, shownMembers } from '../../../diff/change-words.ts';
import { countOf } from '../../../insight/count-of.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { fitCells, truncateMiddle, wrapWords } from '../../../text/width.ts';
import { asRows, BLANK, headLine, type Line, type ScreenRow, span, textLine } from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import { moved } from '../../core/moving.ts';
import type { Effect } from '../../core/runner.ts';
import {
  type Area,
  COPY_KEY,
  type CopyItem,
  copyText,
  type Message,
  SAVE_KEY,
  type Screen,
  type ScreenContext,
  type Shared,
  type Step,
} from '../../core/screen.ts';
import { select } from '../../core/window.ts';
import { open, type VersionsOpening } from '../../openings.ts';
import type { FoundVersions, RecordVersion } from '../../services/changes/changes.ts';
import { recordCommand } from '../../services/copying/equal-commands.ts';
import { messageOf } from '../../services/failure.ts';

export interface VersionsState {
  readonly opening: VersionsOpening;
  readonly answer: FoundVersions | { readonly kind: 'reading' } | { readonly kind: 'failed'; readonly problem: string };
  readonly row: number;
  readonly top: number;
}

type VersionsEvent =
  | { readonly type: 'show' }
  | { readonly type: 'arrived'; readonly answer: FoundVersions }
  | { readonly type: 'failed'; readonly problem: string };

export const versionsScreen: Screen<VersionsState, VersionsEvent, VersionsOpening> = {
  title: 'the versions',
  needs: 'snapshots',
  description: 'What a record was in the snapshots that blockglass record has stored',
  open: opening => ({ opening, answer: { kind: 'reading' }, row: 0, top: 0 }),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'show' }, title: 'all of this version', group: 'Record', footer: 'whole', disabledReason: state => (linesOf(state).length === 0 ? 'there is no version to show' : undefined) },
    COPY_KEY,
    SAVE_KEY,
  ],
  move: (state, move, { area }) => ({ ...state, ...moved(state, move, linesOf(state).length, heightOf(area)) }),
  update,
  settle: (state, { area }) => {
    const { row, top } = select(state, state.row, linesOf(state).length, heightOf(area));
    return row === state.row && top === state.top ? state : { ...state, row, top };
  },
  effects,
  head: ({ opening: { resource, title } }) => [
    span(safeText` versions  `, 'strong'),
    span(sanitize(`${resource} ${title}`), 'quiet'),
  ],
  body: drawVersions,
  place: state => {
    const { answer } = state;
    return answer.kind === 'found'
      ? `${countOf(linesOf(state).length, 'change')} in ${countOf(answer.snapshots, 'snapshot')}`
      : '';
  },
  copies,
  saves: ({ answer }) =>
    answer.kind === 'found'
      ? { what: 'the versions', endings: ['txt'], content: () => ({ kind: 'screen' }) }
      : 'no version was found',
  fileName: ({ opening: { resource } }) => ({ parts: ['versions', resource] }),
};

function effects({ opening, answer }: VersionsState, { node }: Shared): readonly Effect<VersionsEvent>[] {
  const { chainId } = node;
  if (answer.kind !== 'reading' || chainId === null) return [];
  const { resource, key, scope } = opening;
  return [
    {
      key: 'versions',
      run: async world => {
        const query = { resource, key, scope, recordCommand: recordCommand(node) };
        return [{ type: 'arrived', answer: await world.versions(chainId, query) }];
      },
      failed: error => [{ type: 'failed', problem: messageOf(error) }],
    },
  ];
}

function update(state: VersionsState, event: VersionsEvent): Step<VersionsState> {
  switch (event.type) {
    case 'show':
      return { state, messages: whole(state) };
    case 'arrived':
      return { state: { ...state, answer: event.answer } };
    case 'failed':
      return { state: { ...state, answer: { kind: 'failed', problem: event.problem } } };
  }
}

interface VersionLine extends ShownMember {
  readonly version: RecordVersion;
  /** No older snapshot has it. */
  readonly isFirst: boolean;
}

/** Newest first; a line for each member that changed. */
function linesOf({ answer }: Pick<VersionsState, 'answer'>): readonly VersionLine[] {
  if (answer.kind !== 'found') return [];
  const { versions, shown } = answer;
  return versions.flatMap((version, index) =>
    shownMembers(version.change, shown).map(member => ({ ...member, version, isFirst: index === versions.length - 1 })),
  );
}

function whole(state: VersionsState): readonly Message[] {
  const version = linesOf(state)[state.row]?.version;
  if (version === undefined) return [];
  const { change, snapshot, takenMs } = version;
  const head = `snapshot ${snapshot}, ${timeOf(takenMs)} UTC: ${change.change}`;
  const record = change.after ?? change.before;
  return [open('value', { title: 'version', text: `${head}\n\n${record === null ? '' : printJson(record, 2)}` })];
}

function copies(state: VersionsState): readonly CopyItem[] {
  const line = linesOf(state)[state.row];
  if (line === undefined) return [copyText('key', state.opening.key)];
  const record = line.version.change.after ?? line.version.change.before;
  return [
    copyText('line', `${timeOf(line.version.takenMs)} UTC ${line.path} ${wordsOf(line)}`),
    ...(record === null ? [] : [copyText('record of this version', printJson(record))]),
    copyText('key', state.opening.key),
  ];
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

function wordsOf({ version: { change }, isFirst, from, to }: VersionLine): string {
  const seen = isFirst ? 'first seen' : 'there again';
  switch (change.change) {
    case 'added':
      return to === '' ? seen : `${seen}: ${to}`;
    case 'removed':
      return 'gone';
    case 'only-in-a':
      return 'not there yet: the node is behind the snapshot before';
    case 'only-in-b':
      return seen;
    case 'changed':
      return `${from} -> ${to}`;
  }
}

const WHOLE_ROWS = 2;
const MEMBER_CELLS = 20;

const heightOf = ({ rows }: Area): number => Math.max(1, rows - 1 - WHOLE_ROWS);

function drawVersions(state: VersionsState, { area, shared }: ScreenContext): readonly ScreenRow[] {
  const { answer, row, top } = state;
  const { columns } = area;
  if (answer.kind === 'reading') return asRows([BLANK, textLine('  reading the snapshots ...', 'quiet')]);
  if (answer.kind !== 'found') {
    const text = answer.kind === 'none' ? answer.why : answer.problem;
    const words = wrapWords(sanitize(text), Math.max(10, columns - 4));
    return asRows([BLANK, ...words.map(part => [span(safeText`  ${part}`, answer.kind === 'none' ? 'plain' : 'bad')])]);
  }
  const all = linesOf(state);
  const isWide = columns >= 60;
  const drawn = (time: string, member: string) => {
    const path = fitCells(truncateMiddle(sanitize(member), MEMBER_CELLS), MEMBER_CELLS);
    return isWide ? safeText`${fitCells(sanitize(time), 16)} ${path} ` : safeText`${fitCells(sanitize(time), 16)} `;
  };
  const lines = all.slice(top, top + heightOf(area)).map((line, index): Line => {
    const isSelected = top + index === row;
    const text: Line = [
      span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
      span(drawn(timeOf(line.version.takenMs), line.path), isSelected ? 'selected' : 'plain'),
      span(sanitize(wordsOf(line)), line.version.change.change === 'removed' ? 'bad' : 'plain'),
    ];
    return isSelected ? selectedLine(text, columns, shared) : text;
  });
  const selected = all[row];
  const sentence = selected === undefined ? '' : `${selected.path} ${wordsOf(selected)}`.trim();
  return asRows([
    headLine(
      [span(safeText`  `), span(drawn('SINCE (UTC)', 'MEMBER'), 'quiet'), span(safeText`CHANGE`, 'quiet')],
      columns,
    ),
    ...lines,
    ...Array.from({ length: Math.max(0, heightOf(area) - lines.length) }, () => BLANK),
    ...wrapWords(sanitize(sentence), Math.max(10, columns - 2))
      .slice(0, WHOLE_ROWS)
      .map(words => [span(safeText` ${words}`, 'quiet')]),
  ]);
}
