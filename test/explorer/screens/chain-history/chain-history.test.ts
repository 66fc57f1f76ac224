import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../src/chain/api/errors.ts';
import { announcementOf } from '../../../../src/explorer/terminal/screen-reader/announcement.ts';
import { tablesFor } from '../../../../src/history/store/purposes.ts';
import { tabKey } from '../../../support/tabs.ts';
import { FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import {
  ESTIMATE,
  endFetch,
  FETCHED,
  fetching,
  NOTHING_FETCHED,
  onHistory,
  PARTY,
  PROGRESS,
  STORED,
  storedTable,
} from '../../support/history-scenes.ts';
import { menuItems, overlayOf } from '../../support/layers.ts';
import { insert, run } from '../../support/list-scenes.ts';

type Session = Awaited<ReturnType<typeof onHistory>>['session'];

const noticeOf = (session: Session) => session.state().notice?.text;
const topOf = (session: Session) => session.state().layers.at(-1);
const frame = (session: Session) => renderFrame(session.state());

/** The lines of the menu that is open, with why one cannot be chosen. */
function items(session: Session): readonly string[] {
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'menu') throw new Error('no menu is open');
  return menuItems(session.state(), overlay).map(({ label, detail }) => `${label}: ${detail}`);
}

describe('History tab', () => {
  it('The History tab reads the disk and asks for the segments when it is shown, and not before', async () => {
    const world = new FakeWorld();
    let reads = 0;
    world.storedHistory = async () => {
      reads++;
      return STORED;
    };
    const { session } = await startSession({ world });
    expect([reads, world.segments.length]).toEqual([0, 0]);
    press(session, tabKey('history'));
    await told();
    expect([reads, world.segments.length]).toEqual([1, 1]);
    press(session, '1', tabKey('history'));
    await told();
    expect(world.segments.length).toBe(1);
  });

  it('The History tab shows what is on disk while the node does not answer, and rows can be opened', async () => {
    const world = new FakeWorld();
    world.connected = Promise.reject(
      new RefusedError(503, { code: 0, message: '', details: [] }, { url: '', hint: '' }),
    );
    world.stored = STORED;
    const { session } = await startSession({ world, tab: 'history' });
    await told();
    expect(frame(session)).toContain('the node does not answer; history on disk can be queried without it');
    expect(frame(session)).toMatch(/> ledger .* on disk/);
    press(session, 'enter');
    expect(topOf(session)).toMatchObject({ screen: 'viewer', tab: 'history' });
  });

  it('The History tab says why the segments of the node are unknown, and r asks again', async () => {
    const world = new FakeWorld();
    world.stored = STORED;
    const { session } = await startSession({ world, tab: 'history' });
    last(world.segments).fail(new Error('boom'));
    await told();
    expect(frame(session)).toContain('boom; r asks again');
    press(session, 'r');
    expect(world.segments.length).toBe(2);
  });

  it('The History tab opens the rows of the selected table, and says how to have those of another', async () => {
    const { session } = await onHistory();
    press(session, 'end', 'enter');
    expect(noticeOf(session)).toContain('is not on disk: f fetches it');
    press(session, 'home', 'enter');
    expect(topOf(session)?.state).toMatchObject({
      opening: { paths: ['/data/fake-chain-1'], only: ['ledger'], question: null },
    });
  });

  it('The History tab says how to have an engine where none is installed', async () => {
    const { session } = await onHistory({ stored: { ...STORED, hasEngine: false } });
    expect(frame(session)).toContain('npm install -g @duckdb/node-api');
    for (const key of ['enter', 'R']) {
      press(session, key);
      expect(noticeOf(session)).toContain('npm install -g @duckdb/node-api');
    }
  });

  it('The History tab says what another chain has left on this address', async () => {
    const note = 'this address served old-chain before; that history stays in a folder of its own';
    const { session } = await onHistory({ stored: { ...NOTHING_FETCHED, notes: [note] } });
    expect(frame(session)).toContain(note);
  });

  it('The History tab cuts a long chain id, so that the rest of its title has room', async () => {
    const chainId = `long-${'x'.repeat(200)}-end`;
    const world = new FakeWorld();
    world.chainId = async () => chainId;
    world.stored = { ...STORED, chainId };
    const { session } = await startSession({ world, tab: 'history' });
    await told();
    const title = frame(session)
      .split('\n')
      .find(line => line.includes('History of '));
    expect(title).toMatch(/History of long-x+\.\.x+-end ─ .* on disk/);
  });

  it('The History tab marks damaged files, and says how many there are', async () => {
    const damaged = [{ from: 4001n, to: 5000n }];
    const tables = [storedTable('ledger', 4000, { damaged })];
    const { session } = await onHistory({ stored: { ...STORED, tables } });
    expect(frame(session)).toMatch(/> ledger +████! .* 1 damaged/);
    expect(frame(session)).toContain('! damaged');
  });

  it('The History tab says what each table holds and what its keys do while nothing is on disk', async () => {
    const { session } = await onHistory({ stored: NOTHING_FETCHED });
    expect(frame(session)).toMatch(/TABLE +HOLDS/);
    expect(frame(session)).toMatch(/> ledger +transfers between accounts: fees/);
    expect(frame(session)).not.toMatch(/ROWS|SIZE| -$/m);
    const { session: full } = await onHistory();
    expect(frame(full)).toMatch(/TABLE +ON DISK .*ROWS/);
    expect(frame(full)).toMatch(/deposits .* not fetched/);
  });

  it('The History tab opens the wizard for a file, and Esc comes back', async () => {
    const { session } = await onHistory();
    press(session, 'w');
    expect(topOf(session)?.screen).toBe('export');
    press(session, 'esc');
    expect(topOf(session)).toMatchObject({ screen: 'chain-history', isRoot: true });
  });

  it('The audit takes two keys from the start, and its verdict is shown over the tab', async () => {
    const world = new FakeWorld();
    world.stored = STORED;
    const { session } = await startSession({ world });
    press(session, tabKey('history'));
    await told();
    press(session, 'A');
    await told();
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', text: 'adds-up: /data/fake-chain-1' });
  });

  it('An audit of an empty history offers to fetch what an audit needs', async () => {
    const { session } = await onHistory({ stored: { ...STORED, tables: [] } });
    press(session, 'A');
    await told();
    press(session, 'enter');
    expect(session.state().chainHistory.fetch?.request).toMatchObject({
      title: 'an audit',
      tables: tablesFor('audit'),
    });
  });

  it('The report asks for the party and the range', async () => {
    const { session } = await onHistory();
    press(session, 'R');
    insert(session, PARTY);
    press(session, 'enter');
    insert(session, '20');
    press(session, 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'prompt' });
    press(session, 'ctrl-u');
    insert(session, '2026');
    press(session, 'enter');
    await told();
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value' });
    expect(frame(session)).toContain('2026');
  });
});

describe('Deleting from the History tab', () => {
  it.each([
    ['this table', [], ['ledger'], 'Delete the table ledger from disk, and free at least 20.0 kB?'],
    ['all tables', ['j'], undefined, 'Delete all tables of this chain from disk, and free at least 32.0 kB?'],
  ])('X deletes %s from disk after a yes, and says how much is free', async (_, keys, tables, question) => {
    const { session, world } = await onHistory();
    press(session, 'X', ...keys, 'enter');
    expect(frame(session)).toContain(question);
    press(session, 'n');
    await told();
    expect(world.forgotten).toEqual([]);
    press(session, 'X', ...keys, 'enter');
    world.stored = NOTHING_FETCHED;
    press(session, 'y');
    await told();
    expect(world.forgotten).toEqual([tables]);
    expect(noticeOf(session)).toBe('20.0 kB freed in /data/fake-chain-1');
    expect(frame(session)).toContain('nothing on disk yet');
  });

  it('X deletes nothing while a fetch runs', async () => {
    const { session } = await fetching();
    press(session, 'X');
    expect(noticeOf(session)).toBe('a fetch is running: x cancels it');
  });
});

describe('Fetch from the History tab', () => {
  it('The fetch menu has what each purpose would bring, once the node has said it', async () => {
    const { session, world } = await onHistory();
    press(session, 'f');
    expect(items(session)[0]).toBe('a report: looking for missing segments ...');
    last(world.estimates).answer(ESTIMATE);
    await told();
    expect(items(session)).toEqual([
      'a report: 7 segments: 7 tables',
      'an audit: 7 segments: 9 tables',
      'received: nothing is missing',
      'trades: nothing is missing',
      'this table: ledger: nothing is missing',
      'all tables: 7 segments, size not known yet: 15 tables',
      'verify the history on disk: reads every file again; damaged files are fetched again',
      'range: all that the node has: change it: last 3 segments, last-month, a date, an epoch',
    ]);
    press(session, 'esc', 'j', 'f');
    last(world.estimates).answer(ESTIMATE);
    await told();
    expect(items(session)).toContain('this table: balances: 2 segments, about 8.0 kB, 8 s: balances');
  });

  it('The fetch menu offers another range, estimates it, and fetches it', async () => {
    const { session, world } = await onHistory();
    press(session, 'f', 'end', 'enter');
    insert(session, 'soon');
    press(session, 'enter');
    expect(frame(session)).toContain('unknown range: soon');
    press(session, 'ctrl-u');
    insert(session, 'Last 2');
    press(session, 'enter');
    expect(last(world.estimates).asked).toBe('last 2');
    last(world.estimates).answer(ESTIMATE);
    await told();
    expect(frame(session)).toContain('Fetch missing history (last 2) for');
    press(session, 'enter');
    await told();
    expect(last(world.fetches).asked.request).toMatchObject({ title: 'a report (last 2)', range: 'last 2' });
  });

  it('The fetch menu says why nothing can be fetched', async () => {
    const { session, world } = await onHistory();
    press(session, 'f');
    last(world.estimates).answer({ ...ESTIMATE, problem: 'this node has another history' });
    await told();
    press(session, 'enter');
    expect(world.fetches).toHaveLength(0);
    expect(items(session)[0]).toBe('a report: this node has another history');
  });

  it('A fetch shows its table, blocks, segments, bytes, rate and time left', async () => {
    const { session, world } = await fetching();
    expect(last(world.fetches).asked.request).toMatchObject({ tables: tablesFor('report') });
    last(world.fetches).asked.onProgress(PROGRESS);
    expect(frame(session)).toContain('─ Fetching for a report ──');
    expect(frame(session)).toMatch(/ Segments {2}█+▒+ {2}1 of 2 \(50 %\), 4\.0 kB, 2 s left/);
    expect(frame(session)).toMatch(/ Rate {6}[▁-█]+ +0-3\.5 kB\/s in 2 s, average 2\.0 kB\/s/);
    expect(frame(session)).toContain(' Checks    ok 1 file   100 rows so far   now balances 4001-5000');
    expect(frame(session)).toMatch(/balances +███░▒ .* fetching/);
  });

  it('A fetch runs on while other tabs are used, is seen there, and its end is said', async () => {
    const { session, world } = await fetching();
    last(world.fetches).asked.onProgress(PROGRESS);
    press(session, tabKey('parameters'), 'r', tabKey('fees'));
    expect(last(world.fetches).signal.aborted).toBe(false);
    expect(frame(session)).toContain('fetch balances: 1 of 2, 2 s left');
    world.stored = { ...STORED, tables: [storedTable('ledger', 5000), storedTable('balances', 5000)] };
    await endFetch(session, world);
    expect(noticeOf(session)).toBe(FETCHED.lines[0]);
    press(session, tabKey('history'));
    await told();
    expect(frame(session)).toMatch(/balances +█████ .* verified/);
    expect(frame(session)).toContain(FETCHED.lines[0]);
    press(session, 'esc');
    expect(frame(session)).not.toContain(FETCHED.lines[0]);
  });

  it('A slice that has arrived shows in its table at once', async () => {
    const { session, world } = await fetching();
    const slice = { table: 'balances', from: 4001n, to: 5000n, rows: 100, bytes: 4000 };
    last(world.fetches).asked.onProgress({ ...PROGRESS, blocks: { from: 3001n, to: 4000n }, last: slice });
    expect(frame(session)).toMatch(/balances +███▒█ +400 /);
  });

  it('A fetch that waits says why', async () => {
    const { session, world } = await fetching();
    last(world.fetches).asked.onProgress({ ...PROGRESS, pause: { reason: 'rate-limit', leftMs: 3000 } });
    expect(frame(session)).toContain('rate limited; retrying in 3 s');
  });

  it('A fetch is cancelled after a yes, and what has arrived is kept', async () => {
    const { session, world } = await fetching();
    press(session, 'x');
    expect(frame(session)).toContain('Finished slices are kept');
    press(session, 'n');
    expect(last(world.fetches).signal.aborted).toBe(false);
    press(session, 'x', 'y');
    expect(last(world.fetches).signal.aborted).toBe(true);
    await told();
    expect(session.state().chainHistory.fetch).toMatchObject({ status: 'ended', result: { kind: 'cancelled' } });
    expect(frame(session)).toContain('cancelled: 2 segments were fetched');
  });

  it('Quitting during a fetch asks, and so does a switch to another node', async () => {
    const { session, world } = await fetching();
    press(session, 'q');
    expect(frame(session)).toContain('A fetch is running. Quit and cancel it? Finished slices are kept.');
    press(session, 'n');
    run(session, 'node http://127.0.0.1:9');
    expect(frame(session)).toContain('A fetch is running. Switch to http://127.0.0.1:9 and cancel it?');
    press(session, 'y');
    await told();
    expect(last(world.fetches).signal.aborted).toBe(true);
    expect(session.state().chainHistory.fetch).toBeNull();
  });

  it('A fetch that stopped says once why and stays on the tab, as on a full disk', async () => {
    const { session, world } = await fetching();
    const lines = ['The disk is full: /data has 0 B free', '2 of 7 segments are verified and on disk, 8.0 kB fetched.'];
    await endFetch(session, world, { kind: 'stopped', lines });
    for (const line of lines) expect(frame(session).split(line)).toHaveLength(2);
    expect(announcementOf(session.state()).lines.join()).toContain(lines[0]);
  });

  it('A fetch runs one at a time', async () => {
    const { session, world } = await fetching();
    press(session, 'f', 'enter');
    expect(noticeOf(session)).toBe('a fetch is running already');
    expect(world.fetches).toHaveLength(1);
  });
});

describe('History tab for a screen reader', () => {
  const read = (session: Session) => {
    const { lines, selected } = announcementOf(session.state());
    return [...lines, selected];
  };

  it('The History tab is not said to be empty before the disk was read', async () => {
    const world = new FakeWorld();
    world.storedHistory = () => new Promise(() => undefined);
    const { session } = await startSession({ world, tab: 'history' });
    expect(read(session)).toEqual(['']);
    expect(frame(session)).not.toContain('not fetched');
  });

  it('A fetch is said table by table, and not with each slice', async () => {
    const { session, world } = await fetching();
    last(world.fetches).asked.onProgress(PROGRESS);
    const once = read(session);
    expect(once[0]).toBe('Fetching for a report: balances, 50 % of 2 segments done');
    const arrived = { table: 'balances', from: 3001n, to: 4000n, rows: 100, bytes: 4000 };
    last(world.fetches).asked.onProgress({ ...PROGRESS, bytes: 8000, last: arrived });
    expect(read(session)).toEqual(once);
    await endFetch(session, world);
    expect(read(session)[0]).toBe(FETCHED.lines[0]);
    press(session, 'esc');
    expect(read(session)[0]).toBe(STORED.description);
  });
});

describe('Questions to the History tab', () => {
  it('The ask menu has the answers, the audit and the report, and what has to be fetched first', async () => {
    const { session } = await onHistory();
    press(session, 'a');
    expect(items(session)).toEqual([
      'received: what a party received and sent, by asset and month',
      'trades: not on disk: Enter fetches trades',
      'audit: do the tables agree: is a row missing, is money unexplained (without blocks, deposits, withdrawals, rewards, trades, positions, orders)',
      'report: one page about a party: money, fees, rewards, trades, balances (without rewards, trades, deposits, withdrawals, blocks)',
    ]);
  });

  it('The ask menu opens an answer for a party in the viewer', async () => {
    const { session } = await onHistory();
    press(session, 'a', 'enter');
    insert(session, PARTY);
    press(session, 'enter');
    expect(topOf(session)?.state).toMatchObject({
      opening: { paths: ['/data/fake-chain-1'], question: { name: 'received', party: PARTY } },
    });
  });

  it('The ask menu fetches with one key what an answer needs', async () => {
    const { session, world } = await onHistory();
    press(session, 'a', 'j', 'enter');
    await told();
    expect(last(world.fetches).asked.request).toEqual({ title: 'trades', tables: ['trades'], range: 'all' });
  });
});
