import { hasRows, openExplorer, selectedKey } from '../../flows/support/explorer.ts';
import { openTab, tabKey } from '../../support/tabs.ts';
import type { Terminal } from '../../support/terminal.ts';
import { falseInWords } from './command-rules.ts';

const KEYS = [
  ...['j', '2', '3', 'G', '?', 'escape', tabKey('history'), 'w', 'enter', 'escape', 'escape'],
  ...['1', 'r', 'n', '/', 'escape'],
];
const PATIENCE_MS = 4000;
const QUIT_MS = 5000;

/** Opens the explorer on a node that fails, looks around, and quits; tells what was false. `keys` are those of true rows. */
export async function runExplorer(node: string, keys: readonly string[]): Promise<readonly string[]> {
  await using terminal = await openExplorer({
    node,
    args: ['parameters', '--timeout', '2'],
    until: 'blockglass',
  });
  const found: string[] = [];
  const look = (): void => {
    const screen = terminal.screen();
    const shown = selectedKey(screen).replace(/\.\..*$/, '');
    const isParameters = screen.includes(openTab('parameters')) && hasRows(screen);
    // Within its group a parameter goes by the rest of its name.
    if (isParameters && !keys.some(key => key.startsWith(shown) || key.includes(`.${shown}`)))
      found.push(`it shows ${shown}, which no node said`);
  };
  try {
    await settled(terminal);
    look();
    for (const key of KEYS) await terminal.press(key);
    await terminal.settled();
    look();
    await terminal.press('q');
    const { exitCode, signal } = await terminal.waitForExit({ deadlineMs: QUIT_MS });
    if (exitCode !== 0) found.push(`it ends with ${signal ?? exitCode}`);
  } catch (error) {
    return [...found, error instanceof Error ? error.message : String(error)];
  }
  if (terminal.inAlternateScreen || !terminal.cursorVisible || terminal.bracketedPaste)
    found.push('it does not give the terminal back');
  return [...found, ...falseInWords(said(terminal))];
}

/** Rows, or the reason why there are none; a node that is silent gives neither. */
async function settled(terminal: Terminal): Promise<void> {
  const isTold = (screen: string): boolean => hasRows(screen) || /\btry\b/.test(screen);
  await terminal.waitFor(isTold, { deadlineMs: PATIENCE_MS }).catch((error: unknown) => {
    if (!String(error).includes('had not met')) throw error;
  });
}

// What stays on the terminal that was given back.
const said = (terminal: Terminal): string =>
  terminal.raw.slice(terminal.raw.lastIndexOf('\u001b[?25h') + '\u001b[?25h'.length).replaceAll('\r', '');
