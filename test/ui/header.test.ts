import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration } from '../../src/insight/time.ts';
import type { NodeState } from '../../src/session/model/state.ts';
import { answerPage, startSession } from '../session/fake-world.ts';
import { provisionPage } from '../session/provision-pages.ts';
import { paintedLines, plain } from './frame.ts';

const READ_AT_MS = Date.parse('2027-01-15T16:07:51.000Z');
const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const digits = fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }).map(String);

async function headerOf(columns: number, node: Partial<NodeState>): Promise<string> {
  const { session } = await startSession({ columns, rows: 12 });
  const state = session.state();
  return plain(paintedLines({ ...state, node: { ...state.node, ...node, status: 'ready' } })[0] ?? '');
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
        expect(line).toContain(`${duration(ageMs)} old at 16:07:51`);
      }),
    );
  });

  it('gives up what matters less where there is no room', async () => {
    const height = { block: '24031', ageMs: 474, readAtMs: READ_AT_MS };
    const lines: string[] = [];
    for (const columns of [40, 60, 80, 120])
      lines.push((await headerOf(columns, { height, ratePerSecond: 20 })).trimEnd());
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
       demo            474 ms old at 16:07:51
       blockglass  demo   block 24031  474 ms old at 16:07:51 UTC
       blockglass  demo    block 24031  474 ms old at 16:07:51 UTC   20 req/s allowed
       blockglass  demo                                            block 24031  474 ms old at 16:07:51 UTC   20 req/s allowed
      "
    `);
  });

  it('says that a block lies ahead of this clock instead of giving it an age', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    const blockTimeNs = `${world.clockMs + 5000}000000`;
    await answerPage(world, provisionPage(1), { blockHeight: '7', blockTimeNs });
    expect(plain(paintedLines(session.state())[0] ?? '')).toContain('block 7  5 s ahead at ');
  });

  it('keeps the digits of the block together', async () => {
    const height = { block: '24031000', ageMs: 1, readAtMs: READ_AT_MS };
    expect(await headerOf(80, { height })).toContain('block 24031000 ');
  });
});
