import type { MissingTime } from '../answers/index.ts';
import { countOf } from '../insight/count-of.ts';
import type { Coverage, PartyReport, ReportArchive, ReportAudit, ReportFigure } from './report.ts';

/** What the page is about, a name and its values a line. */
export function aboutLines({ party, partyName, chainId, asset, asked, covered, audit, made, program }: PartyReport) {
  return [
    { name: 'Party', values: [...(partyName === null ? [] : [partyName]), party] },
    { name: 'Chain', values: [chainId || 'not known'] },
    ...(asset === null ? [] : [{ name: 'Asset', values: [`only ${asset}`] }]),
    { name: 'Asked', values: [asked] },
    { name: 'Covered', values: covered.map(coverageText) },
    { name: 'Audit', values: [verdictText(audit)] },
    { name: 'Made', values: [`${timeText(made)} UTC by ${program}`] },
  ];
}

function coverageText({ table, fromBlock, toBlock, firstTime, lastTime, rows }: Coverage): string {
  const times =
    firstTime === null || lastTime === null
      ? 'no row'
      : `${countOf(BigInt(rows), 'row')} of ${timeText(firstTime)} to ${timeText(lastTime)} UTC`;
  return `${table}: blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}, ${times}`;
}

/** `2026-10-01 12:00:00` of an ISO time. */
const timeText = (iso: string): string => iso.replace('T', ' ').slice(0, 19);

/** In a few words. What is worth a look never changes the verdict. */
function verdictText(audit: ReportAudit): string {
  if (audit.kind === 'not-made') return 'not made';
  const total = audit.looks.reduce((sum, look) => sum + look.total, 0);
  if (total === 0) return VERDICTS[audit.verdict];
  const where = audit.looks.map(({ name }) => name).join(', ');
  return `${VERDICTS[audit.verdict]}; ${countOf(total, 'difference')} ${total === 1 ? 'is' : 'are'} worth a look (${where})`;
}

/** What the files lack of the requested range, tables with the same end in one sentence. */
export const missingTimeNotes = (missing: readonly MissingTime[]): readonly string[] => [
  ...endNotes(missing, 'before', time => `begin at ${time} UTC: earlier parts of the range are missing`),
  ...endNotes(missing, 'after', time => `end at ${time} UTC: later parts of the range are missing`),
];

function endNotes(
  missing: readonly MissingTime[],
  end: 'before' | 'after',
  words: (time: string) => string,
): readonly string[] {
  const byTime = Map.groupBy(missing, each => each[end]);
  return [...byTime].flatMap(([time, tables]) => {
    if (time === null) return [];
    const which = tables.length === missing.length ? '' : ` of ${listed(tables.map(({ table }) => table))}`;
    return [`The exports${which} ${words(timeText(time))}.`];
  });
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export function auditSentence(audit: ReportAudit): string {
  if (audit.kind === 'not-made')
    return `The exports were not compared with each other: ${audit.why}. Run: blockglass audit FILES`;
  const commands = audit.commands.length === 0 ? '' : ' These commands fetch what is missing:';
  return `The audit of the exports for this party: ${VERDICTS[audit.verdict]}. ${capital(audit.reason)}.${commands}`;
}

const VERDICTS = {
  'adds-up': 'adds up',
  differs: 'differs',
  'cannot-be-judged': 'cannot be judged',
} as const;

export const archiveRows = (archives: readonly ReportArchive[]): readonly (readonly string[])[] =>
  archives.map(({ name, sha256, use }) => [name, sha256, use]);

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Notes on the exports, without how long it took to open them. */
export const notesOfRows = (notes: readonly string[]): readonly string[] =>
  notes.filter(note => !note.startsWith('converted ')).map(capital);

/** What is on the page, in lines. */
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
      return isNamed && isNumber[at] === true ? [`${lowered(columns[at]?.title ?? '')} ${cell}`] : [cell];
    });
    return `  ${cells.join(', ')}`;
  });
}

/** `earned` of `Earned`; `LP bonus` stays. */
const lowered = (title: string): string =>
  /^.[A-Z]/.test(title) ? title : title.slice(0, 1).toLowerCase() + title.slice(1);
