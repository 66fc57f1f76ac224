import { describe, expect, it } from 'vitest';
import { listedBoundaries } from '../../../../src/chain/range/boundaries.ts';
import type { NamedRange } from '../../../../src/chain/range/named-range.ts';
import { bindingFor, footerWord } from '../../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { isInSlices, newWizard, planOf, rangeOf } from '../../../../src/explorer/screens/export/state.ts';
import { atRange, atReview, check, LISTED, typeRange, wizardOf } from '../../support/export-scenes.ts';
import { last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { overlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';

const noticeOf = (session: Session) => session.state().notice?.text;

describe('the steps of an export', () => {
  it('choose a table by the keys of any list', async () => {
    const { session } = await startSession({ tab: 'export' });
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

  it('lead back one by one, and end at the tables', async () => {
    const { session } = await atReview();
    for (const step of ['destination', 'range', 'table', 'table']) {
      press(session, 'esc');
      expect(wizardOf(session).step).toBe(step);
    }
    expect(noticeOf(session)).toBe('q quits');
  });

  it('take what is wrong with one back with it', async () => {
    const { session } = await atRange();
    typeRange(session, '502', '700');
    press(session, 'enter');
    expect(wizardOf(session).problem).not.toBeNull();
    press(session, 'esc');
    expect(wizardOf(session).problem).toBeNull();
    press(session, 'enter');
    expect(wizardOf(session)).toMatchObject({ step: 'range', field: 'from', from: '502', to: '700', problem: null });
  });

  it('put the cursor into the bound that is wrong, the first one first', async () => {
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

  it('wait for the segments', async () => {
    const { session, world } = await startSession({ tab: 'export' });
    press(session, 'enter', 'enter');
    expect(noticeOf(session)).toBe('the segments are on their way');
    press(session, 'up', 'pageup');
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: '', to: '' });
    type(session, '501');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ from: '501', to: '', asking: null });
  });

  it('forget why the segments could not be had once they are asked for again', async () => {
    const { session, world } = await startSession({ tab: 'export' });
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

  it('ask for the segments again from the range too', async () => {
    const { session, world } = await startSession({ tab: 'export' });
    press(session, 'enter');
    last(world.segments).fail(new Error('boom'));
    await told();
    press(session, 'enter');
    expect(world.segments.length).toBe(2);
    expect(wizardOf(session)).toMatchObject({ step: 'range', problem: null });
  });

  it('leave a bound that was typed before the segments came', async () => {
    const { session, world } = await startSession({ tab: 'export' });
    press(session, 'enter', 'tab');
    type(session, '1500');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    expect(wizardOf(session)).toMatchObject({ from: '', to: '1500' });
    expect(rangeOf(wizardOf(session))).toBeUndefined();
    type(session, '');
    press(session, 'tab');
    type(session, '501');
    expect(rangeOf(wizardOf(session))).toBeUndefined();
  });

  it('begin with empty bounds where the node keeps no history', async () => {
    const { session } = await atRange(listedBoundaries([]));
    expect(wizardOf(session)).toMatchObject({ from: '', to: '' });
    press(session, 'enter');
    expect(wizardOf(session).problem).toBe('a block height is needed');
  });

  it.each([
    ['pageup', '15001'],
    ['pagedown', '1'],
  ])('move a bound by ten boundaries on %s', async (key, expected) => {
    const { session } = await atRange({ kind: 'rule' });
    type(session, '5001');
    press(session, key);
    expect(wizardOf(session).from).toBe(expected);
  });

  it('move between the bounds by tab in both directions', async () => {
    const { session } = await atRange();
    const fields = ['tab', 'tab', 'shift-tab', 'shift-tab'].map(key => {
      press(session, key);
      return wizardOf(session).field;
    });
    expect(fields).toEqual(['to', 'from', 'to', 'from']);
  });

  it('move a bound from where a word stands as from the beginning', async () => {
    const { session } = await atRange();
    type(session, 'e4');
    press(session, 'up');
    expect(wizardOf(session)).toMatchObject({ from: '501', problem: null });
  });

  it('take no notice of spaces around a height', async () => {
    const { session } = await atRange();
    typeRange(session, ' 501 ', '1500 ');
    press(session, 'enter');
    expect(planOf(wizardOf(session))).toMatchObject({ fromBlock: 501n, toBlock: 1500n });
    expect(wizardOf(session).step).toBe('destination');
  });

  it('say of a date that its block is still to be found', async () => {
    const { session } = await atRange();
    type(session, '2026-10-01');
    expect(renderFrame(session.state())).toContain('Enter finds its block');
    type(session, '2026-02-30');
    expect(renderFrame(session.state())).toContain('a height, a date');
  });

  it('are in one request before a range is known', () => {
    expect(isInSlices(newWizard('.'))).toBe(false);
  });

  it('say at once what a bound wants', async () => {
    const { session } = await atRange();
    for (const text of ['x', '1'.repeat(19), '5 5']) {
      type(session, text);
      press(session, 'enter');
      expect(wizardOf(session).problem).toMatch(
        /^a height, a date \(2026-10-01 12:00, UTC\) or an epoch \(e41\); or last 3/,
      );
    }
  });

  it('give the question for a date up on Esc, and stay', async () => {
    const { session, world } = await atRange();
    type(session, 'e41');
    press(session, 'enter', 'esc');
    expect(last(world.places).signal.aborted).toBe(true);
    expect(wizardOf(session)).toMatchObject({ step: 'range', from: 'e41', locating: null });
    press(session, 'esc');
    expect(wizardOf(session).step).toBe('table');
  });

  it('have bounds without spaces before them, and ask again whether a file may be replaced once it is another', async () => {
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

  it('take what is pasted at the end of the field in focus', async () => {
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

describe('the destination of an export', () => {
  it('is trimmed, and this folder where nothing is typed', async () => {
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

  it('is forgotten as checked once another is typed', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world, { problem: 'no such folder' });
    type(session, '/elsewhere');
    expect(wizardOf(session)).toMatchObject({ check: null, problem: null, destination: '/elsewhere' });
  });

  it('that cannot be looked at says why', async () => {
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

  it('is looked at anew when a file becomes a folder of slices, and asked about anew', async () => {
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

  it('is not asked about where nothing is replaced', async () => {
    const { session, world } = await atRange();
    press(session, 'enter', 'enter');
    await check(world);
    expect(overlayOf(session.state())).toBeNull();
    expect(wizardOf(session)).toMatchObject({ step: 'review', checking: null, check: { freeBytes: 1e9 } });
  });
});

describe('two ends that are named', () => {
  it('are found by one Enter', async () => {
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
    expect(footerWordOf(session)).toBe('go on');
    press(session, 'enter');
    expect(wizardOf(session).step).toBe('destination');
  });

  it.each([
    ['e5', 'e4'],
    ['2026-10-02', '2026-10-01'],
  ])('are no range where %s comes before %s', async (from, to) => {
    const { session } = await atRange();
    typeRange(session, from, to);
    press(session, 'enter');
    await told();
    const problem = `${from} is after ${to}: put the earlier end first`;
    expect(wizardOf(session)).toMatchObject({ step: 'range', from, to, problem });
  });

  it('are said to be found once', async () => {
    const { session } = await atRange();
    typeRange(session, 'e4', 'e5');
    expect(renderFrame(session.state()).match(/Enter finds/g)).toEqual(['Enter finds']);
  });

  it('is found from the other field too, where it is one', async () => {
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

it('names Enter by what it does where the segments could not be had', async () => {
  const { session, world } = await startSession({ tab: 'export' });
  press(session, 'enter');
  last(world.segments).fail(new Error('boom'));
  await told();
  expect(footerWordOf(session)).toBe('ask again');
});

function footerWordOf(session: Session): string | undefined {
  const binding = bindingFor(session.state(), 'enter');
  return binding && footerWord(session.state(), binding);
}

describe('the review of an export', () => {
  it('shows no place of what is not chosen any more, whoever does not wait for the look at the other', async () => {
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

  it('keeps an incomplete file only where it was asked to', async () => {
    const { session, world } = await atReview();
    press(session, 'i');
    expect(planOf(wizardOf(session))?.keepsIncomplete).toBe(true);
    press(session, 'i', 'enter');
    expect(last(world.exports).asked.plan.keepsIncomplete).toBe(false);
  });

  it('exports by the rule of 1000 with no CSVs to be expected and no name of a chain', async () => {
    const { session } = await atRange({ kind: 'rule' });
    const plan = planOf(wizardOf(session));
    expect(plan).toMatchObject({ fromBlock: 1n, toBlock: 1000n });
    expect(Object.keys(plan ?? {}).filter(name => ['chainId', 'runs', 'slices'].includes(name))).toEqual([]);
  });

  it('has no plan for a range that is not valid', async () => {
    const { session } = await atRange();
    typeRange(session, '501', '2100');
    expect(planOf(wizardOf(session))).toBeUndefined();
    typeRange(session, '', '2100');
    expect(planOf(wizardOf(session))).toBeUndefined();
  });
});
