/** A record of values with tabs between them and its line's end: quoted as in CSV where a value holds a tab, a quote or a line's end. */
export const tsvRecord = (values: readonly string[]): string =>
  `${values.map(value => (/["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join('\t')}\r\n`;

/** A row of a Markdown table: nothing in it is taken for Markdown or HTML, and no line ends in it. */
export const markdownRow = (values: readonly string[]): string => `| ${values.map(markdownText).join(' | ')} |\n`;

/** The line between the titles of a Markdown table and its rows. */
export const markdownRule = (aligns: readonly ('left' | 'right')[]): string =>
  `|${aligns.map(align => (align === 'right' ? ' ---: ' : ' --- ')).join('|')}|\n`;

// A picture or a link in a name of the chain would ask its own server when the page is shown.
const markdownText = (value: string): string =>
  value.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>~|&]/g, character => `\\${character}`);
