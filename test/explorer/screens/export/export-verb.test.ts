import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { shownTrust } from '../../../../src/explorer/app/trust.ts';
import { wizardPlan } from '../../../../src/explorer/screens/export/state.ts';
import { EXPORT_TABLES } from '../../../../src/history/plan/export-tables.ts';
import { atReview, check, end, exporting, LISTED, SAVED, startExport, wizardOf } from '../../support/export-scenes.ts';
import { FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { menuItems, overlayOf, type ShownPrompt } from '../../support/layers.ts';
import { run, type } from '../../support/list-scenes.ts';

const tableOf = (session: Session) => EXPORT_TABLES[wizardOf(session).table]?.id;
const promptOf = (session: Session): ShownPrompt => {
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'prompt') throw new Error('no prompt is open');
  return overlay;
};

/** A node answers what it keeps, once. */
async function answerSegments(world: FakeWorld): Promise<void> {
  last(world.segments).answer({ boundaries: LISTED, hint: null });
  await told();
  await told();
}

/** A line was entered on a list, and the node has said what it keeps. */
async function entered(line: string, world = new FakeWorld()) {
  const { session } = await startSession({ world });
  run(session, `export ${line}`);
  await answerSegments(world);
  return { session, world };
}

describe(':export command', () => {
  it('The :export command opens the review with table, range and default name, and exports nothing by itself', async () => {
    const { session, world } = await entered('trades 501..1500');
    await check(world);
    expect(session.state().tab).toBe('history');
    expect(wizardOf(session)).toMatchObject({ step: 'review', advanceTo: null, from: '501', to: '1500' });
    expect(last(world.checks).asked).toMatchObject({ destination: '.', mayOverwrite: false });
    expect(world.exports).toHaveLength(0);
    press(session, 'enter');
    expect(last(world.exports).asked.plan).toMatchObject({ table: { id: 'trades' }, fromBlock: 501n, toBlock: 1500n });
  });

  it.each([
    ['ledger --last 1', 'ledger', '2001', '2100'],
    ['blocks last 1', 'blocks', '2001', '2100'],
    ['--table trades --from 501 --to 700', 'trades', '501', '700'],
    ['daily --last 1', 'blocks', '2001', '2100'],
  ])('The :export command accepts %j', async (line, table, from, to) => {
    const { session, world } = await entered(line);
    await check(world);
    expect([tableOf(session), wizardOf(session).step, wizardOf(session).from, wizardOf(session).to]).toEqual([
      table,
      'review',
      from,
      to,
    ]);
  });

  it('The :export command accepts one epoch or day for both ends', async () => {
    const asked: unknown[] = [];
    const world = new FakeWorld();
    Object.assign(world, {
      range: async (range: unknown) => {
        asked.push(range);
        return { from: { height: 501n, note: 'begins' }, to: { height: 700n, note: 'ends' } };
      },
    });
    const { session } = await entered('ledger e20', world);
    await check(world);
    expect(asked).toEqual([{ kind: 'between', from: 'e20', to: 'e20' }]);
    expect(wizardOf(session)).toMatchObject({ step: 'review', from: '501', to: '700', rangeWords: 'e20..e20' });
  });

  it('The :export command requests the segments again, because the newest ones may have changed', async () => {
    const { session, world } = await atReview();
    run(session, 'export ledger last 1');
    expect(world.segments).toHaveLength(2);
    await answerSegments(world);
    await check(world);
    expect(wizardOf(session)).toMatchObject({ step: 'review', from: '2001' });
  });

  it.each([
    ['ledger all', /history has a gap/],
    ['ledger 502..700', /segments begin at 501 and 701, not at 502/],
    ['ledger last-month', /./],
  ])('The :export command stays at the range when there is none of %j, and says why', async (line, problem) => {
    const { session, world } = await entered(line);
    expect(wizardOf(session)).toMatchObject({ step: 'range', advanceTo: null });
    expect(wizardOf(session).problem).toMatch(problem);
    expect(world.checks).toHaveLength(0);
  });

  it('The :export command stays at the range if the segments are unknown, and continues once Enter retries', async () => {
    const { session, world } = await startSession();
    run(session, 'export ledger 501..1500');
    last(world.segments).fail(new NetworkError('refused', { url: '', hint: '' }));
    await told();
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '501..1500' });
    expect(shownTrust(session.state()).kind).toBe('offline');
    // The field is not there to be typed into.
    type(session, '7');
    expect(wizardOf(session).from).toBe('501..1500');
    press(session, 'enter');
    await answerSegments(world);
    await check(world);
    expect(wizardOf(session)).toMatchObject({ step: 'review', from: '501', to: '1500', problem: null });
  });

  it('The :export command stays when the destination cannot be written, and asks before a file is replaced', async () => {
    const { session, world } = await entered('ledger 501..1500');
    await check(world, { problem: 'the folder /nowhere does not exist' });
    expect(wizardOf(session)).toMatchObject({ step: 'destination', advanceTo: null });
    const second = await entered('ledger 501..1500');
    await check(second.world, { exists: true });
    expect(overlayOf(second.session.state())).toEqual({ kind: 'confirm', id: 'overwrite' });
    press(second.session, 'n');
    expect(wizardOf(second.session)).toMatchObject({ step: 'destination', advanceTo: null });
  });

  it.each([
    ['another letter', (session: Session) => type(session, '7')],
    ['Esc', (session: Session) => press(session, 'esc')],
    ['the other bound', (session: Session) => press(session, 'tab')],
  ])('The :export command no longer advances by itself after %s', async (_, act) => {
    const { session, world } = await startSession();
    run(session, 'export ledger 501..1500');
    act(session);
    await answerSegments(world);
    expect(wizardOf(session)).toMatchObject({ advanceTo: null });
    expect(world.checks).toHaveLength(0);
  });

  it('The :export command with only a table asks for the blocks', async () => {
    const { session } = await entered('trades');
    expect([tableOf(session), wizardOf(session).step, wizardOf(session).from]).toEqual(['trades', 'range', '2001']);
  });

  it('The :export command without arguments opens the wizard', async () => {
    const { session } = await startSession();
    run(session, 'export');
    expect([session.state().tab, wizardOf(session).step]).toEqual(['history', 'table']);
  });

  it('The :export command puts a file next to the one of the export before', async () => {
    const { session, world } = await entered('ledger 501..700 --out /data/first.zip');
    await check(world);
    expect(last(world.checks).asked.destination).toBe('/data/first.zip');
    press(session, 'enter');
    await end(world);
    run(session, 'export ledger 501..1500');
    await answerSegments(world);
    expect(last(world.checks).asked.destination).toBe('/data/');
  });

  it('The :export command goes through several tables, with one review each', async () => {
    const { session, world } = await entered('trades,blocks,ledger 501..700');
    for (const [table, after] of [
      ['trades', 2],
      ['blocks', 1],
      ['ledger', 0],
    ] as const) {
      await check(world);
      expect([tableOf(session), wizardOf(session).step]).toEqual([table, 'review']);
      expect(wizardOf(session).tablesAfter).toHaveLength(after);
      press(session, 'enter');
      await end(world);
      press(session, 'enter', 'enter');
    }
    expect(world.exports.map(({ asked }) => asked.plan.table.id)).toEqual(['trades', 'blocks', 'ledger']);
  });

  it('The :export command does not touch a running export', async () => {
    const { session } = await exporting();
    run(session, 'export trades last 1');
    expect(session.state().notice?.text).toBe('an export is running already');
    expect(wizardOf(session)).toMatchObject({ step: 'progress', advanceTo: null });
  });

  it('The :export command reports what is wrong in its line', async () => {
    const { session } = await startSession();
    run(session, 'export legder e20..e25');
    expect(promptOf(session).problem).toBe('"legder" is not a table, preset or range; did you mean "ledger"?');
  });

  it('The :export command offers presets, tables, ranges and flags', async () => {
    const { session } = await startSession();
    press(session, ':');
    const offered = (text: string) => {
      press(session, 'ctrl-u');
      type(session, text);
      return promptOf(session).offered.map(({ line }) => line.replace(/^export /, ''));
    };
    expect(offered('export ').slice(0, 3)).toEqual(['daily', 'ledger', 'balances']);
    expect(offered('export la')).toEqual(['last-week', 'last-month']);
    expect(offered('export tr')).toEqual(['trades']);
    expect(offered('export ledger,tr')).toEqual(['ledger,trades']);
    expect(offered('export ledger ')).toEqual([
      'ledger last-week',
      'ledger last-month',
      'ledger this-month',
      'ledger all',
      'ledger last 3',
    ]);
    expect(offered('export ledger --la')).toEqual(['ledger --last']);
    expect(offered('export --table led')).toEqual(['--table ledger']);
    press(session, 'ctrl-u');
    type(session, 'expo');
    expect(promptOf(session).offered).toEqual([{ line: 'export ', label: 'export' }]);
  });
});

describe('Result of the last export', () => {
  it('The result of the last export can be reopened after leaving it, with offers for its own table and range', async () => {
    const { session, world } = await exporting();
    await end(world, SAVED);
    press(session, 'esc', 'down', 'down', 'enter');
    type(session, '2001');
    press(session, 'esc', 'v');
    expect(wizardOf(session)).toMatchObject({ step: 'result', from: '501', to: '1500' });
    press(session, 'enter');
    const overlay = overlayOf(session.state());
    const items = overlay?.kind === 'menu' ? menuItems(session.state(), overlay) : [];
    expect(items.find(({ label }) => label.includes('next table'))?.detail).toBe('liquidity_provisions');
    expect(wizardPlan(wizardOf(session))).toMatchObject({ table: { id: 'ledger' }, fromBlock: 501n, toBlock: 1500n });
  });

  it('The result of the last export is not available before one has ended', async () => {
    const { session } = await startExport();
    press(session, 'v');
    expect(session.state().notice?.text).toBe('no export has finished yet');
  });
});
