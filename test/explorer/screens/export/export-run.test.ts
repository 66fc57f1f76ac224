import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/explorer/app/session.ts';
import type { Action } from '../../../../src/explorer/core/action.ts';
import type { ExportResult } from '../../../../src/history/download/export-result.ts';
import type { Manifest } from '../../../../src/history/manifest/manifest.ts';
import { ratedProgress } from '../../../support/progress.ts';
import { atRange, atReview, check, end, exportEvent, exporting, SAVED, wizardOf } from '../../support/export-scenes.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { overlayOf, withOverlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';

const noticeOf = (session: Session) => session.state().notice?.text;

describe('Running export', () => {
  it('A running export continues when Esc closes the wizard, which opens at its progress again', async () => {
    const { session, world } = await atReview();
    press(session, 'enter', 'esc');
    expect(last(world.exports).signal.aborted).toBe(false);
    expect(session.state().layers.some(({ screen }) => screen === 'export')).toBe(false);
    press(session, 'w');
    expect(wizardOf(session)).toMatchObject({ step: 'progress', from: '501', to: '1500' });
  });

  it('A running export is the only one, whoever requests another', async () => {
    const { session, world } = await exporting();
    session.dispatch(exportEvent(session, { type: 'start-over' }));
    press(session, 'enter', 'enter', 'enter');
    await check(world);
    session.dispatch(exportEvent(session, { type: 'accept' }));
    expect(noticeOf(session)).toBe('an export is running already');
    expect(world.exports.length).toBe(1);
  });

  it.each(['saved', 'saved-slices', 'cancelled'] as const)(
    'A running export that ends %s says so on its screen alone, and closes its question',
    async kind => {
      const { session, world } = await atReview();
      press(session, 'enter', 'x');
      expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'cancel-export' });
      await end(world, endedAs(kind));
      expect(withOverlayOf(session.state())).toMatchObject({
        overlay: null,
        notice: null,
        job: { status: 'ended' },
      });
      expect(wizardOf(session).step).toBe('result');
    },
  );

  it('Ctrl-C in the cancel question of a running export asks about quitting, and a second one quits', async () => {
    const { session } = await exporting();
    press(session, 'x', 'ctrl-c');
    expect(withOverlayOf(session.state())).toMatchObject({ overlay: { kind: 'confirm', id: 'quit' }, isEnded: false });
    press(session, 'ctrl-c');
    expect(session.state()).toMatchObject({ isEnded: true, isInterrupted: true });
  });

  it('A running export stops when the session is closed, and reports where its bytes are', async () => {
    const { session, world } = await exporting();
    await session.close();
    expect(last(world.exports).signal.aborted).toBe(true);
    expect(session.state().job).toMatchObject({ status: 'ended', result: { kind: 'cancelled' } });
  });

  it('A running export reports its progress to subscribers, and nothing of an export before it', async () => {
    const { session, world } = await exporting();
    let heard = 0;
    session.subscribe(() => heard++);
    const progress = ratedProgress({ bytes: 7, elapsedMs: 1, rows: 1, entryName: 'a' });
    last(world.exports).asked.onProgress(progress);
    expect([heard, session.state().job]).toMatchObject([1, { status: 'running', progress, isCancelling: false }]);
    last(world.exports).answer(endedAs('cancelled'));
    await session.idle();
    const ended = session.state();
    last(world.exports).asked.onProgress(progress);
    expect(session.state()).toBe(ended);
  });

  it('An export that ends leaves what covers the screen', async () => {
    const { session, world } = await atReview();
    press(session, 'enter', '?');
    await end(world);
    expect(overlayOf(session.state())?.kind).toBe('menu');
  });

  it('An export that ends leaves the wizard for the next export at its step', async () => {
    const { session, world } = await exporting();
    session.dispatch(exportEvent(session, { type: 'start-over' }));
    expect(wizardOf(session).mayOverwrite).toBe(false);
    await end(world);
    expect(wizardOf(session).step).toBe('table');
  });

  it('A finished export shows its first rows over the result, and only while they are requested', async () => {
    const { session, world } = await exporting();
    await end(world);
    press(session, 'v');
    expect(wizardOf(session).previewing).not.toBeNull();
    await told();
    expect(withOverlayOf(session.state())).toMatchObject({
      overlay: { kind: 'value', title: 'The first rows', text: 'height\n1\n', top: 0 },
    });
    press(session, 'esc', 'enter', 'end', 'enter');
    expect(wizardOf(session)).toMatchObject({ step: 'table', check: null, isSliced: null, survey: null });
  });

  it('An export without any CSV has no first rows to show', async () => {
    const { session, world } = await exporting();
    await end(world, endedAs('cancelled'));
    press(session, 'v');
    expect(noticeOf(session)).toBe('no CSV arrived');
    expect(wizardOf(session).previewing).toBeNull();
  });
});

describe('Events of an export', () => {
  it('An event of an export before the running one, or after it ended, changes nothing', async () => {
    const { session, world } = await exporting();
    const before = session.state();
    for (const job of Array.from({ length: before.lastId }, (_, at) => at)) {
      for (const event of newsOf(job)) session.dispatch(event);
    }
    expect(session.state()).toBe(before);
    await end(world);
    const ended = session.state();
    for (const event of newsOf(ended.job?.id ?? 0)) session.dispatch(event);
    expect(session.state()).toBe(ended);
  });

  it('The requests of an export each have their own id', async () => {
    const { session, world } = await atRange();
    type(session, 'e41');
    press(session, 'enter', 'esc', 'enter');
    const { locating } = wizardOf(session);
    last(world.places).answer({ height: 2050n, note: '', asked: null });
    await told();
    press(session, 'enter', 'enter', 'esc', 'enter');
    const { checking } = wizardOf(session);
    await check(world);
    press(session, 's');
    const again = wizardOf(session).checking;
    await check(world);
    press(session, 's', 'enter');
    await end(world);
    press(session, 'v');
    const { previewing, lastRequest } = wizardOf(session);
    const ids = [locating, checking, again, previewing];
    expect(ids).not.toContain(null);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => Number(a) - Number(b)));
    expect(previewing).toBe(lastRequest);
  });

  it('The chain name is still requested when the segments of an export do not give it', async () => {
    const { session } = await atRange({ kind: 'rule' });
    expect(session.state().node.chainId).toBe('fake-chain-1');
  });
});

const manifest: Manifest = {
  format: 1,
  program: '',
  node: '',
  chainId: '',
  table: 'ledger',
  fromBlock: '1',
  toBlock: '1000',
  segmentsPerSlice: 1,
  started: '',
  finished: '',
  notes: [],
  witnesses: [],
  slices: [],
};

function endedAs(kind: 'saved' | 'saved-slices' | 'cancelled'): ExportResult {
  switch (kind) {
    case 'saved':
      return SAVED;
    case 'saved-slices':
      return { kind, folder: '/out/x', manifest, notes: [], elapsedMs: 1 };
    case 'cancelled':
      return { kind, partPath: null, elapsedMs: 1 };
  }
}

/** What happens to an export, of the one with this id. */
const newsOf = (job: number): readonly Action[] => [
  {
    type: 'export-progressed',
    job,
    progress: ratedProgress({}),
  },
  { type: 'export-ended', job, result: endedAs('cancelled') },
];
