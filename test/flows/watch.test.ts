import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { goToTab, hasRows, openExplorer, statusLine } from './support/explorer.ts';

describe('Watched list', () => {
  it('A watched list marks changes of a reload by type, counts them, and shows the earlier values', async () => {
    await using node = await startStrictNode();
    const path = '/api/v2/network/parameters?pagination.first=500&pagination.newestFirst=true';
    const text = await (await fetch(`${node.url}${path}`)).text();
    const page: { networkParameters: { edges: { node: { key: string; value: string } }[] } } = JSON.parse(text);
    const { edges } = page.networkParameters;
    const [first, second] = [edges[0]?.node, edges[1]?.node];
    if (first === undefined || second === undefined) throw new Error('no parameters');
    await using terminal = await openExplorer({ node: node.url, columns: 100 });
    await terminal.press('w');
    await terminal.waitFor('watching, every 10 s');
    const was = first.value;
    first.value = `${was}-other`;
    edges.splice(1, 1);
    const answer = { status: 200, body: JSON.stringify(page), headers: { 'content-type': 'application/json' } };
    node.failNext(answer, '/network/parameters');
    await terminal.press('r');
    const marked = await terminal.waitFor(screen =>
      /1 changed, 1 gone since \d\d:\d\d:\d\d UTC/.test(statusLine(screen)),
    );
    expect(marked.split('\n').filter(line => /^[> ].*\*/.test(line)).length).toBeGreaterThan(0);
    await terminal.press('v');
    const shown = await terminal.waitFor('changed since');
    expect(shown).toContain(`before  ${was}`);
    expect(shown).toContain(`now     ${was}-other`);
    await terminal.press('escape', 'w');
    await terminal.waitFor(screen => hasRows(screen) && !screen.includes('1 changed'));
  });

  it('A watched list shows clock times from the start if that is requested, and by a key', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({
      node: node.url,
      columns: 160,
      args: ['--times', 'clock', '--preview', 'off'],
    });
    await goToTab(terminal, 'oracles');
    const clock = await terminal.waitFor(/ UTC .*\n(?:.*\n)*.*\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
    expect(clock).toContain('CREATED UTC');
    await terminal.press('t');
    await terminal.waitFor(screen => hasRows(screen) && !screen.includes('CREATED UTC') && screen.includes(' ago'));
  });
});
