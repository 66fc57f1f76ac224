import { describe, expect, it } from 'vitest';
import type { NamedRange } from '../../../../src/chain/range/parse-range.ts';
import { listedBoundaries } from '../../../../src/chain/range/segment-boundaries.ts';
import { bindingFor, footerLabel } from '../../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { checkedRange, exportsSlices, newWizard, wizardPlan } from '../../../../src/explorer/screens/export/state.ts';
import { atRange, atReview, check, LISTED, startExport, typeRange, wizardOf } from '../../support/export-scenes.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { layersOf, overlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';

const noticeOf = (session: Session) => session.state().notice?.text;

describe('Steps of the export wizard', () => {
  it('The table step of the export wizard uses the keys of any list', async () => {
    const { session } = await startExport();
    const chosen = (...keys: readonly string[]) => {
      press(session, ...keys);
      return wizardOf(session).table;
    };
    expect(chosen('home')).toBe(0);
    expect(chosen('k')).toBe(0);
    expect(chosen('j', 'down')).toBe(2);
    expect(chosen('up')).toBe(1);
    expect(chosen('G')).toBe(14);
    expect(chosen('j')).toBe(14);
    expect(chosen('pageup')).toBe(0);
    expect(wizardOf(session)).toMatchObject({ step: 'table', from: '' });
  });

  it('The export wizard steps back one by one, and closes before the tables', async () => {
    const { session } = await atReview();
    for (const step of ['destination', 'range', 'table']) {
      press(session, 'esc');
      expect(wizardOf(session).step).toBe(step);
    }
    press(session, 'esc');
    expect(session.state().layers.some(({ screen }) => screen === 'export')).toBe(false);
    expect(session.state().tab).toBe('history');
  });

  it('The export wizard clears the problem of a step when it steps back', async () => {
    const { session } = await atRange();
    typeRange(session, '502', '700');
    press(session, 'enter');
    expect(wizardOf(session).problem).not.toBeNull();
    press(session, 'esc');
    expect(wizardOf(session).problem).toBeNull();
    press(session, 'enter');
    expect(wizardOf(session)).toMatchObject({ step: 'range', field: 'from', from: '502', to: '700', problem: null });
  });

  it('The export wizard puts the cursor into the bound that is wrong, the first one first', async () => {
    const { session } = await atRange();
    typeRange(session, '501', '701');
    press(session, 'tab', 'enter');
    expect(wizardOf(session).field).toBe('to');
    typeRange(session, '502', '701');
    press(session, 'enter');
    expect(wizardOf(session).field).toBe('from');
    type(session, '501');
    expect(wizardOf(session).problem).toBeNull();
  });

  it('The export wizard waits for the segments', async () => {
    const { session, world } = await startExport();
    press(session, 'enter', 'enter');
    expect(noticeOf(session)).toBe('the segments are loading');
    press(session, 'up', 'pageup');
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '', to: '' });
    type(session, '501');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ from: '501', to: '', asking: null });
  });

  it('The export wizard clears the segment error once the segments are requested again', async () => {
    const { session, world } = await startExport();
    last(world.segments).fail(new Error('boom'));
    await told();
    expect(wizardOf(session).asking).toBeNull();
    press(session, 'enter');
    expect(wizardOf(session).failure).toBeNull();
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    press(session, 'enter');
    expect(wizardOf(session)).toMatchObject({ step: 'destination', failure: null });
  });

  it('The export wizard requests the segments again from the range step too', async () => {
    const { session, world } = await startExport();
    press(session, 'enter');
    last(world.segments).fail(new Error('boom'));
    await told();
    press(session, 'enter');
    expect(world.segments.length).toBe(2);
    expect(wizardOf(session)).toMatchObject({ step: 'range', problem: null });
  });

  it('The export wizard has no field while the segments could not be read, and the keys of the program work', async () => {
    const failed = async (...keys: readonly string[]) => {
      const { session, world } = await startExport();
      press(session, 'enter');
      last(world.segments).fail(new Error('boom'));
      await told();
      press(session, ...keys);
      expect(wizardOf(session).from).toBe('');
      return { session, world, state: session.state() };
    };
    for (const key of ['?', ':', 'N', 'D', 'L', 'p'])
      expect(layersOf((await failed(key)).session), key).toHaveLength(2);
    expect((await failed('1')).state.tab).toBe('parameters');
    expect((await failed('tab')).state.tab).toBe('overview');
    for (const key of ['q', 'esc']) expect(wizardOf((await failed(key)).session).step).toBe('table');
    expect(noticeOf((await failed('up')).session)).toBe('the segments are not known: Enter asks again');
    const { session, world } = await failed();
    press(session, 'enter');
    type(session, '501');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '501', failure: null });
  });

  it('The export wizard keeps a bound that was typed before the segments arrived', async () => {
    const { session, world } = await startExport();
    press(session, 'enter', 'tab');
    type(session, '1500');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ from: '', to: '1500' });
    expect(checkedRange(wizardOf(session))).toBeUndefined();
    type(session, '');
    press(session, 'tab');
    type(session, '501');
    expect(checkedRange(wizardOf(session))).toBeUndefined();
  });

  it('The export wizard begins with empty bounds when the node keeps no history', async () => {
    const { session } = await atRange(listedBoundaries([]));
    expect(wizardOf(session)).toMatchObject({ from: '', to: '' });
    press(session, 'enter');
    expect(wizardOf(session).problem).toBe('a block height is needed');
  });

  it.each([
    ['pageup', '15001'],
    ['pagedown', '1'],
  ])('The export wizard moves a bound by ten boundaries on %s', async (key, expected) => {
    const { session } = await atRange({ kind: 'rule' });
    type(session, '5001');
    press(session, key);
    expect(wizardOf(session).from).toBe(expected);
  });

  it('The export wizard moves between the bounds by tab in both directions', async () => {
    const { session } = await atRange();
    const fields = ['tab', 'tab', 'shift-tab', 'shift-tab'].map(key => {
      press(session, key);
      return wizardOf(session).field;
    });
    expect(fields).toEqual(['to', 'from', 'to', 'from']);
  });

  it('The export wizard moves a bound that contains a word as if it were at the beginning', async () => {
    const { session } = await atRange();
    type(session, 'e4');
    press(session, 'up');
    expect(wizardOf(session)).toMatchObject({ from: '501', problem: null });
  });

  it('The export wizard ignores spaces around a height', async () => {
    const { session } = await atRange();
    typeRange(session, ' 501 ', '1500 ');
    press(session, 'enter');
    expect(wizardPlan(wizardOf(session))).toMatchObject({ fromBlock: 501n, toBlock: 1500n });
    expect(wizardOf(session).step).toBe('destination');
  });

  it('The export wizard says that the block of a date has not been found yet', async () => {
    const { session } = await atRange();
    type(session, '2026-10-01');
    expect(renderFrame(session.state())).toContain('Enter finds its block');
    type(session, '2026-02-30');
    expect(renderFrame(session.state())).toContain('a height, a date');
  });

  it('The export wizard plans a single request before a range is known', () => {
    expect(exportsSlices(newWizard('.'))).toBe(false);
  });

  it('The export wizard shows at once what a bound needs', async () => {
    const { session } = await atRange();
    for (const text of ['x', '1'.repeat(19), '5 5']) {
      type(session, text);
      press(session, 'enter');
      expect(wizardOf(session).problem).toMatch(
        /^a height, a date \(2026-10-01 12:00, UTC\) or an epoch \(e41\); or last 3/,
      );
    }
  });

  it('The export wizard aborts the lookup of a date on Esc, and stays', async () => {
    const { session, world } = await atRange();
    type(session, 'e41');
    press(session, 'enter', 'esc');
    expect(last(world.places).signal.aborted).toBe(true);
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: 'e41', locating: null });
    press(session, 'esc');
    expect(wizardOf(session).step).toBe('table');
  });

  it('The export wizard trims bounds, and asks again before replacing a file once the file is another one', async () => {
    const { session, world } = await atRange();
    typeRange(session, ' 501', ' 1500');
    expect(wizardOf(session)).toMatchObject({ from: '501', to: '1500' });
    press(session, 'enter', 'enter');
    await check(world, { exists: true });
    press(session, 'y');
    expect(wizardOf(session)).toMatchObject({ step: 'review', mayOverwrite: true });
    press(session, 'esc');
    type(session, '/other');
    expect(wizardOf(session)).toMatchObject({ step: 'destination', mayOverwrite: false });
  });

  it('The export wizard inserts a paste at the end of the focused field', async () => {
    const { session } = await atRange();
    typeRange(session, '50', '70');
    session.paste('0');
    expect(wizardOf(session)).toMatchObject({ from: '50', to: '700' });
    press(session, 'tab');
    session.paste('1');
    expect(wizardOf(session)).toMatchObject({ from: '501', to: '700' });
    press(session, 'enter');
    type(session, '/out');
    session.paste('/x.zip');
    expect(wizardOf(session)).toMatchObject({ step: 'destination', destination: '/out/x.zip' });
  });
});

describe('Destination of an export', () => {
  it('The destination of an export is trimmed, and is this folder when nothing is typed', async () => {
    for (const [typed, destination] of [
      ['  ', '.'],
      [' /out ', '/out'],
    ] as const) {
      const { session, world } = await atRange();
      press(session, 'enter');
      type(session, typed);
      press(session, 'enter');
      expect(last(world.checks).asked.destination).toBe(destination);
    }
  });

  it('The destination of an export needs a new check once another is typed', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world, { problem: 'no such folder' });
    type(session, '/elsewhere');
    expect(wizardOf(session)).toMatchObject({ check: null, problem: null, destination: '/elsewhere' });
  });

  it('The destination of an export that cannot be checked shows the reason', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    last(world.checks).fail(new Error('no permission'));
    await told();
    expect(wizardOf(session)).toMatchObject({
      step: 'destination',
      problem: 'no permission',
      check: { exists: false, freeBytes: null },
    });
    expect(overlayOf(session.state())).toBeNull();
  });

  it('The destination of an export is checked and confirmed again when a file becomes a folder of slices', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world, { exists: true });
    press(session, 'y');
    expect(wizardOf(session)).toMatchObject({ step: 'review', mayOverwrite: true });
    press(session, 's');
    expect(world.checks.length).toBe(2);
    expect(last(world.checks).asked).toMatchObject({ mayOverwrite: false, slices: { parallel: 1 } });
    await check(world, { exists: true });
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'overwrite' });
    press(session, 'y', 's');
    expect(last(world.checks).asked.slices).toBeUndefined();
  });

  it('The destination of an export needs no confirmation when nothing is replaced', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world);
    expect(overlayOf(session.state())).toBeNull();
    expect(wizardOf(session)).toMatchObject({ step: 'review', checking: null, check: { freeBytes: 1e9 } });
  });
});

describe('Export range with two named ends', () => {
  it('The two named ends of a range are found by one Enter', async () => {
    const { session, world } = await atRange();
    const asked: NamedRange[] = [];
    world.range = async range => {
      asked.push(range);
      return { from: { height: 501n, note: 'from', asked: null }, to: { height: 1500n, note: 'to', asked: null } };
    };
    typeRange(session, 'e20', ' 2026-10-01');
    expect(footerWordOf(session)).toBe('find');
    press(session, 'enter');
    await told();
    expect(asked).toEqual([{ kind: 'between', from: 'e20', to: '2026-10-01' }]);
    expect(wizardOf(session)).toMatchObject({ from: '501', to: '1500', rangeWords: 'e20..2026-10-01' });
    expect(footerWordOf(session)).toBe('next');
    press(session, 'enter');
    expect(wizardOf(session).step).toBe('destination');
  });

  it.each([
    ['e5', 'e4'],
    ['2026-10-02', '2026-10-01'],
  ])('The two named ends are not a range when %s comes before %s', async (from, to) => {
    const { session } = await atRange();
    typeRange(session, from, to);
    press(session, 'enter');
    await told();
    const problem = `${from} is after ${to}: put the earlier end first`;
    expect(wizardOf(session)).toMatchObject({ step: 'range', from, to, problem });
  });

  it('The hint that Enter finds the two named ends is shown once', async () => {
    const { session } = await atRange();
    typeRange(session, 'e4', 'e5');
    expect(renderFrame(session.state()).match(/Enter finds/g)).toEqual(['Enter finds']);
  });

  it('A single named end is found from the other field too', async () => {
    const { session, world } = await atRange();
    typeRange(session, 'e5', '1500');
    expect(footerWordOf(session)).toBe('find');
    press(session, 'enter');
    expect(last(world.places).asked).toEqual({ text: 'e5', bound: 'from' });
    last(world.places).answer({ height: 501n, note: 'epoch 5 begins with block 501', asked: null });
    await told();
    press(session, 'enter');
    expect(wizardOf(session).step).toBe('destination');
  });
});

it('The Enter hint of the export wizard says that it asks again after the segments could not be read', async () => {
  const { session, world } = await startExport();
  press(session, 'enter');
  last(world.segments).fail(new Error('boom'));
  await told();
  expect(footerWordOf(session)).toBe('ask again');
});

function footerWordOf(session: Session): string | undefined {
  const binding = bindingFor(session.state(), 'enter');
  return binding && footerLabel(session.state(), binding);
}

describe('Review of an export', () => {
  it('The review never shows the path of an old choice, even when the check of the new one is not awaited', async () => {
    const { session, world } = await atReview();
    press(session, 's');
    expect(renderFrame(session.state())).toContain('looking ...');
    expect(renderFrame(session.state())).not.toContain('1500.zip');
    press(session, 'esc');
    expect(wizardOf(session)).toMatchObject({ step: 'destination', checking: null });
    press(session, 'enter');
    await check(world);
    expect(wizardOf(session).step).toBe('review');
  });

  it('The review keeps an incomplete file only on request', async () => {
    const { session, world } = await atReview();
    press(session, 'i');
    expect(wizardPlan(wizardOf(session))?.keepsIncomplete).toBe(true);
    press(session, 'i', 'enter');
    expect(last(world.exports).asked.plan.keepsIncomplete).toBe(false);
  });

  it('The review exports by the rule of 1000 without expected CSVs and without a chain name', async () => {
    const { session } = await atRange({ kind: 'rule' });
    const plan = wizardPlan(wizardOf(session));
    expect(plan).toMatchObject({ fromBlock: 1n, toBlock: 1000n });
    expect(Object.keys(plan ?? {}).filter(name => ['chainId', 'runs', 'slices'].includes(name))).toEqual([]);
  });

  it('The review has no plan for a range that is not valid', async () => {
    const { session } = await atRange();
    typeRange(session, '501', '2100');
    expect(wizardPlan(wizardOf(session))).toBeUndefined();
    typeRange(session, '', '2100');
    expect(wizardPlan(wizardOf(session))).toBeUndefined();
  });
});
