import type { PartyAnswers, ReportFigure, ReportSection } from '../../../answers/report/index.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { nameOrEnds } from '../../../chain/directory/directory.ts';
import { BLANK, type Line, line, type ScreenRow, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText } from '../../core/list.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext, SharedState } from '../../core/screen.ts';
import { fitTable, GAPS, type ListColumn, tableRow } from '../../core/table.ts';
import { wrapLine } from '../../core/wrapped-lines.ts';
import { type Earned, inRange, missingTables, noFetch, offeredFetch } from './state.ts';

export function drawEarned(earned: Earned, context: ScreenContext): readonly ScreenRow[] {
  const { rows } = context.area;
  return toScreenRows(earnedLines(earned, context).slice(earned.top, earned.top + rows));
}

/** All lines: rows to fetch first, then the answers. */
export function earnedLines(earned: Earned, { area: { columns }, shared }: ScreenContext): readonly Line[] {
  const { answers } = earned;
  const offer = offerLines(earned, shared).flatMap(line => wrapLine(line, columns));
  switch (answers.status) {
    case 'none':
      return [...noAnswerLines(shared).flatMap(line => wrapLine(line, columns)), ...offer];
    case 'asking':
      return [...offer, textLine(` ${answers.step || 'reading the history on disk'} ...`, 'quiet')];
    case 'failed':
      return [...offer, BLANK, ...wrapLine(textLine(` ${answers.problem}`, 'bad'), columns)];
    case 'known':
      return [...offer, ...knownLines(answers.answers, columns)];
  }
}

function noAnswerLines({ chainHistory: { stored } }: SharedState): readonly Line[] {
  if (stored === null) return [textLine(' reading the files on disk ...', 'quiet')];
  if (!stored.hasEngine)
    return [
      textLine(' Answers need DuckDB, which is not installed', 'strong'),
      textLine(' npm install -g @duckdb/node-api'),
    ];
  return [textLine(' Nothing is on disk yet', 'strong')];
}

function offerLines(earned: Earned, shared: SharedState): readonly Line[] {
  const missing = missingTables(shared);
  const offered = offeredFetch(earned);
  if (offered !== undefined) {
    const what = `${missing.length === 0 ? 'blocks that the node has' : missing.join(', ')}${inRange(earned)}`;
    return [textLine(` not on disk: ${what}; F fetches it: ${offered}`, 'pending')];
  }
  if (missing.length === 0) return [];
  return [textLine(` not on disk: ${missing.join(', ')}; ${noFetch(earned, shared) ?? ''}`, 'pending')];
}

function knownLines({ covered, warnings, sections }: PartyAnswers, columns: number): readonly Line[] {
  const byBlocks = Map.groupBy(covered, ({ fromBlock, toBlock }) => `${fromBlock ?? '?'}-${toBlock ?? '?'}`);
  const onDisk = [...byBlocks].map(([blocks, tables]) =>
    textLine(` on disk: ${tables.map(({ table }) => table).join(', ')}; blocks ${blocks}${timesText(tables)}`, 'quiet'),
  );
  const asked = sections.flatMap(({ notes }) => notes.find(isRangeNote) ?? []).slice(0, 1);
  return [
    ...asked.flatMap(note => wrapLine(textLine(` ${note}`, 'accent'), columns)),
    ...onDisk.flatMap(line => wrapLine(line, columns)),
    ...warnings.flatMap(text => wrapLine(textLine(` ${text}`, 'pending'), columns)),
    ...sections.flatMap(section => [BLANK, ...sectionLines(section, columns)]),
  ];
}

/** The requested range with its ends, which every section has. */
const isRangeNote = (note: string): boolean => note.startsWith('range: ');

/** From the first row to the last. */
function timesText(tables: PartyAnswers['covered']): string {
  const first = tables.flatMap(({ firstTime }) => firstTime ?? []).toSorted()[0];
  const last = tables
    .flatMap(({ lastTime }) => lastTime ?? [])
    .toSorted()
    .at(-1);
  const short = (time: string): string => time.slice(0, 16).replace('T', ' ');
  return first === undefined || last === undefined ? ', no rows' : `, rows of ${short(first)} to ${short(last)} UTC`;
}

/** The names of the questions, as people come with them. */
const TITLES: { readonly [id in ReportSection['id']]: string } = {
  money: 'Received and sent',
  fees: 'Fees',
  rewards: 'Rewards',
  trades: 'Trades',
  balances: 'Balance',
};

function sectionLines({ id, figures, notes, gap }: ReportSection, columns: number): readonly Line[] {
  const title = textLine(` ${TITLES[id]}`, 'strong');
  if (gap !== null) return [title, ...wrapLine(textLine(`   ${gap.why}`, 'pending'), columns)];
  const shown = figures.filter(({ isDetail }) => !isDetail);
  const tables = shown.filter(({ rows }) => rows.length > 0);
  const body = tables.flatMap(figure => figureLines(figure, { columns, isTitled: tables.length > 1 }));
  return [
    title,
    ...(body.length === 0 ? [textLine('   nothing in this range', 'quiet')] : body),
    ...notes.filter(note => !isRangeNote(note)).flatMap(note => wrapLine(textLine(`   ${note}`, 'quiet'), columns)),
  ];
}

function figureLines(
  { title, columns: heads, rows }: ReportFigure,
  { columns, isTitled }: { readonly columns: number; readonly isTitled: boolean },
): readonly Line[] {
  const table = fitTable(
    heads.map((head, at): ListColumn<readonly string[]> => {
      const texts = [head.title, ...rows.map(row => row[at] ?? '')];
      const cells = Math.max(...texts.map(text => widthCells(sanitize(text))));
      const cut = head.align === 'left' ? truncateMiddle : truncateEnd;
      return {
        ...{ title: head.title, align: head.align, cells },
        least: Math.min(cells, head.align === 'left' ? MIN_TEXT_CELLS : MIN_FIGURE_CELLS),
        cell: (row, width) => line(cut(sanitize(row[at] ?? ''), width)),
      };
    }),
    columns,
    { ...GAPS, margin: MARGIN },
  );
  const drawn = (row: readonly string[]): Line => [...textLine(' '.repeat(MARGIN - 1)), ...tableRow(table, row)];
  return [
    ...(isTitled ? [textLine(`   ${title}`, 'quiet')] : []),
    drawn(heads.map(head => head.title)).map(part => ({ ...part, style: 'quiet' as const })),
    ...rows.map(drawn),
  ];
}

const MARGIN = 3;
const MIN_TEXT_CELLS = 6;
/** Digits, of which the last one shown is marked as not the last. */
const MIN_FIGURE_CELLS = 12;

/** Whose it is, and the range. */
export function earnedHead({ party, range }: Earned, { shared, area }: ScreenContext): RuleParts {
  const whose: Line = [
    ...textLine('party ', 'quiet'),
    span(nameOrEnds(shared.directory, 'party', party, 12), 'accent'),
  ];
  const which: Line = [...textLine('range ', 'quiet'), ...textLine(range === 'all' ? 'all on disk' : range, 'accent')];
  return fittingParts(
    [
      [ruleTitle('What it earned'), whose, which],
      [whose, which],
    ],
    area.columns,
  );
}

export function earnedPlace(earned: Earned, context: ScreenContext): string {
  const count = earnedLines(earned, context).length;
  return count <= context.area.rows ? '' : linesRangeText(earned, count, context.area.rows);
}
