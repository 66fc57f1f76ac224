import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../src/api/errors.ts';
import { duration } from '../../src/insight/time.ts';
import type { NodeState } from '../../src/session/model/state.ts';
import type { Session } from '../../src/session/session.ts';
import { answerPage, last, press, startSession, told } from '../session/fake-world.ts';
import { provisionPage } from '../session/provision-pages.ts';
import { paintedLines, plain } from './frame.ts';

const READ_AT_MS = Date.parse('2027-01-15T16:07:51.000Z');
const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const digits = fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }).map(String);

async function headerOf(columns: number, node: Partial<NodeState>): Promise<string> {
  const { session } = await startSession({ columns, rows: 12 });
  const state = session.state();
  return plain(
    paintedLines({ ...state, node: { ...state.node, nowMs: READ_AT_MS, ...node, status: 'ready' } })[0] ?? '',
  );
}

describe('the header', () => {
  it('holds the age of the last block and when it was read, at any width and beside any name', async () => {
    const widths = fc.integer({ min: 40, max: 250 });
    const ages = fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 2e12 }));
    const rates = fc.option(fc.nat(1e9));
    await fc.assert(
      fc.asyncProperty(widths, ages, digits, text, text, rates, async (columns, ageMs, block, label, chainId, rate) => {
        const height = { block, ageMs, readAtMs: READ_AT_MS };
        const line = await headerOf(columns, { height, label, chainId, ratePerSecond: rate });
        const word = ageMs > 60_000 ? 'BEHIND' : 'OK';
        expect(line).toContain(`${word} ${duration(ageMs)} at 16:07:51`);
      }),
    );
  });

  it('calls a node behind from the age on that the person said, and from a minute on without one', async () => {
    const { session } = await startSession({ columns: 80, rows: 12 });
    const state = session.state();
    const lineAt = (ageMs: number, maxLagSeconds?: number) => {
      const height = { block: '7', ageMs, readAtMs: READ_AT_MS };
      const preferences = maxLagSeconds === undefined ? {} : { maxLagSeconds };
      const shown = { ...state, preferences, node: { ...state.node, nowMs: READ_AT_MS, height } };
      return plain(paintedLines(shown)[0] ?? '');
    };
    expect(lineAt(60_000)).toContain('OK');
    expect(lineAt(60_001)).toContain('BEHIND');
    expect(lineAt(60_001, 300)).toContain('OK');
    expect(lineAt(5_001, 5)).toContain('BEHIND');
    expect(lineAt(-5_001, 5)).toContain('AHEAD');
  });

  it('gives up what matters less where there is no room', async () => {
    const height = { block: '24031', ageMs: 474, readAtMs: READ_AT_MS };
    const lines: string[] = [];
    for (const columns of [40, 60, 80, 120])
      lines.push((await headerOf(columns, { height, ratePerSecond: 20 })).trimEnd());
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
       demo             OK 474 ms at 16:07:51
       blockglass  demo    OK 474 ms at 16:07:51 UTC  block 24031
       blockglass  demo     OK 474 ms at 16:07:51 UTC  block 24031   20 req/s allowed
       blockglass  demo                                             OK 474 ms at 16:07:51 UTC  block 24031   20 req/s allowed
      "
    `);
  });

  it('says that a block lies ahead of this clock instead of giving it an age', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    const blockTimeNs = `${world.clockMs + 5000}000000`;
    await answerPage(world, provisionPage(1), { blockHeight: '7', blockTimeNs });
    expect(plain(paintedLines(session.state())[0] ?? '')).toContain('OK 5 s ahead at ');
  });

  it('keeps the digits of the block together', async () => {
    const height = { block: '24031000', ageMs: 1, readAtMs: READ_AT_MS };
    expect(await headerOf(80, { height })).toContain('block 24031000 ');
  });

  it('calls an answer old after five minutes, and counts on by the minute; another answer is not', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    const facts = { blockHeight: '7', blockTimeNs: `${world.clockMs - 2000}000000` };
    await answerPage(world, provisionPage(1), facts);
    expect(lineOf(session)).toContain('OK 2 s at 08:00:00');
    for (const minute of [5, 6, 7]) {
      const wait = last(world.waits);
      expect(wait.asked.ms).toBe(minute === 5 ? 300_000 : 60_000);
      world.clockMs += wait.asked.ms;
      wait.answer();
      await told();
      expect(lineOf(session)).toContain(`OLD answer ${minute} min at 08:00:00`);
    }
    press(session, 'r');
    await answerPage(world, provisionPage(1), facts);
    expect(lineOf(session)).toContain('BEHIND 7 min at 08:07:00');
  });

  it('says of rows that are shown again how old they are, however new the last answer is', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    await answerPage(world, provisionPage(1));
    world.clockMs += 600_000;
    press(session, '3');
    await answerPage(world, provisionPage(1));
    expect(lineOf(session)).not.toContain('OLD');
    press(session, '2');
    expect(lineOf(session)).toContain('OLD answer 10 min at 08:00:00');
  });

  it('is OFFLINE while the node does not answer, with the time of what is shown', async () => {
    const { session, world } = await startSession({ columns: 40, rows: 24 });
    await answerPage(world, provisionPage(1), { blockHeight: '7' });
    press(session, 'r');
    last(world.pages).fail(new NetworkError('connection refused', { url: '', hint: '' }));
    await told();
    expect(lineOf(session)).toContain('OFFLINE at 08:00:00');
  });
});

const lineOf = (session: Session): string => plain(paintedLines(session.state())[0] ?? '');
