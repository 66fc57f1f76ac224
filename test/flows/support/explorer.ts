import { resolve } from 'node:path';
import { openTab, tabKey } from '../../support/tabs.ts';
import { openTerminal, type ScreenCondition, type Terminal } from '../../support/terminal.ts';
import type { EnvironmentChanges } from '../../support/terminal-env.ts';
import type { FlowNode } from './nodes.ts';

/** The built program; `npm test` builds it first. */
export const bundle = resolve(process.env.BLOCKGLASS_BUNDLE ?? 'dist/start.js');

export interface ExplorerStart {
  /** Address of a node; without one the program starts its own. */
  readonly node?: string;
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: EnvironmentChanges;
  readonly cwd?: string;
  /** What the first screen has to show; a selected row unless said otherwise. */
  readonly until?: ScreenCondition;
}

/** Starts the program in a pseudo-terminal and waits for its first rows. Close it, or use `await using`. */
export async function openExplorer(start: ExplorerStart = {}): Promise<Terminal> {
  const { node, args = [], columns, rows, env, cwd, until = hasRows } = start;
  const terminal = await openTerminal({
    command: process.execPath,
    args: [bundle, ...args, ...(node === undefined ? [] : ['--node', node])],
    env: { NO_COLOR: '1', ...env },
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
    ...(cwd !== undefined && { cwd }),
  });
  try {
    await terminal.waitFor(until);
    return terminal;
  } catch (error) {
    await terminal.close();
    throw error;
  }
}

export const hasRows = (screen: string): boolean => selectedRow(screen) !== undefined;

/** Rows whose amounts have their units, where the node knows any. */
export const hasUnits =
  ({ hasNames }: Pick<FlowNode, 'hasNames'>) =>
  (screen: string): boolean =>
    hasRows(screen) && !(hasNames && /smallest|, raw/.test(screen));

/** The lines of the screen below the header, without ages: both go on with the clock. */
export const withoutHeader = (screen: string): readonly string[] =>
  screen
    .replaceAll(/ *\d+ (?:s|min) ago/g, ' ago')
    .split('\n')
    .slice(1);

/** The line that the cursor of a list is on, without its marks. */
export const selectedRow = (screen: string): string | undefined =>
  listLines(screen)
    .find(line => /^> *\S/.test(line))
    ?.slice(1)
    .replace(/ *<$/, '')
    .trimStart();

/** The lines without the record that stands next to a list. */
const listLines = (screen: string): readonly string[] =>
  screen.split('\n').map(line => line.replace(/^(.{50,}?)\u2502.*$/, '$1').trimEnd());

/** The lines between the heading of the table and the status line, but for the headings of groups. */
export const tableRows = (screen: string): readonly string[] =>
  listLines(screen)
    .slice(4, -1 - linesBelow(screen))
    .filter(line => line !== '' && !(isGrouped(screen) && /^ {2}\S+$/.test(line)));

const isGrouped = (screen: string): boolean => screen.includes(openTab('parameters'));

/** Lines below the status line: the footer, and what the selected parameter, or line of the overview, is about. */
const linesBelow = (screen: string): number =>
  !/^ :/.test(screen.split('\n').at(-2) ?? '') &&
  (isGrouped(screen) || screen.includes(openTab('overview'))) &&
  screen.split('\n').length >= 20 &&
  !/^\u2500{20}/.test(screen.split('\n').at(-2) ?? '')
    ? 3
    : 1;

export const footer = (screen: string): string => screen.split('\n').at(-1) ?? '';

export const statusLine = (screen: string): string => screen.split('\n').at(-1 - linesBelow(screen)) ?? '';

/** How a table shows an id that has no room: both ends of it. */
export const isShortOf = (cell: string, id: string): boolean => {
  const [head = '', tail] = cell.split('..');
  return tail === undefined ? cell === id : head !== '' && id.startsWith(head) && id.endsWith(tail);
};

/** First word of the selected row. */
export const selectedKey = (screen: string): string => selectedRow(screen)?.split(/\s/)[0] ?? '';

/** Goes to a tab by its digit. */
export async function goToTab(terminal: Terminal, id: string): Promise<string> {
  await terminal.press(tabKey(id));
  return terminal.waitFor(openTab(id));
}

/** Runs a line of the command line, pasted as a person would who has ids in it. */
export async function command(terminal: Terminal, line: string): Promise<void> {
  await terminal.press(':');
  await terminal.waitFor('Commands');
  await terminal.paste(line);
  // A line longer than the field shows one end of itself.
  const ends = [line.split(' ')[0] ?? line, line.slice(-12)];
  await terminal.waitFor(screen => ends.some(end => statusLine(screen).includes(end)));
  await terminal.press('enter');
}

/** Every version of the provisions of one market, which every node lists: the same rows as from the wire, and many. */
export async function openProvisions(
  terminal: Terminal,
  node: Pick<FlowNode, 'hasNames'>,
  market: string,
): Promise<string> {
  await command(terminal, `provisions market=${market} live=`);
  return terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasUnits(node)(screen));
}

/** What is loaded, by the footer: `rows 51-100, more`, or `1-18 of 46` where that is the whole list. */
export const isAt =
  (place: string) =>
  (screen: string): boolean =>
    footer(screen).trimStart().startsWith(place);

/** That the whole list is loaded, and has so many rows. */
export const hasWholeList =
  (count: number) =>
  (screen: string): boolean =>
    new RegExp(`^1-\\d+ of ${count} `).test(footer(screen).trimStart());

/** Goes down in what is open until a text is on the screen: how much stands above it is another thing's test. */
export async function downTo(terminal: Terminal, text: string): Promise<string> {
  for (let lines = 0; lines < MAX_LINES && !terminal.screen().includes(text); lines++) {
    const before = withoutHeader(terminal.screen()).join();
    await terminal.press('down');
    await terminal.waitFor(screen => withoutHeader(screen).join() !== before);
  }
  return terminal.waitFor(text);
}

const MAX_LINES = 200;

/** Inspects the selected record, and unfolds its fields, which lie below what it means. */
export async function openFields(terminal: Terminal): Promise<void> {
  await terminal.press('enter');
  await terminal.waitFor(screen => /▸ Fields as sent| 1\/\d+ *$/m.test(screen) && !screen.includes('Working out'));
  await terminal.press('end');
  await terminal.waitFor('▸ Fields as sent');
  await terminal.press('right');
}
