import { joinWithAnd } from '../../base/text/join-words.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import type { MissingTime } from '../index.ts';
import type { Coverage, PartyReport, ReportArchive, ReportAudit, ReportFigure } from './report.ts';

/** What the page is about, a name and its values a line. */
export function aboutLines({ party, partyName, chainId, asset, asked, covered, audit, made, program }: PartyReport) {
  return [
    { name: 'Party', values: [...(partyName === null ? [] : [partyName]), party] },
    { name: 'Chain', values: [chainId || 'not known'] },
    ...(asset === null ? [] : [{ name: 'Asset', values: [`only ${asset}`] }]),
    { name: 'Requested', values: [asked] },
    { name: 'Covered', values: coverageTexts(covered) },
    { name: 'Audit', values: [verdictText(audit)] },
    { name: 'Generated', values: [`${timeText(made)} UTC by ${program}`] },
  ];
}

/** A line for each range of blocks, with its tables: most exports of a report have the same blocks. */
function coverageTexts(covered: readonly Coverage[]): readonly string[] {
  const byBlocks = Map.groupBy(covered, ({ fromBlock, toBlock }) => `blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}`);
  return [...byBlocks].map(([blocks, tables]) => {
    const rows = tables.map(each => `${each.table} ${countText(BigInt(each.rows))}`);
    return `${blocks}${rowTimesText(tables)}; rows: ${rows.join(', ')}`;
  });
}

/** `, 2026-10-01 12:00:00 to 2026-10-02 12:00:00 UTC`: the first and the last row of these tables. */
function rowTimesText(tables: readonly Coverage[]): string {
  const first = tables.flatMap(({ firstTime }) => firstTime ?? []).toSorted()[0];
  const last = tables
    .flatMap(({ lastTime }) => lastTime ?? [])
    .toSorted()
    .at(-1);
  return first === undefined || last === undefined ? '' : `, ${timeText(first)} to ${timeText(last)} UTC`;
}

/** `2026-10-01 12:00:00` of an ISO time. */
const timeText = (iso: string): string => iso.replace('T', ' ').slice(0, 19);

/** The result of the checks that the tables allow, in a few words. Values worth a look never change the verdict. */
function verdictText(audit: ReportAudit): string {
  if (audit.kind === 'not-made') return 'not made';
  const verdict = partialVerdictText(audit);
  const total = audit.looks.reduce((sum, look) => sum + look.total, 0);
  if (total === 0) return verdict;
  const where = audit.looks.map(({ name }) => name).join(', ');
  return `${verdict}; ${countOf(total, 'difference')} ${total === 1 ? 'is' : 'are'} worth a look (${where})`;
}

type CompletedAudit = Extract<ReportAudit, { kind: 'made' }>;

/** The verdict; without some tables, how many of the checks that could be made agree. */
function partialVerdictText({ verdict, agreeing, reason, ...tables }: CompletedAudit): string {
  if (verdict !== 'cannot-be-judged') return VERDICTS[verdict];
  const lacking = missingTablesText(tables);
  if (agreeing === 0 || lacking === '') return `nothing could be compared: ${lacking === '' ? reason : lacking}`;
  return `${countOf(agreeing, 'check')} ${agreeing === 1 ? 'agrees' : 'agree'}; ${lacking}`;
}

/** `deposits and withdrawals were not given` */
const missingTablesText = ({ notGiven, otherBlocks }: Pick<CompletedAudit, 'notGiven' | 'otherBlocks'>): string =>
  [
    ...(notGiven.length === 0 ? [] : [`${joinWithAnd(notGiven)} ${wasOrWere(notGiven)} not given`]),
    ...(otherBlocks.length === 0 ? [] : [`${joinWithAnd(otherBlocks)} ${wasOrWere(otherBlocks)} of other blocks`]),
  ].join(', and ');

/** The names of most tables are plural words. */
const wasOrWere = (tables: readonly string[]): string =>
  tables.length === 1 && tables[0] === 'ledger' ? 'was' : 'were';

/** What the files lack of the requested range, tables with the same end in one sentence. */
export const missingTimeNotes = (missing: readonly MissingTime[]): readonly string[] => [
  ...endNotes(missing, 'before', time => `begins at ${time} UTC: earlier parts of the range are missing`),
  ...endNotes(missing, 'after', time => `ends at ${time} UTC: later parts of the range are missing`),
];

function endNotes(
  missing: readonly MissingTime[],
  end: 'before' | 'after',
  words: (time: string) => string,
): readonly string[] {
  const byTime = Map.groupBy(missing, each => each[end]);
  return [...byTime].flatMap(([time, tables]) => {
    if (time === null) return [];
    const which = tables.length === missing.length ? '' : ` of ${joinWithAnd(tables.map(({ table }) => table))}`;
    return [`The data${which} ${words(timeText(time))}.`];
  });
}

export function auditSentence(audit: ReportAudit): string {
  if (audit.kind === 'not-made') return `The tables were not compared with each other: ${audit.why}.`;
  const commands = audit.commands.length === 0 ? '' : ' These commands fetch the missing parts:';
  const why =
    audit.verdict !== 'cannot-be-judged'
      ? ` ${capitalize(audit.reason)}.`
      : audit.agreeing > 0 && missingTablesText(audit) !== ''
        ? ' So not every movement of money was compared.'
        : '';
  // This reason is a sentence that begins with the verdict.
  if (audit.verdict === 'adds-up') return `${capitalize(audit.reason)}.${commands}`;
  return `The audit for this party: ${partialVerdictText(audit)}.${why}${commands}`;
}

const VERDICTS = { 'adds-up': 'adds up', differs: 'differs' } as const;

export const archiveRows = (archives: readonly ReportArchive[]): readonly (readonly string[])[] =>
  archives.map(({ name, sha256, use }) => [name, sha256, use]);

export const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Notes on the exports that a reader of figures needs: not how long it took to open them, and no types of columns. */
export const figureNotes = (notes: readonly string[]): readonly string[] =>
  notes.filter(note => !note.startsWith('converted ') && !COLUMN_TYPE.test(note)).map(capitalize);

/** Notes on an answer for a section of a page, whose head already has the blocks, rows and times of each table. */
export const sectionNotes = (notes: readonly string[]): readonly string[] =>
  notes.filter(note => !TABLE_COVERAGE.test(note));

const TABLE_COVERAGE = /^(?:files|history): \w+ of blocks .*; no other data was used$/;

/** Figures are exact, whatever the type of a column is. */
const COLUMN_TYPE = /\b(?:DECIMAL|VARCHAR|(?:HUGE|BIG|SMALL|TINY)INT|INTEGER|BIGNUM|BLOB|DOUBLE|TIMESTAMP)\b/;
/\b(?:DECIMAL\(|VARCHAR|(?:HUGE|BIG|SMALL|TINY)INT|INTEGER|BIGNUM|BLOB|DOUBLE|TIMESTAMP)\b|\bDECIMAL\(/;

/** The content of the page, in lines. */
export const reportSummary = (report: PartyReport): readonly string[] => [
  ...aboutLines(report).flatMap(({ name, values }) => values.map(value => `${name}: ${value}`)),
  ...report.warnings,
  ...report.sections.flatMap(({ title, figures, gap }) => {
    const [first] = figures;
    if (gap !== null) return ['', `${title}: ${gap.why}`, ...(gap.command === '' ? [] : [`  ${gap.command}`])];
    return [
      '',
      `${title}: ${first?.rows.length === 0 ? 'nothing in this range' : first?.title}`,
      ...(first === undefined ? [] : rowLines(first)),
    ];
  }),
];

/** A line has no heading, so its numbers have their names; a single one needs none. */
function rowLines({ columns, rows }: ReportFigure): readonly string[] {
  const isNumber = columns.map(({ align }) => align === 'right');
  const isNamed = isNumber.filter(Boolean).length > 1;
  return rows.map(row => {
    const cells = row.flatMap((cell, at) => {
      if (cell === '') return [];
      return isNamed && isNumber[at] === true ? [`${lowerFirstLetter(columns[at]?.title ?? '')} ${cell}`] : [cell];
    });
    return `  ${cells.join(', ')}`;
  });
}

/** `earned` of `Earned`; `LP bonus` stays. */
export const lowerFirstLetter = (title: string): string =>
  /^.[A-Z]/.test(title) ? title : title.slice(0, 1).toLowerCase() + title.slice(1);
