import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import { openExplorer } from './support/explorer.ts';
import { holdExport } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { nodes } from './support/nodes.ts';
import { startRefusing } from './support/refusing.ts';

/** The lines of the open log of requests. */
const logged = (screen: string): readonly string[] =>
  screen.split('\n').filter(line => /^[> ] \d\d:\d\d:\d\d /.test(line));

/** What was put on the clipboard, in its order. */
const copies = (terminal: Terminal): readonly string[] =>
  [...terminal.raw.matchAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );

describe.each(nodes)('Request log on $name', ({ start }) => {
  it('The request log shows refusals and retries, on screen and in the file, and copies a request as sent', async () => {
    await using node = await start();
    await using refusing = await startRefusing(node.url, 2);
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'requests.log');
    await using terminal = await openExplorer({ node: refusing.url, args: ['fees', '--log', file], columns: 120 });
    await terminal.press('L');
    const screen = await terminal.waitFor(shown => logged(shown).length >= refusing.asked.length);
    const lines = logged(screen).toReversed();
    expect(lines[0]).toMatch(/^. \S+ 503 .*\w\?/);
    expect(lines[1]).toMatch(/^. \S+ 503 .* retry 1 \S+\?/);
    expect(lines[2]).toMatch(/^. \S+ 200 .* retry 2 \S+\?/);
    await terminal.press('G', 'y');
    await terminal.waitFor("curl sent to your terminal's clipboard");
    await terminal.press('enter');
    await terminal.waitFor(/^ +problem +HTTP 503: unavailable$/m);
    await terminal.press('escape', 'L');
    await terminal.waitFor(shown => logged(shown).length === 0);
    await terminal.press('q');
    await terminal.waitForExit();
    const asked = refusing.asked.map(path => `${refusing.url}${path}`);
    const written = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(written.map(line => line.split(' ')[2]).toSorted()).toEqual(asked.toSorted());
    expect(written[0]).toMatch(/^\S+Z GET \S+ 503 \d+ ms wire=\d+ body=\d+ attempt=1 error=refused$/);
    expect(written[1]).toMatch(/^\S+Z GET \S+ 503 \d+ ms wire=\d+ body=\d+ attempt=2 error=refused$/);
    expect(written[2]).toMatch(/^\S+Z GET \S+ 200 \d+ ms wire=\d+ body=\d+ attempt=3/);
    expect(copies(terminal)).toEqual([`curl -sS '${asked[0]}'`]);
  });

  it('The request log shows a download in progress, and its end in the same line', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { terminal, gate } = held;
    await terminal.press('L');
    const download = (screen: string) => logged(screen).filter(line => line.includes('networkhistory/export?'));
    await terminal.waitFor(screen => download(screen).some(line => line.includes(' 200 ... ')));
    gate.open();
    const screen = await terminal.waitFor(shown => download(shown).some(line => / 200 {2,}\d+ ms/.test(line)));
    expect(download(screen).length).toBe(1);
  });
});
