import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import type { Wizard } from '../../../../src/explorer/screens/export/state.ts';
import { EXPORT_TABLES } from '../../../../src/history/plan/export-tables.ts';
import { readPreset } from '../../../../src/history/plan/typed-export.ts';
import {
  atRange,
  atReview,
  check,
  end,
  exporting,
  LISTED,
  startExport,
  wizardOf,
} from '../../support/export-scenes.ts';
import { FakeWorld, last, press, told } from '../../support/fake-world.ts';
import { menuItems, overlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';

const tableOf = ({ table }: Wizard) => EXPORT_TABLES[table]?.id;
const command = (session: Session, line: string): void => {
  press(session, ':');
  type(session, line);
  press(session, 'enter');
};
const labels = (session: Session): readonly string[] => {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay).map(({ label }) => label) : [];
};

describe('Preset in the export wizard', () => {
  it('A preset fills table, range and the rest, reports what the wizard has no field for, and finds the range', async () => {
    const { session, world } = await startExport();
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    press(session, 'p');
    expect(labels(session)).toEqual(['daily', 'save the current choices']);
    press(session, 'enter');
    expect(session.state().notice?.text).toBe('the wizard has no field for --parallel');
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    await told();
    const wizard = wizardOf(session);
    // The two newest segments lie on either side of a gap, which the range says.
    expect([tableOf(wizard), wizard.step, wizard.from, wizard.to]).toEqual(['blocks', 'range', '701', '2100']);
    expect(wizard).toMatchObject({ isSliced: true, rangeWords: 'last 2', locating: null });
    press(session, 'enter');
    expect(wizardOf(session).problem).toMatch(/history has a gap/);
  });

  it('A preset is saved as the words of the command, with its range as it was named', async () => {
    const { session, world } = await atRange();
    type(session, 'last 1');
    press(session, 'enter');
    await told();
    expect(wizardOf(session)).toMatchObject({ from: '2001', to: '2100', rangeWords: 'last 1' });
    press(session, 'enter', 'enter');
    await check(world);
    command(session, 'preset save newest');
    await told();
    expect(world.keptPresets).toEqual([
      { profile: 'demo', name: 'newest', words: ['--table', 'ledger', '--last', '1'] },
    ]);
    expect(session.state().notice?.text).toContain('saved as newest');
    press(session, 'p');
    expect(labels(session)).toEqual(['daily', 'newest', 'save the current choices']);
  });

  it('A preset with a range that was typed as heights keeps the heights', async () => {
    const { session, world } = await atReview();
    command(session, 'preset save fixed');
    await told();
    expect(last([...world.keptPresets]).words).toEqual(['--table', 'ledger', '--from', '501', '--to', '1500']);
  });

  it.each([
    ['preset save a b', 'a preset name has at most 40 letters, digits, - and _'],
    ['preset dayly', 'no preset "dayly": there are daily; did you mean "daily"?'],
  ])('The preset line %j gets an error message', async (line, problem) => {
    const { session } = await atReview();
    command(session, line);
    expect(overlayOf(session.state())).toMatchObject({ kind: 'prompt', problem });
  });

  it('A preset needs a profile', async () => {
    const fake = new FakeWorld();
    fake.connected = fake.connected.then(({ presets: _, ...rest }) => rest);
    const { session } = await atReview(fake);
    press(session, 'p');
    expect(session.state().notice?.text).toBe('presets are saved with a profile: blockglass node add NAME URL');
  });

  it('A preset of any words is read without an error', () => {
    const word = fc.oneof(fc.constantFrom('--table', '--last', '--from=1', '--', '-o', 'ledger', '3'), fc.string());
    fc.assert(fc.property(fc.array(word), words => void readPreset(words)));
  });
});

describe('Finished export', () => {
  it('A finished export offers what can be done with it', async () => {
    const { session, world } = await exporting();
    await end(world);
    press(session, 'enter');
    expect(labels(session)).toEqual([
      'open it as a table',
      'ask it',
      'show the first rows',
      'verify it again',
      'audit the exports in its folder',
      'one page about a party',
      'copy the path',
      'copy the command that verifies it',
      'copy the command that converts it to Parquet',
      'copy the equal command',
      'the same range, next table',
      'another export',
    ]);
    press(session, 'down', 'down', 'down', 'enter');
    await told();
    expect(overlayOf(session.state())).toMatchObject({
      kind: 'value',
      title: 'Verified again',
      text: 'complete: /out/x.zip',
    });
    press(session, 'esc', 'enter', ...Array.from({ length: 7 }, () => 'down'), 'enter');
    await told();
    expect(last(world.copies).text).toBe('blockglass verify /out/x.zip --table ledger --from 501 --to 1500');
  });

  it('A finished export leads to the next table with the same range, up to its review', async () => {
    const { session, world } = await exporting();
    await end(world);
    press(session, 'enter', 'end', 'up', 'enter');
    await check(world);
    const wizard = wizardOf(session);
    expect([tableOf(wizard), wizard.step, wizard.from, wizard.to]).toEqual([
      'liquidity_provisions',
      'review',
      '501',
      '1500',
    ]);
  });

  it('An export that was cancelled before anything came offers no file', async () => {
    const { session, world } = await exporting();
    await end(world, { kind: 'cancelled', partPath: null, elapsedMs: 1 });
    press(session, 'enter');
    expect(labels(session)).toEqual([
      'the same again',
      'copy the equal command',
      'the same range, next table',
      'another export',
    ]);
    press(session, 'enter');
    await check(world);
    expect([tableOf(wizardOf(session)), wizardOf(session).step]).toEqual(['ledger', 'review']);
  });

  it('An interrupted export first offers what the screen promises, and also offers slices', async () => {
    const { session, world } = await exporting();
    const error = new NetworkError('the line broke', { url: '', hint: 'try again' });
    await end(world, { kind: 'failed', error, partPath: '/home/me/x.zip.part', elapsedMs: 1 });
    press(session, 'enter');
    expect(labels(session).slice(0, 2)).toEqual(['the same again', 'the same in slices']);
    press(session, 'down', 'enter');
    await check(world);
    expect([wizardOf(session).step, wizardOf(session).isSliced]).toEqual(['review', true]);
  });
});
