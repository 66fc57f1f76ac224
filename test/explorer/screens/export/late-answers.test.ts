import { describe, expect, it } from 'vitest';
import type { Survey } from '../../../../src/chain/range/survey-range.ts';
import type { Witness } from '../../../../src/chain/range/witnesses.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { atReview, check, end, exportEvent, exporting, wizardOf } from '../../support/export-scenes.ts';
import { FakeWorld, last, press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { overlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';

/** A world in which what is asked of an export that has ended takes as long as the test says. */
function slowWorld() {
  const world = new FakeWorld();
  const texts: ((text: string) => void)[] = [];
  const later = (): Promise<string> => new Promise(resolve => void texts.push(resolve));
  world.verify = later;
  world.audit = later;
  world.report = later;
  world.preview = later;
  return { world, answer: (text: string) => last(texts)(text) };
}

const LOOKS = [
  { title: 'Verified again', action: { type: 'verify-again' }, isProse: true },
  { title: 'Audit', action: { type: 'audit' }, isProse: true },
  { title: 'Report', action: { type: 'report', party: 'ab'.repeat(32) }, isProse: true },
  { title: 'The first rows', action: { type: 'preview' }, isProse: undefined },
] as const;

async function asked(action: (typeof LOOKS)[number]['action']) {
  const { world, answer } = slowWorld();
  const { session } = await exporting(world);
  await end(world);
  session.dispatch(exportEvent(session, action));
  return { session, world, answer };
}

describe.each(LOOKS)('Late answer on an export ($title)', ({ title, action, isProse }) => {
  const text = 'complete: /out/x.zip\n  3 rows';

  it('A late answer on an export is shown when the user waits for it', async () => {
    const { session, answer } = await asked(action);
    answer(text);
    await told();
    expect(overlayOf(session.state())).toEqual({ kind: 'value', title, text, isProse, top: 0 });
  });

  it.each<readonly [string, (session: Session) => void]>([
    ['types a command', session => press(session, ':')],
    ['looks at another tab', session => press(session, '1')],
  ])('A late answer on an export does not take the keys from a user who %s', async (_, goOn) => {
    const { session, answer } = await asked(action);
    goOn(session);
    const overlay = overlayOf(session.state());
    answer(text);
    await told();
    expect(overlayOf(session.state())).toEqual(overlay);
    expect(session.state().notice?.text).toBe(`${title.toLowerCase()}: complete: /out/x.zip`);
  });

  it('An answer on an export is not requested for the next export', async () => {
    const { session, world } = await asked(action);
    session.dispatch(exportEvent(session, { type: 'start-over' }));
    press(session, 'enter', 'enter', 'enter');
    await check(world);
    press(session, 'enter');
    await end(world);
    expect(wizardOf(session)).toMatchObject({ previewing: null, verifying: null, auditing: null, step: 'result' });
  });
});

describe('Times and epochs of a range', () => {
  const surveyOf = (seq: number): Survey => {
    const bound = { seq, isEdge: true, timeMs: 0 };
    return { kind: 'known', from: bound, to: bound, newest: 41 };
  };

  it('The times and epochs of a range are not shown for another range that was chosen meanwhile', async () => {
    const world = new FakeWorld();
    const open: ((survey: Survey) => void)[] = [];
    world.surveys = () => new Promise(resolve => void open.push(resolve));
    const { session } = await atReview(world);
    press(session, 'esc', 'esc', 'down');
    open[0]?.(surveyOf(1));
    await told();
    expect(wizardOf(session)).toMatchObject({ step: 'range', survey: null });
    press(session, 'enter', 'enter');
    await check(world);
    open[1]?.(surveyOf(2));
    await told();
    expect(wizardOf(session)).toMatchObject({ step: 'review', survey: { from: { seq: 2 } } });
  });
});

describe('Segments of a range on other profiles', () => {
  const same = (node: string, count: number): Witness => ({ node, same: count, of: 1, differs: null, problem: null });

  it('The segment comparison with other profiles is in the review and goes with the export', async () => {
    const world = new FakeWorld();
    const open: ((witnesses: readonly Witness[]) => void)[] = [];
    world.testify = () => new Promise(resolve => void open.push(resolve));
    const { session } = await atReview(world);
    expect(renderFrame(session.state())).toContain('asking the other profiles ...');
    open[0]?.([same('backup', 1), same('eu', 0)]);
    await told();
    const frame = renderFrame(session.state());
    expect(frame).toContain('backup reports the same history for these blocks');
    expect(frame).toContain('eu lists none of these segments');
    press(session, 'enter');
    expect(session.state().job?.request.witnesses).toHaveLength(2);
  });

  it('A late segment comparison with other profiles is neither awaited nor shown for another range', async () => {
    const world = new FakeWorld();
    const open: ((witnesses: readonly Witness[]) => void)[] = [];
    world.testify = () => new Promise(resolve => void open.push(resolve));
    const { session } = await atReview(world);
    press(session, 'esc', 'esc', 'down');
    open[0]?.([same('backup', 1)]);
    await told();
    press(session, 'enter', 'enter');
    await check(world);
    expect(renderFrame(session.state())).not.toContain('backup');
    press(session, 'enter');
    expect(session.state().job?.request.witnesses).toBeUndefined();
  });
});

describe('Check of a destination', () => {
  it('A destination check that began before a preset was chosen does not lead to its review', async () => {
    const world = new FakeWorld();
    world.connected = world.connected.then(known => ({ ...known, presets: { blocks: ['--table', 'blocks'] } }));
    const { session } = await atReview(world);
    press(session, 's', 'p', 'enter');
    await check(world);
    expect(wizardOf(session)).toMatchObject({ step: 'range', checking: null });
  });
});

describe('Confirmation about a file', () => {
  it('The confirmation about a file stays when an export ends meanwhile', async () => {
    const { session, world } = await exporting();
    press(session, 'L', ':');
    type(session, 'save x.ndjson');
    press(session, 'enter');
    last(world.saves).answer({ kind: 'exists', path: './x.ndjson' });
    await told();
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'replace-file' });
    await end(world);
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'replace-file' });
  });
});

it('The A key audits the exports in the folder of a complete export', async () => {
  const { session } = await exporting(new FakeWorld());
  press(session, 'A');
  expect(wizardOf(session).auditing).toBeNull();
  const { session: ended, answer, world } = await asked({ type: 'preview' });
  answer('height');
  await told();
  const audited: unknown[] = [];
  world.audit = async request => {
    audited.push(request.nodeFlags);
    return 'adds-up';
  };
  press(ended, 'esc', 'A');
  await told();
  // What it advises to fetch must come from the same chain.
  expect(audited).toEqual([['--demo']]);
});
