import { decimalCells } from './decimal-cells.ts';
import type { PartyReport, ReportFigure, ReportSection } from './report.ts';
import { aboutLines, archiveRows, auditSentence } from './report-texts.ts';
import { chartSvg, escapeMarkup } from './svg.ts';

/** The report as one HTML page that needs nothing else: no script, no request, no text of a node as markup. */
export function htmlReport(report: PartyReport): string {
  const { party, partyName, warnings, sections, included, excluded, audit, witnesses, archives } = report;
  const title = `Report on ${partyName ?? `party ${party.slice(0, 8)}`}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
<dl>${aboutLines(report)
    .map(
      ({ name, values }) =>
        `<dt>${escapeMarkup(name)}</dt>${values.map(value => `<dd>${escapeMarkup(value)}</dd>`).join('')}`,
    )
    .join('\n')}</dl>
${warnings.length === 0 ? '' : `<ul class="warnings" role="note">${warnings.map(listItemHtml).join('')}</ul>`}
<nav aria-label="Sections">${sections.map(({ id, title: name }) => `<a href="#${id}">${escapeMarkup(name)}</a>`).join(' ')} <a href="#trust">Verification</a></nav>
${sections.map(sectionHtml).join('\n')}
<section id="included">
<h2>Included</h2>
<ul>${included.map(listItemHtml).join('')}</ul>
<h2>Not included</h2>
<ul>${excluded.map(listItemHtml).join('')}</ul>
</section>
<section id="trust">
<h2>Verification</h2>
<p>${escapeMarkup(auditSentence(audit))}</p>
${audit.kind === 'made' ? commandsHtml(audit.commands) : ''}
${witnesses.length === 0 ? '' : `<p>Other nodes, asked when the exports were made:</p><ul>${witnesses.map(listItemHtml).join('')}</ul>`}
<h3>The archives and their SHA-256</h3>
${tableHtml('Archives', ARCHIVE_COLUMNS, archiveRows(archives))}
</section>
</main>
</body>
</html>
`;
}

const ARCHIVE_COLUMNS = (['File', 'SHA-256', 'Read for'] as const).map(title => ({ title, align: 'left' }) as const);

function sectionHtml({ id, title, about, figures, notes, gap }: ReportSection): string {
  const body =
    gap === null
      ? `${figures.map(figureHtml).join('\n')}${notes.length === 0 ? '' : `<ul class="notes">${notes.map(listItemHtml).join('')}</ul>`}`
      : `<p class="gap">${escapeMarkup(gap.why)}</p>${commandsHtml(gap.command === '' ? [] : [gap.command])}`;
  return `<section id="${id}">
<h2>${escapeMarkup(title)}</h2>
<p>${escapeMarkup(about)}</p>
${body}
</section>`;
}

function figureHtml({ title, columns, rows, sql, charts, isDetail }: ReportFigure): string {
  const table = rows.length === 0 ? '<p>Nothing in this range.</p>' : tableHtml(title, columns, rows);
  const shown =
    isDetail && rows.length > 0 ? `<details><summary>${escapeMarkup(title)}</summary>${table}</details>` : table;
  return `${isDetail ? '' : `<h3>${escapeMarkup(title)}</h3>`}
${charts.length === 0 ? '' : `<div class="charts">${charts.map(chartSvg).join('\n')}</div>`}
${shown}
<details class="sql"><summary>SQL</summary><pre><code>${escapedLines(sql)}</code></pre></details>`;
}

/** Wide tables scroll inside their own box, so that the page never does. */
function tableHtml(caption: string, columns: ReportFigure['columns'], rows: ReportFigure['rows']): string {
  const head = columns.map(
    ({ title, align }) => `<th scope="col"${align === 'right' ? ' class="n"' : ''}>${escapeMarkup(title)}</th>`,
  );
  const aligned = columns.map(({ align }, at) =>
    align === 'right' ? decimalCells(rows.map(row => row[at] ?? '')) : null,
  );
  const cellHtml = (cell: string, row: number, at: number): string => {
    const column = aligned[at];
    const number = column?.cells[row];
    if (column == null || number === undefined)
      return `<td${/^\d{4}-\d\d/.test(cell) ? ' class="d"' : ''}>${escapeMarkup(cell)}</td>`;
    if (cell.length > MAX_UNBROKEN_LENGTH) return `<td class="n w">${escapeMarkup(cell)}</td>`;
    // As wide as the longest fraction of the column: so the decimal points lie below each other.
    const isWide = number.isNumber && column.places > 0;
    const fraction = isWide
      ? `<span class="f" style="width:${column.places}ch">${escapeMarkup(number.fraction)}</span>`
      : '';
    return `<td class="n">${escapeMarkup(number.whole)}${fraction}</td>`;
  };
  const body = rows.map((row, index) => `<tr>${row.map((cell, at) => cellHtml(cell, index, at)).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeMarkup(caption)}"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table></div>`;
}

/** A longer number may be broken: whole, it would not be seen to its end. */
const MAX_UNBROKEN_LENGTH = 44;

const commandsHtml = (commands: readonly string[]): string =>
  commands.length === 0 ? '' : `<pre><code>${commands.map(escapedLines).join('\n')}</code></pre>`;

const listItemHtml = (text: string): string => `<li>${escapeMarkup(text)}</li>`;

const escapedLines = (text: string): string => text.split('\n').map(escapeMarkup).join('\n');

const STYLE = `
:root { --ink: #1c2024; --soft: #5b6470; --line: #d5dae0; --paper: #fff; --box: #f4f6f8; --in: #1a6f4b; --out: #a8401f; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #a0a9b3; --line: #3a424b; --paper: #14181c; --box: #1d2328; --in: #5fc79a; --out: #f0916b; --warn: #e6b450; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; margin: 0; }
dt { color: var(--soft); grid-column: 1; }
dd { margin: 0; grid-column: 2; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; }
a { color: inherit; }
li { overflow-wrap: anywhere; }
.warnings { border: 2px solid var(--warn); border-radius: .3rem; padding: .6rem .8rem .6rem 2rem; margin: 1rem 0; overflow-wrap: anywhere; }
.gap { border-left: 3px solid var(--warn); padding-left: .8rem; }
.notes { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: .3rem 0; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
td { min-width: 3.5rem; }
td:not([class], :first-child, :last-child) { min-width: 5rem; }
.d { white-space: nowrap; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.f { display: inline-block; text-align: left; }
.w { white-space: normal; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .25rem 0; }
.sql { color: var(--soft); font-size: .85rem; }
pre { background: var(--box); padding: .6rem; overflow-x: auto; font-size: .8rem; line-height: 1.4; }
#trust td:nth-child(2) { font-family: ui-monospace, monospace; font-size: .75rem; overflow-wrap: anywhere; min-width: 12rem; }
#trust td:nth-child(1) { overflow-wrap: anywhere; min-width: 9rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: .5rem 1.5rem; margin: .5rem 0; }
figure { margin: 0; max-width: 27rem; }
figcaption { color: var(--soft); font-size: .85rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
.axis { stroke: var(--soft); stroke-width: 1; }
.up { fill: var(--in); }
.down { fill: var(--out); }
.curve { fill: none; stroke: var(--in); stroke-width: 1.5; }
@media (max-width: 30rem) {
  main { padding: .7rem; }
  dl { display: block; }
  dt { margin-top: .3rem; }
}
@media (max-width: 46rem) {
  thead { display: none; }
  tr { display: block; padding: .25rem 0; border-bottom: 1px solid var(--line); }
  td, td.d { display: inline; padding: 0 .4rem 0 0; border: 0; }
  td.n { display: block; }
}
@page { size: A4; margin: 15mm; }
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --box: #fff; --in: #1a6f4b; --out: #a8401f; --warn: #8a5a00; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  nav, .sql, details:not([open]) { display: none; }
  h2, h3, h2 + p { break-after: avoid; }
  td:not([class], :first-child, :last-child) { min-width: 0; }
  tr, figure, .warnings { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  .charts { grid-template-columns: 1fr 1fr 1fr; }
  table { font-size: 8pt; }
  th, td { padding: .1rem .35rem; }
  #trust td:nth-child(2) { font-size: 7pt; }
}
`;
