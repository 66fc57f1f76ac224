import { describe, expect, it } from 'vitest';
import { RangeEndError } from '../../../../src/chain/range/parse-range.ts';
import { listedBoundaries } from '../../../../src/chain/range/segment-boundaries.ts';
import { wizardPlan } from '../../../../src/explorer/screens/export/state.ts';
import { ratedProgress } from '../../../support/progress.ts';
import { tabKey } from '../../../support/tabs.ts';
import {
  atRange,
  atReview,
  check,
  exportEvent,
  exporting,
  segment,
  startExport,
  typeRange,
  wizardOf,
} from '../../support/export-scenes.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { overlayOf, withOverlayOf } from '../../support/layers.ts';
import { insert, run, type } from '../../support/list-scenes.ts';

describe('Export wizard', () => {
  it('The export wizard requests the segments once and starts at the newest one', async () => {
    const { session, world } = await atRange();
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '2001', to: '2100', field: 'from' });
    expect(session.state().node.chainId).toBe('fake-chain-1');
    press(session, 'esc', 'tab', 'shift-tab');
    expect(world.segments.length).toBe(1);
  });

  it('The export wizard falls back to the rule of 1000 and says so', async () => {
    const { session } = await atRange({ kind: 'rule' }, 'this node does not list its segments');
    expect(wizardOf(session)).toMatchObject({
      from: '1',
      to: '1000',
      boundariesHint: 'this node does not list its segments',
    });
    press(session, 'up');
    expect(wizardOf(session).from).toBe('1001');
    press(session, 'tab', 'up', 'up');
    expect(wizardOf(session).to).toBe('3000');
  });

  it('The export wizard shows why the segments could not be read, and asks again on Enter', async () => {
    const { session, world } = await startExport();
    last(world.segments).fail(new Error('boom'));
    await told();
    expect(wizardOf(session).failure?.lines).toEqual(['boom']);
    press(session, 'enter');
    expect(world.segments.length).toBe(2);
  });

  it('The export wizard snaps a bound to the nearest boundary above and below, and stays at the ends', async () => {
    const { session } = await atRange();
    type(session, '800');
    press(session, 'down');
    expect(wizardOf(session).from).toBe('701');
    press(session, 'up');
    expect(wizardOf(session).from).toBe('2001');
    press(session, 'up');
    expect(wizardOf(session).from).toBe('2001');
    press(session, 'down', 'down', 'down', 'down');
    expect(wizardOf(session).from).toBe('501');
  });

  it.each([
    ['2001', '1500', 'the first block 2001 is above the last block 1500'],
    ['501', '2100', 'history has a gap between 501 and 2100: choose a range without a gap'],
    ['502', '700', 'segments begin at 501 and 701, not at 502'],
    ['501', '701', 'segments end at 700 and 1500, not at 701'],
    ['', '700', 'a block height is needed'],
    ['1e3', '700', /a height/],
    ['-1', '700', /a height/],
  ])('The export wizard does not continue with %j to %j and says why', async (from, to, problem) => {
    const { session } = await atRange();
    typeRange(session, from, to);
    press(session, 'enter');
    expect(wizardOf(session).step).toBe('range');
    expect(wizardOf(session).problem).toMatch(problem);
  });

  it('The export wizard checks the destination first, and stays with the reason when it cannot be used', async () => {
    const { session, world } = await atRange();
    press(session, 'enter');
    type(session, '/nowhere');
    press(session, 'enter');
    expect(last(world.checks).asked).toMatchObject({ destination: '/nowhere', fromBlock: 2001n, toBlock: 2100n });
    await check(world, { problem: 'the folder /nowhere does not exist' });
    expect(wizardOf(session)).toMatchObject({ step: 'destination', problem: 'the folder /nowhere does not exist' });
    press(session, 'enter');
    await check(world);
    expect(wizardOf(session)).toMatchObject({ step: 'review', problem: null });
  });

  it('The export wizard does not take the check of one destination for that of another', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    type(session, '/elsewhere');
    await check(world);
    expect(wizardOf(session).step).toBe('destination');
  });

  it('The export wizard aborts the check of the destination on Esc', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter', 'esc');
    await check(world);
    expect(wizardOf(session)).toMatchObject({ step: 'destination', check: null });
  });

  it('The export wizard asks before a file is replaced, and accepts no for an answer', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world, { exists: true });
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'overwrite' });
    press(session, 'n');
    expect(wizardOf(session)).toMatchObject({ step: 'destination', mayOverwrite: false });
    press(session, 'enter');
    await check(world, { exists: true });
    press(session, 'y', 'enter');
    expect(last(world.exports).asked.plan.mayOverwrite).toBe(true);
  });

  it('The export wizard asks again when another range leads to another existing file', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world, { exists: true });
    press(session, 'y', 'esc', 'esc');
    typeRange(session, '501', '700');
    press(session, 'enter', 'enter');
    await check(world, { exists: true });
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'overwrite' });
  });

  it('The export wizard exports the reviewed plan with the expected CSVs', async () => {
    const { session, world } = await exporting();
    expect(last(world.exports).asked.plan).toMatchObject({
      table: expect.objectContaining({ id: 'ledger', name: 'TABLE_LEDGER' }),
      fromBlock: 501n,
      toBlock: 1500n,
      chainId: 'fake-chain-1',
      destination: '.',
      mayOverwrite: false,
      runs: [
        { schemaVersion: 93, fromBlock: 501n, toBlock: 700n },
        { schemaVersion: 94, fromBlock: 701n, toBlock: 1500n },
      ],
    });
    expect(wizardOf(session).step).toBe('progress');
  });

  it('The export wizard continues the export while other tabs are used, and shows there how it ended', async () => {
    const { session, world } = await atReview();
    press(session, 'enter', '2');
    const progress = ratedProgress({ bytes: 7, elapsedMs: 10, rows: 3, entryName: 'a.csv' });
    last(world.exports).asked.onProgress(progress);
    expect(session.state().job).toMatchObject({ status: 'running', progress });
    last(world.exports).answer({ kind: 'failed', error: new Error('boom'), partPath: null, elapsedMs: 1 });
    await told();
    expect(session.state().notice).toEqual({
      text: `the export did not complete: see tab ${tabKey('history')}`,
      tone: 'bad',
    });
    press(session, tabKey('history'));
    expect(wizardOf(session).step).toBe('result');
    press(session, 'enter', 'end', 'enter');
    expect(wizardOf(session).step).toBe('table');
  });

  it('The export wizard cancels only after a confirmation, and says where the bytes are', async () => {
    const { session, world } = await atReview();
    press(session, 'enter', 'x', 'n');
    expect(last(world.exports).signal.aborted).toBe(false);
    press(session, 'x', 'y');
    expect(last(world.exports).signal.aborted).toBe(true);
    await told();
    expect(session.state().job).toMatchObject({
      status: 'ended',
      result: { kind: 'cancelled', partPath: '/tmp/x.zip.part' },
    });
  });

  it('The explorer asks before it quits while an export runs', async () => {
    const { session, world } = await atReview();
    press(session, 'enter', 'q', 'q');
    expect(withOverlayOf(session.state())).toMatchObject({ isEnded: false, overlay: { kind: 'confirm', id: 'quit' } });
    press(session, 'n', 'ctrl-c', 'ctrl-c');
    expect(session.state().isEnded).toBe(true);
    expect(last(world.exports).signal.aborted).toBe(true);
  });

  it('The export wizard runs one export at a time', async () => {
    const { session, world } = await exporting();
    session.dispatch(exportEvent(session, { type: 'start-over' }));
    press(session, 'enter', 'enter', 'enter');
    await check(world);
    press(session, 'enter');
    expect(session.state().notice?.text).toBe('an export is running already');
    expect(world.exports.length).toBe(1);
  });

  it('The export wizard puts the block of a date, moved out to the boundary, into the bound with the date', async () => {
    const { session, world } = await atRange();
    type(session, '2026-10-01');
    press(session, 'enter');
    expect(last(world.places).asked).toEqual({ text: '2026-10-01', bound: 'from' });
    last(world.places).answer({ height: 900n, note: '2026-10-01 begins at about block 900', asked: null });
    await told();
    expect(wizardOf(session)).toMatchObject({
      step: 'range',
      from: '701',
      to: '2100',
      locating: null,
      notes: { from: '2026-10-01 begins at about block 900, in the segment that begins with 701', to: null },
    });
  });

  it('The export wizard accepts a date with a time as it is typed, letter by letter', async () => {
    const { session, world } = await atRange();
    const text = '2026-10-01 12:00';
    for (const index of text.split('').keys()) type(session, ` ${text}`.slice(0, index + 2));
    press(session, 'enter');
    expect(last(world.places).asked).toEqual({ text, bound: 'from' });
  });

  it.each([1800n, 3000n, 1n])(
    'The export wizard keeps the typed text when its block %d is in no segment, and says so',
    async height => {
      const { session, world } = await atRange();
      type(session, 'e41');
      press(session, 'enter');
      last(world.places).answer({ height, note: `epoch 41 begins with block ${height}`, asked: null });
      await told();
      const problem = `epoch 41 begins with block ${height}, which no segment of this node contains; the node keeps 501 to 1500, 2001 to 2100`;
      expect(wizardOf(session)).toMatchObject({ step: 'range', from: 'e41', problem, notes: { from: null, to: null } });
    },
  );

  it.each(['typing', 'up'])('The export wizard shows how a bound was found until it is changed by %s', async how => {
    const { session, world } = await atRange();
    type(session, 'e41');
    press(session, 'enter');
    last(world.places).answer({ height: 900n, note: 'epoch 41 begins with block 900', asked: null });
    await told();
    press(session, 'tab');
    expect(wizardOf(session).notes.from).toMatch(/^epoch 41 begins with block 900, /);
    press(session, 'tab');
    if (how === 'up') press(session, 'up');
    else type(session, '7');
    expect(wizardOf(session).notes).toEqual({ from: null, to: null });
  });

  it('The export wizard continues in slices what was begun in slices', async () => {
    const { session, world } = await atReview();
    press(session, 's');
    await check(world);
    press(session, 'enter', 'x', 'y');
    await told();
    press(session, 'enter', 'end', 'enter');
    expect(wizardOf(session)).toMatchObject({ step: 'table', from: '501', to: '1500' });
    expect(wizardPlan(wizardOf(session))?.slices).toEqual(last(world.exports).asked.plan.slices);
  });

  it('The export wizard keeps typed text that is not a place on this chain, and says why', async () => {
    const { session, world } = await atRange();
    type(session, '2020-01-01');
    press(session, 'enter');
    last(world.places).fail(new RangeEndError('2020-01-01 is before the first block'));
    await told();
    const problem = '2020-01-01 is before the first block';
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '2020-01-01', locating: null, problem });
  });

  it('The export wizard replaces a proposed bound by what is typed, and appends to a typed one', async () => {
    const { session } = await atRange();
    expect(wizardOf(session).from).toBe('2001');
    insert(session, '7');
    expect(wizardOf(session).from).toBe('7');
    insert(session, '0');
    expect(wizardOf(session).from).toBe('70');
    press(session, 'up');
    expect(wizardOf(session).from).toBe('501');
    session.paste('501..1500');
    expect(wizardOf(session).from).toBe('501..1500');
    press(session, 'enter');
    await told();
    press(session, 'tab');
    expect(wizardOf(session).to).toBe('1500');
    press(session, 'backspace');
    insert(session, '1');
    expect([wizardOf(session).from, wizardOf(session).to]).toEqual(['501', '1501']);
  });

  it('The export wizard replaces the proposed folder by a typed path, and appends a name to a typed one', async () => {
    const { session } = await atRange();
    typeRange(session, '501', '1500');
    press(session, 'enter');
    expect([wizardOf(session).step, wizardOf(session).destination]).toEqual(['destination', '.']);
    insert(session, '/');
    expect(wizardOf(session).destination).toBe('/');
    insert(session, 'tmp/');
    insert(session, 'x.zip');
    expect(wizardOf(session).destination).toBe('/tmp/x.zip');
    press(session, 'ctrl-u');
    for (const text of ['.', '/', 'x']) insert(session, text);
    expect(wizardOf(session).destination).toBe('./x');
  });

  it('The export wizard proposes slices that fit the range, from the fifty-first segment on', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => segment(at * 10 + 1, at * 10 + 10));
    for (const [count, segmentsPerSlice] of [
      [50, undefined],
      [51, 10],
      [75_000, 1000],
    ] as const) {
      const { session } = await atRange(listedBoundaries(many(count)));
      typeRange(session, '1', String(count * 10));
      expect(wizardPlan(wizardOf(session))?.slices?.segmentsPerSlice).toBe(segmentsPerSlice);
    }
  });

  it.each([['tab'], ['typing']])('The export wizard aborts the lookup of a date on %s', async how => {
    const { session, world } = await atRange();
    type(session, '2026-10-01');
    press(session, 'enter');
    if (how === 'tab') press(session, 'tab');
    else type(session, '501');
    const { from, to } = wizardOf(session);
    last(world.places).answer({ height: 900n, note: '', asked: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ from, to });
  });

  it('The export wizard starts no second export while one is running', async () => {
    const { session, world } = await exporting();
    session.dispatch(exportEvent(session, { type: 'start-over' }));
    press(session, 'enter', 'enter', 'enter');
    await check(world);
    expect(wizardOf(session).step).toBe('review');
    run(session, 'start');
    expect(overlayOf(session.state())).toMatchObject({ problem: 'an export is running already' });
  });
});
