import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { listening } from '../support/loopback.ts';
import { openTab } from '../support/tabs.ts';
import { command, hasRows, openExplorer, statusLine } from './support/explorer.ts';
import { holdExport } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';

/** Before this one there is nothing but silence; what it was asked is counted. */
async function silentNode() {
  const asked: string[] = [];
  const server = createServer(request => void asked.push(request.url ?? ''));
  return { asked, ...(await listening(server)) };
}

const HOUR_MS = 3_600_000;

/** Two nodes of one chain, one of them an hour behind, a silent one, and an address where nobody is. */
async function fourNodes() {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await temporaryFolder());
  // A chain begins as its node starts.
  const late = await startNode({ clock: () => Date.now() - HOUR_MS });
  let sinceMs = HOUR_MS;
  const front = await startNode({ clock: () => Date.now() - sinceMs });
  sinceMs = 0;
  stack.defer(() => front.close());
  stack.defer(() => late.close());
  const silent = stack.use(await silentNode());
  const gone = await silentNode();
  await gone[Symbol.asyncDispose]();
  const profiles = {
    front: { url: front.url, colour: 'red' },
    late: late.url.replace('//', '//me:secret@'),
    silent: silent.url,
    gone: gone.url,
  };
  await mkdir(join(home.path, 'blockglass'));
  await writeFile(join(home.path, 'blockglass', 'config.json'), JSON.stringify({ node: 'front', profiles }));
  const env = { HOME: home.path, XDG_CONFIG_HOME: home.path };
  const kept = stack.move();
  return { env, silent, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

describe('Nodes screen', () => {
  it('The nodes screen requests each status once, on opening; Enter switches, and Backspace leaves a dead node', async () => {
    await using nodes = await fourNodes();
    await using terminal = await openExplorer({
      env: nodes.env,
      columns: 120,
      until: s => hasRows(s) && s.includes('front'),
    });
    expect(nodes.silent.asked).toEqual([]);
    await terminal.press('N');
    const shown = await terminal.waitFor(
      screen =>
        /gone +cannot reach/.test(screen) &&
        />\* front +demo-chain-1 +\d+/.test(screen) &&
        /late +demo-chain-1 +\d+ +1 h +differs +\d+ ms +v0/.test(screen),
    );
    expect(shown).toMatch(/silent +asking/);
    expect(shown).toMatch(/demo +starts when it is chosen/);
    await terminal.waitFor(/silent +no answer within 4 s/);
    expect(nodes.silent.asked).toEqual(['/statistics']);
    await terminal.press('down', 'enter');
    const late = await terminal.waitFor(screen => /^ blockglass +late .*stalled/.test(screen) && hasRows(screen));
    expect(late).not.toContain('secret');
    await command(terminal, 'node gone');
    const gone = await terminal.waitFor('The node cannot be reached');
    expect(gone).toMatch(/N other nodes +Backspace goes back to late/);
    expect(hasRows(gone)).toBe(false);
    await terminal.press('backspace');
    await terminal.waitFor(screen => /^ blockglass +late .*stalled/.test(screen) && hasRows(screen));
    expect(nodes.silent.asked).toEqual(['/statistics']);
  });

  it('The explorer switches to nodes by name, by address and to demo, each with its own rows', async () => {
    await using nodes = await fourNodes();
    await using terminal = await openExplorer({
      env: nodes.env,
      args: ['fees'],
      until: s => hasRows(s) && s.includes('front'),
    });
    await command(terminal, 'node silent');
    const waiting = await terminal.waitFor(/waiting for the node/);
    expect(waiting).toContain(openTab('fees'));
    expect(waiting).toMatch(/^ blockglass +silent/);
    expect(hasRows(waiting)).toBe(false);
    await command(terminal, 'node demo');
    await terminal.waitFor(screen => /^ blockglass +DEMO DATA +demo-chain-1 .*in sync/.test(screen) && hasRows(screen));
    await command(terminal, 'node nowhere');
    await terminal.waitFor(screen => statusLine(screen).includes('nowhere'));
    await terminal.press('escape');
    await command(terminal, 'node -');
    await terminal.waitFor(screen => /^ blockglass +front /.test(screen) && hasRows(screen));
  });

  it('The explorer leaves a node during an export only on confirmation, and reports what arrived', async () => {
    await using node = await embedded.start();
    await using held = await holdExport(node);
    const { terminal } = held;
    await command(terminal, `node ${node.url}`);
    await terminal.waitFor('Switch to');
    await terminal.press('n');
    await terminal.waitFor(/Received +1\.0 kB/);
    await command(terminal, `node ${node.url}`);
    await terminal.waitFor('Switch to');
    await terminal.press('y');
    await terminal.waitFor(
      screen => /was cancelled; what arrived is saved as/.test(screen) && screen.includes('which table?'),
    );
    expect(await held.folder.files()).toEqual([expect.stringMatching(/\.part$/)]);
  });
});
