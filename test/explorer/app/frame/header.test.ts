import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortDuration } from '../../../../src/base/text/duration.ts';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import { ARCHIVE_AGE_MS } from '../../../../src/chain/directory/chain-state.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { type NodeState, nodeAfter } from '../../../../src/explorer/services/node/node.ts';
import { answerPage, last, press, startSession, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { provisionPage } from '../../support/provision-pages.ts';

const READ_AT_MS = Date.parse('2027-01-15T16:07:51.000Z');
/** Even a refusal is an answer. */
const ANSWERED = { type: 'node-refused', atMs: READ_AT_MS, isByNode: true } as const;
const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const digits = fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }).map(String);

async function headerOf(columns: number, node: Partial<NodeState>): Promise<string> {
  const { session } = await startSession({ columns, rows: 12 });
  const state = session.state();
  return plain(
    paintedLines({ ...state, node: { ...nodeAfter(state.node, ANSWERED), ...node, status: 'ready' } })[0] ?? '',
  );
}

describe('Header', () => {
  it('The header says whether the node is in sync, behind or an archive, at any width and next to any name', async () => {
    const widths = fc.integer({ min: 40, max: 250 });
    const ages = fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 2e12 }));
    const rates = fc.option(fc.nat(1e9));
    await fc.assert(
      fc.asyncProperty(widths, ages, digits, text, text, rates, async (columns, ageMs, block, label, chainId, rate) => {
        const height = { block, ageMs, readAtMs: READ_AT_MS };
        const core = { status: null, atMs: READ_AT_MS };
        const line = await headerOf(columns, { height, core, label, chainId, ratePerSecond: rate });
        const date = new Date(READ_AT_MS - ageMs).toISOString().slice(0, 10);
        if (ageMs >= ARCHIVE_AGE_MS) expect(line).toMatch(new RegExp(`archive(?:, newest block)? ${date}`));
        else expect(line).toContain(ageMs > 60_000 ? `behind ${shortDuration(ageMs)}` : 'in sync');
      }),
    );
  });

  it('The header calls a node behind from the age that the user set, and from one minute without one', async () => {
    const { session } = await startSession({ columns: 80, rows: 12 });
    const state = session.state();
    const lineAt = (ageMs: number, maxLagSeconds?: number) => {
      const height = { block: '7', ageMs, readAtMs: READ_AT_MS };
      const preferences = maxLagSeconds === undefined ? {} : { maxLagSeconds };
      const shown = { ...state, preferences, node: { ...nodeAfter(state.node, ANSWERED), height } };
      return plain(paintedLines(shown)[0] ?? '');
    };
    expect(lineAt(60_000)).toContain('in sync');
    expect(lineAt(60_001)).toContain('behind 1 min');
    expect(lineAt(60_001, 300)).toContain('in sync');
    expect(lineAt(5_001, 5)).toContain('behind 5 s');
    expect(lineAt(-5_001, 5)).toContain('ahead 5 s');
  });

  it('The header drops what matters less when there is no room', async () => {
    const height = { block: '24031', ageMs: 474, readAtMs: READ_AT_MS };
    const lines: string[] = [];
    for (const columns of [40, 60, 80, 120])
      lines.push((await headerOf(columns, { height, ratePerSecond: 20 })).trimEnd());
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
       blockglass  DEMO DATA                 in sync  block 24031
       blockglass  DEMO DATA                  in sync  block 24031   20 req/s allowed
       blockglass  DEMO DATA                                                          in sync  block 24031   20 req/s allowed
      "
    `);
  });

  it('The header keeps the digits of the block together', async () => {
    const height = { block: '24031000', ageMs: 1, readAtMs: READ_AT_MS };
    expect(await headerOf(80, { height })).toContain('block 24031000 ');
  });

  it('The header says how old rows are that are shown again, however new the last answer is', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    await answerPage(world, provisionPage(1));
    world.clockMs += 600_000;
    press(session, '3');
    await answerPage(world, provisionPage(1));
    expect(lineOf(session)).not.toContain('stale');
    press(session, '2');
    expect(lineOf(session)).toContain('stale 10 min');
  });

  it('The header says since when the node does not answer', async () => {
    const { session, world } = await startSession({ columns: 40, rows: 24 });
    await answerPage(world, provisionPage(1), { blockHeight: '7' });
    press(session, 'r');
    world.clockMs += 7000;
    last(world.pages).fail(new NetworkError('connection refused', { url: '', hint: '' }));
    await told();
    expect(lineOf(session)).toContain('offline since 08:00:07');
  });
});

const lineOf = (session: Session): string => plain(paintedLines(session.state())[0] ?? '');
