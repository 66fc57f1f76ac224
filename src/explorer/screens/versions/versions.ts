import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { minuteText, secondText } from '../../../base/text/time.ts';
import { truncateMiddle, wrapWords } from '../../../base/text/width.ts';
import { printJson } from '../../../chain/api/json.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { type DisplayedMember, displayMembers } from '../../../memory/diff/describe-change.ts';
import { BLANK, line, type ScreenRow, span, textLine, toScreenRows } from '../../core/line.ts';
import { listScreen, wholeHeight, wholeLines } from '../../core/list.ts';
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
  type SharedState,
} from '../../core/screen.ts';
import { fitTable, GAPS, type ListColumn, tableHead, tableRow } from '../../core/table.ts';
import { open, type VersionsOpening } from '../../openings.ts';
import type { FoundVersions, RecordVersion } from '../../services/changes/changes.ts';
import { recordCommandText } from '../../services/copying/equal-commands.ts';
import { saveableScreen } from '../../services/copying/saveable.ts';
import { errorMessage } from '../../services/failure.ts';

interface VersionsState {
  readonly opening: VersionsOpening;
  readonly answer: FoundVersions | { readonly kind: 'reading' } | { readonly kind: 'failed'; readonly problem: string };
  readonly row: number;
  readonly top: number;
}

type VersionsEvent =
  | { readonly type: 'show' }
  | { readonly type: 'arrived'; readonly answer: FoundVersions }
  | { readonly type: 'failed'; readonly problem: string };

export const versionsScreen: ListScreen<VersionsState, VersionsEvent, VersionsOpening> = {
  title: 'the versions',
  needs: 'snapshots',
  isOverlay: false,
  description: 'Versions of a record in stored snapshots',
  open: opening => ({ opening, answer: { kind: 'reading' }, row: 0, top: 0 }),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'show' }, title: 'show the whole version', group: 'Record', footer: 'details', disabledReason: state => (versionLines(state).length === 0 ? 'no version to show' : undefined) },
    COPY_KEY,
    SAVE_KEY,
  ],
  ...listScreen<VersionsState>({ count: state => versionLines(state).length, height: wholeHeight }),
  handlers: {
    show: state => ({ state, messages: whole(state) }),
    arrived: (state, { answer }) => ({ state: { ...state, answer } }),
    failed: (state, { problem }) => ({ state: { ...state, answer: { kind: 'failed', problem } } }),
  },
  effects,
  waits: ({ answer }) =>
    answer.kind === 'reading' ? { key: 'versions', text: 'reading the snapshots', hint: 'Esc stops' } : undefined,
  around: {
    head: ({ opening: { resource, title } }) => [ruleTitle('Versions'), textLine(`${resource} ${title}`, 'quiet')],
    place: state => {
      const { answer } = state;
      return answer.kind === 'found'
        ? `${countOf(versionLines(state).length, 'change')} in ${countOf(answer.snapshots, 'snapshot')}`
        : '';
    },
  },
  body: drawVersions,
  output: {
    copies,
    file: {
      saves: ({ answer }) => (answer.kind === 'found' ? saveableScreen('the versions') : 'no version was found'),
      name: ({ opening: { resource } }) => ({ parts: ['versions', resource] }),
    },
  },
};

function effects({ opening, answer }: VersionsState, { node }: SharedState): readonly Effect<VersionsEvent>[] {
  const { chainId } = node;
  if (answer.kind !== 'reading' || chainId === null) return [];
  const { resource, key, scope } = opening;
  return [
    {
      key: 'versions',
      run: async world => {
        const query = { resource, key, scope, recordCommand: recordCommandText(node) };
        return [{ type: 'arrived', answer: await world.versions(chainId, query) }];
      },
      failed: error => [{ type: 'failed', problem: errorMessage(error) }],
    },
  ];
}

interface VersionLine extends DisplayedMember {
  readonly version: RecordVersion;
  /** No older snapshot has it. */
  readonly isFirst: boolean;
}

/** Newest first; a line for each member that changed. */
function versionLines({ answer }: Pick<VersionsState, 'answer'>): readonly VersionLine[] {
  if (answer.kind !== 'found') return [];
  const { versions, shown } = answer;
  return versions.flatMap((version, index) =>
    displayMembers(version.change, shown).map(member => ({
      ...member,
      version,
      isFirst: index === versions.length - 1,
    })),
  );
}

function whole(state: VersionsState): readonly Message[] {
  const version = versionLines(state)[state.row]?.version;
  if (version === undefined) return [];
  const { change, snapshot, takenMs } = version;
  const head = `snapshot ${snapshot}, ${minuteText(takenMs)}: ${change.change}`;
  const record = change.after ?? change.before;
  return [open('value', { title: 'version', text: `${head}\n\n${record === null ? '' : printJson(record, 2)}` })];
}

function copies(state: VersionsState): readonly CopyItem[] {
  const line = versionLines(state)[state.row];
  if (line === undefined) return [copyText('key', state.opening.key)];
  const record = line.version.change.after ?? line.version.change.before;
  return [
    copyText('line', `${minuteText(line.version.takenMs)} ${line.path} ${changeWords(line)}`),
    ...(record === null ? [] : [copyText('record of this version', printJson(record))]),
    copyText('key', state.opening.key),
  ];
}

function changeWords({ version: { change }, isFirst, from, to }: VersionLine): string {
  const seen = isFirst ? 'first seen' : 'there again';
  switch (change.change) {
    case 'added':
      return to === '' ? seen : `${seen}: ${to}`;
    case 'removed':
      return 'gone';
    case 'only-in-a':
      return 'not there yet: the node is older than the previous snapshot';
    case 'only-in-b':
      return seen;
    case 'changed':
      return `${from} -> ${to}`;
  }
}

function drawVersions(state: VersionsState, context: ScreenContext): readonly ScreenRow[] {
  const { answer } = state;
  const { columns } = context.area;
  if (answer.kind === 'reading') return toScreenRows([BLANK, textLine('  reading the snapshots ...', 'quiet')]);
  if (answer.kind !== 'found') {
    const text = answer.kind === 'none' ? answer.why : answer.problem;
    const words = wrapWords(sanitize(text), Math.max(10, columns - 4));
    return toScreenRows([
      BLANK,
      ...words.map(part => [span(safeText`  ${part}`, answer.kind === 'none' ? 'plain' : 'bad')]),
    ]);
  }
  const table = fitTable(COLUMNS, columns, { ...GAPS, gap: 1 });
  const lines = wholeLines(versionLines(state), state, context, {
    draw: (version, isSelected) => tableRow(table, version, isSelected),
    sentence: version => `${version.path} ${changeWords(version)}`.trim(),
  });
  return toScreenRows([tableHead(table, columns), ...lines]);
}

const COLUMNS: readonly ListColumn<VersionLine>[] = [
  {
    title: 'SINCE (UTC)',
    cells: 16,
    isName: true,
    cell: ({ version }) => textLine(secondText(version.takenMs).slice(0, 16)),
  },
  {
    ...{ title: 'MEMBER', cells: 20, yields: 1, isName: true },
    cell: ({ path }, cells) => line(truncateMiddle(sanitize(path), cells)),
  },
  {
    ...{ title: 'CHANGE', cells: 'rest', least: 20 },
    cell: version => textLine(changeWords(version), version.version.change.change === 'removed' ? 'bad' : 'plain'),
  },
];
