import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type StrictNode, startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import {
  footer,
  goToTab,
  hasRows,
  hasWholeList,
  isAt,
  isShortOf,
  openExplorer,
  selectedKey,
  statusLine,
  tableRows,
  withoutHeader,
} from './support/explorer.ts';
import { fetchPage } from './support/wire.ts';

/** The explorer on a node that has answered all it was asked at the start, so that the next request is the test's. */
async function openQuiet(node: StrictNode) {
  const terminal = await openExplorer({ node: node.url });
  await node.waitForRequest(({ path, outcome }) => path.endsWith('/nodes') && outcome === 'answered');
  return terminal;
}

const json = { 'content-type': 'application/json' };

describe('Slow node in the explorer', () => {
  it('The explorer says that it waits, then shows the rows', async () => {
    await using node = await startStrictNode();
    const release = node.hold();
    await using terminal = await openExplorer({ node: node.url, until: 'waiting for the node ...' });
    expect(hasRows(terminal.screen())).toBe(false);
    release();
    await terminal.waitFor(hasWholeList(30));
  });

  it('The explorer stops waiting for the first page on Esc, as it says', async () => {
    await using node = await startStrictNode();
    const release = node.hold();
    await using terminal = await openExplorer({ node: node.url, until: 'Esc stops waiting' });
    await terminal.press('escape');
    await terminal.waitFor('cancelled');
    await node.waitForRequest(({ path, outcome }) => path.endsWith('/parameters') && outcome === 'abandoned');
    release();
    await terminal.press('r');
    await terminal.waitFor(hasWholeList(30));
  });

  it('The explorer keeps the page it has when Esc cancels the next one', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(isAt('rows 1-50'));
    await terminal.press('down', 'up');
    const first = await terminal.waitFor(screen => hasRows(screen) && /^─+$/.test(statusLine(screen)));
    const before = node.requests.length;
    const release = node.hold();
    await terminal.press('n');
    await terminal.waitFor(screen => footer(screen).includes('loading'));
    await terminal.press('escape');
    await terminal.waitFor('cancelled');
    const asked = await node.waitForRequest(({ outcome }) => outcome === 'abandoned', { from: before });
    expect(asked.query.get('pagination.after')).not.toBeNull();
    release();
    await terminal.press('down', 'up');
    const kept = await terminal.waitFor(
      screen => !screen.includes('cancelled') && selectedKey(screen) === selectedKey(first),
    );
    expect(withoutHeader(kept)).toEqual(withoutHeader(first));
  });

  it('The explorer works on a node that is slow with every answer', async () => {
    await using node = await startStrictNode();
    node.delayMs = 500;
    await using terminal = await openExplorer({ node: node.url });
    await goToTab(terminal, 'provisions');
    await terminal.waitFor('waiting for the node ...');
    await terminal.waitFor(isAt('rows 1-50'));
    await terminal.press('n');
    await terminal.waitFor(screen => isAt('rows 1-50')(screen) && footer(screen).includes('loading'));
    await terminal.waitFor(isAt('rows 51-100'));
  });

  it('The explorer ignores an answer that arrives after the filters were changed', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(isAt('rows 1-50'));
    const before = node.requests.length;
    const releaseLate = node.hold();
    await terminal.press('n');
    await node.waitForRequest(({ query }) => query.has('pagination.after'), { from: before });
    await terminal.press('f');
    await terminal.waitFor('provisions on this market');
    await terminal.paste(node.ids.market);
    await terminal.press('enter');
    await node.waitForRequest(({ query }) => query.has('marketId'), { from: before });
    await node.waitForRequest(({ outcome }) => outcome === 'abandoned', { from: before });
    releaseLate();
    const { records } = await fetchPage(node.url, 'provisions', {
      live: 'true',
      marketId: node.ids.market,
      'pagination.first': '50',
    });
    const shown = await terminal.waitFor(
      screen => isAt('rows 1-50, more')(screen) && isShortOf(selectedKey(screen), records[0].partyId),
    );
    const keys = tableRows(shown).map(row => row.slice(2).split(' ')[0] ?? '');
    expect(keys).toHaveLength(18);
    for (const [index, key] of keys.entries()) expect(isShortOf(key, records[index].partyId), key).toBe(true);
  });
});

describe('Node error in the explorer', () => {
  it('The explorer shows the code, message and every detail of a node error, and r tries again', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    const details = [
      { '@type': 'type.googleapis.com/vega.ErrorDetail', code: 10_000, message: 'first detail', inner: 'its cause' },
      { '@type': 'type.googleapis.com/vega.ErrorDetail', code: 10_028, message: 'second detail', inner: 'another' },
    ];
    node.failNext({
      status: 500,
      headers: json,
      body: JSON.stringify({ code: 13, message: 'Internal error', details }),
    });
    await terminal.press('r');
    const failed = await terminal.waitFor('The node answered HTTP 500');
    for (const text of [
      'first detail: its cause (code 10000)',
      'second detail: another (code 10028)',
      'Internal error (code 13)',
    ])
      expect(failed).toContain(text);
    expect(failed).toContain('What to try:');
    expect(failed).toContain('/api/v2/network/parameters');
    await terminal.press('escape');
    await terminal.waitFor(hasWholeList(30));
    await terminal.press('r');
    await terminal.waitFor(screen => hasWholeList(30)(screen) && hasRows(screen));
  });

  it('The explorer calls the first page page 1 when r loads it after an error', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    node.failNext({ status: 500, headers: json, body: '{"code":13,"message":"Internal error","details":[]}' });
    await goToTab(terminal, 'fees');
    await terminal.waitFor('The node answered HTTP 500');
    await terminal.press('r');
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasWholeList(15)(screen));
  });

  it('The explorer also reads the wrapped shape of a node error', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    node.failNext({ status: 400, headers: json, body: '{"error":{"code":3,"message":"wrapped words","details":[]}}' });
    await terminal.press('r');
    expect(await terminal.waitFor('The node answered HTTP 400')).toContain('wrapped words (code 3)');
  });

  it.each([200, 503])('The explorer says that a proxy answered with a page of its own (HTTP %d)', async status => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    const body = '<!DOCTYPE html><html><head><title>Sorry \u001b[31m</title></head><body>no</body></html>';
    for (let attempt = 0; attempt < 3; attempt++)
      node.failNext({ status, headers: { 'content-type': 'text/html' }, body });
    await terminal.press('r');
    const failed = await terminal.waitFor('an HTML page titled "Sorry');
    expect(failed).toContain(status === 200 ? 'The answer cannot be used' : 'The node answered HTTP 503');
    expect(terminal.raw).not.toContain('Sorry \u001b');
  });

  it('The explorer recovers from one dropped connection', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    const before = node.requests.length;
    node.dropNext();
    await goToTab(terminal, 'fees');
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    expect(node.requests.slice(before).map(({ outcome }) => outcome)).toEqual(['cut', 'answered']);
  });

  it('The explorer says when the connection is dropped again and again', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    for (let attempt = 0; attempt < 3; attempt++) node.dropNext();
    await goToTab(terminal, 'fees');
    const failed = await terminal.waitFor('The node cannot be reached');
    expect(failed).toContain('What to try:');
    await terminal.press('r');
    await terminal.waitFor(hasRows);
  });

  it('The explorer says when an answer is truncated, and keeps the rows it had', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    for (let attempt = 0; attempt < 3; attempt++) node.truncateNext(200);
    await terminal.press('r');
    await terminal.waitFor('What to try:');
    await terminal.press('escape');
    await terminal.waitFor(hasWholeList(30));
  });

  it('The explorer counts down after too many requests, makes none meanwhile, and then r works', async () => {
    await using node = await startStrictNode();
    await using terminal = await openQuiet(node);
    node.failNext({
      status: 429,
      headers: json,
      body: '{"code":8,"message":"api request rate limit exceeded","details":[]}',
    });
    await terminal.press('r');
    const limited = await terminal.waitFor(/1 s to wait/);
    expect(limited).toContain('Too many requests');
    const asked = node.requests.length;
    await terminal.press('r');
    expect(node.requests).toHaveLength(asked);
    await terminal.waitFor('r tries again');
    await terminal.press('r');
    await terminal.waitFor(screen => hasWholeList(30)(screen) && hasRows(screen));
    expect(node.requests).toHaveLength(asked + 1);
  });
});

describe('Address where nothing listens', () => {
  it('The explorer says at the start and on every tab that nothing listens, and can be quit', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => closed.once('listening', resolve));
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise(resolve => closed.close(resolve));
    await using terminal = await openExplorer({
      node: `http://127.0.0.1:${port}`,
      until: 'The node cannot be reached',
    });
    expect(terminal.screen()).toContain('check the address and the port: nothing is listening there');
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(
      screen => screen.includes(openTab('provisions')) && screen.includes('The node cannot be reached'),
    );
    await terminal.press('q');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 0 });
  });
});
