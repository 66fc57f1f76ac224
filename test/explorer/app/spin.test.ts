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

describe('the sign of a wait', () => {
  it('appears after half a second, and moves with the seconds until the answer is there', async () => {
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

  it('asks for no time at all while nothing is waited for', async () => {
    const { session, world } = await startSession();
    await answerPage(world, provisionPage(1, 2));
    world.waits.length = 0;
    press(session, 'j', 'k');
    expect(timers(world)).toEqual([]);
  });

  it('starts anew with each wait: several short ones are not a long one', async () => {
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

  it('says how far a long wait is', async () => {
    const { session, world } = await startSession();
    await answerPage(world, { ...provisionPage(1, 2), hasNextPage: true });
    press(session, 'S');
    world.wholes.at(-1)?.asked.onProgress({ rows: 1200, pages: 3, waitMs: 0 });
    await pass(world, 500);
    expect(statusOf(session)).toMatch(/^ ⠖ loading the whole list: 1.200 rows, page 3 {2}Esc cancels$/);
  });

  it('is in ASCII where nothing else is drawn', () => {
    expect(asciiText('⠖⠲⠴⠦')).toBe('|/-\\');
  });

  it('is nothing that a screen reader says', async () => {
    const { session, world } = await startSession();
    const before = announcementOf(session.state());
    await pass(world, 500);
    await pass(world, 250);
    expect(announcementOf(session.state())).toEqual(before);
  });

  it('shows that a node is connected to', async () => {
    const unconnected = new FakeWorld();
    unconnected.connected = new Promise(() => {});
    const { session, world } = await startSession({ world: unconnected });
    await pass(world, 500);
    expect(statusOf(session)).toBe(' ⠖ starting the embedded node');
  });
});
