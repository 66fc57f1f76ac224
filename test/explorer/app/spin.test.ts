import { describe, expect, it } from 'vitest';
import { asciiText } from '../../../src/base/text/ascii.ts';
import { drawStatus } from '../../../src/explorer/app/frame/chrome.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { announcementOf } from '../../../src/explorer/terminal/screen-reader/announcement.ts';
import { answerPage, FakeWorld, press, startSession, told } from '../support/fake-world.ts';
import { provisionPage } from '../support/provision-pages.ts';

const statusOf = (session: Session): string =>
  drawStatus(session.state())
    .map(({ text }) => text)
    .join('')
    .trimEnd();

/** Lets so much time pass that the timer ends which moves the sign. */
async function pass(world: FakeWorld, ms: 500 | 250): Promise<void> {
  const timer = world.waits.findLast(({ asked, signal }) => asked.ms === ms && !signal.aborted);
  if (timer === undefined) throw new Error(`nothing waits for ${ms} ms`);
  world.clockMs += ms;
  timer.answer();
  await told();
}

const timers = (world: FakeWorld): readonly number[] =>
  world.waits.flatMap(({ asked, signal }) => (signal.aborted || ![500, 250].includes(asked.ms) ? [] : [asked.ms]));

describe('Wait indicator', () => {
  it('The wait indicator appears after half a second, and moves with the seconds until the answer is there', async () => {
    const { session, world } = await startSession();
    expect(statusOf(session)).toMatch(/^─+$/);
    await pass(world, 500);
    expect(statusOf(session)).toBe(' ⠖ loading the list  Esc stops waiting');
    await pass(world, 250);
    expect(statusOf(session)).toBe(' ⠲ loading the list  Esc stops waiting');
    await pass(world, 250);
    expect(statusOf(session)).toBe(' ⠴ loading the list, 1 s  Esc stops waiting');
    await answerPage(world, provisionPage(1, 2));
    expect(statusOf(session)).not.toContain('loading');
    expect(session.state().spin).toBeNull();
    world.waits.length = 0;
    press(session, 'j');
    expect(timers(world)).toEqual([]);
  });

  it('The wait indicator uses no timer while nothing is pending', async () => {
    const { session, world } = await startSession();
    await answerPage(world, provisionPage(1, 2));
    world.waits.length = 0;
    press(session, 'j', 'k');
    expect(timers(world)).toEqual([]);
  });

  it('The wait indicator starts again with each wait: several short ones are not a long one', async () => {
    const { session, world } = await startSession();
    await answerPage(world, { ...provisionPage(1, 2), hasNextPage: true });
    press(session, 'r');
    const [first] = world.waits.filter(({ asked, signal }) => asked.ms === 500 && !signal.aborted);
    await answerPage(world, provisionPage(1, 2));
    press(session, 'r');
    expect(first?.signal.aborted).toBe(true);
    expect(session.state().spin).toBeNull();
    await pass(world, 500);
    expect(statusOf(session)).toBe(' ⠖ loading the list again  Esc stops waiting');
  });

  it('The wait indicator shows the progress of a long wait', async () => {
    const { session, world } = await startSession();
    await answerPage(world, { ...provisionPage(1, 2), hasNextPage: true });
    press(session, 'S');
    world.wholes.at(-1)?.asked.onProgress({ rows: 1200, pages: 3, waitMs: 0 });
    await pass(world, 500);
    expect(statusOf(session)).toMatch(/^ ⠖ loading the whole list: 1.200 rows, page 3 {2}Esc cancels$/);
  });

  it('The wait indicator is ASCII when only ASCII is drawn', () => {
    expect(asciiText('⠖⠲⠴⠦')).toBe('|/-\\');
  });

  it('The wait indicator is not announced by a screen reader', async () => {
    const { session, world } = await startSession();
    const before = announcementOf(session.state());
    await pass(world, 500);
    await pass(world, 250);
    expect(announcementOf(session.state())).toEqual(before);
  });

  it('The wait indicator shows that a node is being connected', async () => {
    const unconnected = new FakeWorld();
    unconnected.connected = new Promise(() => {});
    const { session, world } = await startSession({ world: unconnected });
    await pass(world, 500);
    expect(statusOf(session)).toBe(' ⠖ starting the embedded node');
  });
});
