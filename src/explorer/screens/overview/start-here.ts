import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { RESOURCES } from '../../../chain/resources/registry.ts';
import { type Line, type Span, span, textLine } from '../../core/line.ts';
import { HISTORY_KEY, TABS } from '../../tabs.ts';
import { EVERY_TAB_LINES, NEW_LINES, START_HERE_LINES } from './layout.ts';

/** Where to begin, in as many rows as there are for it. */
export function startHereLines(count: number, columns: number): readonly Line[] {
  const lists = `${TABS[1]?.key}-${TABS.at(-2)?.key}`;
  const space = span(safeText` `);
  const key = (text: string): Line => [space, span(sanitize(text), 'accent'), space];
  const paste = 'paste any id, name or address to look it up';
  if (count === NEW_LINES) {
    const told = (name: string, ...parts: Line): Line => [span(sanitize(`  ${name.padEnd(7)}`), 'strong'), ...parts];
    const quiet = (text: string): Span => span(sanitize(text), 'quiet');
    return [
      told('This is', quiet(' a data node of a blockchain: its markets, providers and validators')),
      told(
        'Begin',
        ...key('enter'),
        quiet('opens a line '),
        ...key(lists),
        quiet('lists '),
        ...key(HISTORY_KEY),
        quiet('history as files'),
      ),
      told('Keys', ...key('?'), quiet('explains each screen '), ...key(':'), quiet('finds any id, name or address')),
    ];
  }
  if (count < START_HERE_LINES) {
    const what = columns < 72 ? 'paste any id or name' : paste;
    const rest = [
      ...key(lists),
      span(safeText`lists `, 'quiet'),
      ...key(HISTORY_KEY),
      span(safeText`history`, 'quiet'),
    ];
    return count === 0 ? [] : [[...key(':'), span(sanitize(`${what} `), 'quiet'), ...rest]];
  }
  const row = (name: string, text: string): Line => [
    ...key(name),
    span(sanitize(' '.repeat(4 - name.length))),
    span(sanitize(text), 'quiet'),
  ];
  if (count === EVERY_TAB_LINES)
    return [
      textLine(' Where to begin', 'strong'),
      ...RESOURCES.map(({ id, title, description }): Line => {
        const digit = TABS.find(tab => tab.id === id)?.key ?? '';
        return [...key(digit), span(sanitize(` ${title.padEnd(TITLE_CELLS)}`)), span(sanitize(description), 'quiet')];
      }),
      [
        ...key(HISTORY_KEY),
        span(sanitize(` ${'History'.padEnd(TITLE_CELLS)}`)),
        span(sanitize('what a party earned, audits, reports; fetched once'), 'quiet'),
      ],
      [...key(':'), span(sanitize(` ${'Find'.padEnd(TITLE_CELLS)}`)), span(sanitize(paste), 'quiet')],
      [
        ...key('?'),
        span(sanitize(` ${'Keys'.padEnd(TITLE_CELLS)}`)),
        span(sanitize('what each key does here'), 'quiet'),
      ],
    ];
  return [
    textLine(' Where to begin', 'strong'),
    row(lists, 'the lists: parameters, provisions, fees, bundles, oracle specs, markets, validators'),
    row(HISTORY_KEY, 'what a party earned, audits, reports; fetched once'),
    row(':', paste),
  ];
}

const TITLE_CELLS = 16;
