import { safeLine, sanitize } from '../../base/text/safe-text.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { decimalCells } from './decimal-cells.ts';
import type { PartyReport, ReportArchive, ReportFigure, ReportSection } from './report.ts';
import { aboutLines, archiveRows, auditSentence } from './report-texts.ts';

/** The report as Markdown. Names that a node gave cannot change its structure. */
export function markdownReport(report: PartyReport): string {
  const { party, partyName, warnings, sections, included, excluded, archives, audit, witnesses } = report;
  return [
    `# Report on ${escapeMarkdown(partyName ?? `party ${party.slice(0, 8)}`)}`,
    bulletList(
      aboutLines(report).flatMap(({ name, values }) => values.map(value => `${name}: ${escapeMarkdown(value)}`)),
    ),
    ...(warnings.length === 0 ? [] : [bulletList(warnings.map(warning => `**${escapeMarkdown(warning)}**`))]),
    ...sections.map(sectionText),
    '## Included',
    bulletList(included.map(escapeMarkdown)),
    '## Not included',
    bulletList(excluded.map(escapeMarkdown)),
    '## Verification',
    escapeMarkdown(auditSentence(audit)),
    ...(audit.kind === 'made' && audit.commands.length > 0 ? [codeBlock(audit.commands.join('\n'), 'sh')] : []),
    ...(witnesses.length === 0
      ? []
      : ['Other nodes, asked when the exports were made:', bulletList(witnesses.map(escapeMarkdown))]),
    `${countOf(archives.length, 'archive')}:`,
    archivesTable(archives),
  ]
    .filter(part => part !== '')
    .join('\n\n')
    .concat('\n');
}

function sectionText({ title, about, figures, notes, gap }: ReportSection): string {
  const parts = [`## ${escapeMarkdown(title)}`, escapeMarkdown(about)];
  if (gap !== null)
    return [...parts, escapeMarkdown(gap.why), ...(gap.command === '' ? [] : [codeBlock(gap.command, 'sh')])].join(
      '\n\n',
    );
  return [...parts, ...figures.map(figureText), bulletList(notes.map(escapeMarkdown))]
    .filter(part => part !== '')
    .join('\n\n');
}

function figureText({ title, columns, rows, sql }: ReportFigure): string {
  const table = rows.length === 0 ? 'Nothing in this range.' : tableText(columns, rows);
  return [
    `### ${escapeMarkdown(title)}`,
    table,
    `<details><summary>SQL</summary>\n\n${codeBlock(sql, 'sql')}\n\n</details>`,
  ].join('\n\n');
}

function tableText(columns: ReportFigure['columns'], rows: ReportFigure['rows']): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cells = columns.map(({ align }, at) => {
    const texts = rows.map(row => row[at] ?? '');
    return align === 'right' ? alignedAtPoint(texts) : texts.map(escapeMarkdown);
  });
  return [
    line(columns.map(({ title }) => escapeMarkdown(title))),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((_, row) => line(cells.map(column => column[row] ?? ''))),
  ].join('\n');
}

/** Numbers with aligned decimal points, for text read without rendering. */
function alignedAtPoint(texts: readonly string[]): readonly string[] {
  const { cells, places } = decimalCells(texts);
  const most = Math.max(0, ...cells.map(({ whole, isNumber }) => (isNumber ? whole.length : 0)));
  return cells.map(({ whole, fraction, isNumber }) =>
    isNumber ? whole.padStart(most) + fraction.padEnd(places) : escapeMarkdown(whole).padStart(most + places),
  );
}

const archivesTable = (archives: readonly ReportArchive[]): string =>
  tableText(
    ['File', 'SHA-256', 'Read for'].map(title => ({ title, align: 'left' })),
    archiveRows(archives),
  );

const bulletList = (items: readonly string[]): string => items.map(item => `- ${item}`).join('\n');

/** Text in one line, without markup. */
const escapeMarkdown = (text: string): string =>
  safeLine(text)
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^(\d*)([-+.)])(?=\s|$)/, '$1\\$2');

/** A block of code, with a fence that the text does not have. */
function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text
    .split('\n')
    .map(line => sanitize(line))
    .join('\n')}\n${fence}`;
}
