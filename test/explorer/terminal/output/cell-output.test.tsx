import { render } from 'ink';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { App } from '../../../../src/explorer/app.tsx';
import { cellOutput } from '../../../../src/explorer/terminal/output/cell-output.ts';
import { openTab } from '../../../support/tabs.ts';
import { visibleText } from '../../../support/terminal-frame.ts';
import { answerPage, press, startSession } from '../../support/fake-world.ts';
import { NO_STOPS } from '../../support/frame.ts';
import { provisionPage } from '../../support/provision-pages.ts';
import { difference, emulatorOf, feed } from './emulator.ts';
import { copied, FakeTerminal, silentKeyboard } from './fake-terminal.ts';

const ENV = { TERM: 'xterm-256color' };
const KEYS = [
  'j',
  'j',
  'down',
  'k',
  'page-down',
  'j',
  'page-up',
  'end',
  'k',
  'home',
  'enter',
  'j',
  'escape',
  '?',
  'escape',
  '/',
  'escape',
  'right',
  '3',
  '2',
  'j',
  'j',
];

/** The explorer drawn by Ink through the cell output, and without it onto an emulator beside it. */
async function explorerOn(session: Session, columns: number, rows: number) {
  const terminal = new FakeTerminal(columns, rows);
  const beside = emulatorOf(columns, rows);
  feed(beside, '\u001b[?7l');
  const cells = cellOutput(terminal.stdout, { env: ENV });
  const app = render(<App session={session} repaint={() => {}} stops={NO_STOPS} />, {
    stdin: silentKeyboard(),
    stdout: copied(cells.stdout, text => feed(beside, text)),
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 60,
    interactive: true,
  });
  await app.waitUntilRenderFlush();
  return { terminal, beside, cells, app };
}

describe('Cell output under Ink', () => {
  it('The cell output shows what Ink shows without it, key by key', async () => {
    const { session, world } = await startSession();
    const { terminal, beside, app } = await explorerOn(session, 120, 40);
    await answerPage(world, provisionPage(1));
    for (const key of KEYS) {
      press(session, key);
      await app.waitUntilRenderFlush();
      expect({ key, difference: difference(beside, terminal.emulator) }).toEqual({ key, difference: '' });
    }
    expect(visibleText(terminal.emulator)).toContain(openTab('provisions'));
    app.unmount();
  });

  it.each([
    ['line', 330],
    ['edges', 60],
  ] as const)(
    'The cell output moves one row down in one write, with the selected %s marked in %d bytes at most',
    async (selection, most) => {
      const { session, world } = await startSession();
      session.dispatch({ type: 'set-looks', said: { selection } });
      const { terminal, app } = await explorerOn(session, 120, 40);
      await answerPage(world, provisionPage(1));
      press(session, 'j');
      await app.waitUntilRenderFlush();
      terminal.writes.length = 0;
      press(session, 'j');
      await app.waitUntilRenderFlush();
      const sent = terminal.writes.filter(text => text !== '');
      expect(sent.length).toBe(1);
      expect(Buffer.byteLength(sent.join(''))).toBeLessThanOrEqual(most);
      app.unmount();
    },
  );

  it('The cell output redraws for a new size', async () => {
    const { session, world } = await startSession();
    const { terminal, beside, app } = await explorerOn(session, 120, 40);
    await answerPage(world, provisionPage(1));
    for (const [columns, rows] of [
      [80, 24],
      [100, 30],
      [100, 20],
      [60, 20],
      [120, 40],
    ] as const) {
      beside.resize(columns, rows);
      terminal.resize(columns, rows);
      await app.waitUntilRenderFlush();
      press(session, 'j');
      await app.waitUntilRenderFlush();
      expect({ columns, rows, difference: difference(beside, terminal.emulator) }).toEqual({
        columns,
        rows,
        difference: '',
      });
      expect(visibleText(terminal.emulator)).toMatch(/^ blockglass {2}DEMO DATA[\s\S]*\? help$/);
    }
    app.unmount();
  });

  it('The cell output redraws on request, and releases the terminal', async () => {
    const terminal = new FakeTerminal(20, 4);
    const { stdout, repaint, release } = cellOutput(terminal.stdout, { env: ENV });
    stdout.write('\u001b[?1049habc');
    feed(terminal.emulator, '\u001b[2J\u001b[3Hgarbage');
    repaint();
    expect(visibleText(terminal.emulator).trimEnd()).toBe('abc');
    release();
    expect(terminal.events.eventNames()).toEqual([]);
  });

  it('The cell output restores the terminal as it was', async () => {
    const { session } = await startSession();
    const { terminal, app } = await explorerOn(session, 80, 24);
    app.unmount();
    await app.waitUntilExit();
    expect(terminal.emulator.buffer.active.type).toBe('normal');
    expect(terminal.writes.join('')).toMatch(/\u001b\[\?25h$/);
  });

  it('The cell output is the terminal itself except for write', () => {
    const terminal = new FakeTerminal(33, 7);
    const { stdout } = cellOutput(terminal.stdout, { env: ENV });
    terminal.emulator.resize(44, 8);
    expect([stdout.columns, stdout.rows, stdout.isTTY, 'fd' in stdout]).toEqual([44, 8, true, true]);
    expect(cellOutput(terminal.stdout, { env: ENV, isPlain: true }).stdout).toBe(terminal.stdout);
  });
});
