import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

const node = await startNode({});
afterAll(() => node.close());

const onNode = (...words: readonly string[]) => run([...words, '--node', node.url]);

interface Version {
  readonly partyId: string;
  readonly marketId: string;
  readonly status: string;
  readonly commitmentAmount: string;
}

interface Pair {
  readonly current: Version;
  readonly pending?: Version;
}

const answerOf = async (path: string) => JSON.parse(await (await fetch(`${node.url}/${path}`)).text());

/** The market with the most provisions, and what it has, as the node tells it. */
async function wholeMarket() {
  const { markets } = await answerOf('api/v2/markets');
  let best: { readonly market: string; readonly pairs: readonly Pair[] } = { market: '', pairs: [] };
  for (const { node: market } of markets.edges) {
    const path = `api/v2/liquidity/all-provisions?live=true&marketId=${market.id}&pagination.first=5000`;
    const { liquidityProvisions } = await answerOf(path);
    const pairs = liquidityProvisions.edges.map((edge: { readonly node: Pair }) => edge.node);
    if (pairs.length > best.pairs.length) best = { market: market.id, pairs };
  }
  return best;
}

const { market, pairs } = await wholeMarket();
const leaving = pairs.find(({ pending }) => pending?.commitmentAmount === '0') ?? pairs[0];

const linesOf = (out: string) => out.trimEnd().split('\n');

describe('Live provisions', () => {
  it('`list provisions` for a party shows markets, fees, commitments and pending changes', async () => {
    const party = leaving?.current.partyId ?? '';
    const { code, out, err } = await onNode('list', 'provisions', '--party-id', party, '--live');
    expect(code).toBe(0);
    expect(err).toMatch(/^\d+ rows?, all that match\n$/);
    const [head = '', ...rows] = linesOf(out);
    for (const title of ['MARKET', 'STATUS', 'COMMITMENT', 'FEE', 'UPDATED']) expect(head).toContain(title);
    // The market by its name.
    expect(rows.some(row => /^\S+ +[A-Z][\w-]*\/\S+ +ACTIVE -> 0 /.test(row))).toBe(true);
  });

  it('`list provisions` for a market shows parties by commitment, with their shares', async () => {
    const words = ['list', 'provisions', '--market-id', market, '--live', '--sort', 'commitment:desc'];
    const { code, out } = await onNode(...words);
    expect(code).toBe(0);
    const rows = linesOf(out).slice(1);
    expect(rows.length).toBe(pairs.length);
    const inForce = pairs.filter(({ current }) => ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED'].includes(current.status));
    const total = inForce.reduce((sum, { current }) => sum + BigInt(current.commitmentAmount), 0n);
    const byCommitment = pairs.toSorted((one, other) =>
      BigInt(one.current.commitmentAmount) < BigInt(other.current.commitmentAmount) ? 1 : -1,
    );
    expect(rows.map(row => row.slice(0, 64))).toEqual(byCommitment.map(({ current }) => current.partyId));
    for (const [index, { current }] of byCommitment.entries()) {
      const share = Number((BigInt(current.commitmentAmount) * 1000n) / total) / 10;
      const shown = / (?:<?([\d.]+) %|-) +[\d.]+ % /.exec(rows[index] ?? '')?.[1];
      if (inForce.some(pair => pair.current === current)) expect(Math.abs(Number(shown) - share)).toBeLessThan(0.11);
      else expect(shown).toBe(undefined);
    }
  });

  it('`list provisions` sorts the whole list, or notes that it does not', async () => {
    const words = ['list', 'provisions', '--market-id', market, '--live', '--sort', 'commitment'];
    const some = await onNode(...words, '--page-size', '3');
    expect(some.err).toContain(
      'Only these rows are sorted, and there may be more. Use --all to sort the whole list.\n',
    );
    expect(some.out).not.toMatch(/\d %\s+[\d.]+ %/);
    const all = await onNode(...words, '--all', '--page-size', '3', '-o', 'ndjson');
    expect(all.err).toBe('');
    const amounts = linesOf(all.out).map(line => BigInt(JSON.parse(line).commitmentAmount));
    expect(amounts).toEqual(amounts.toSorted((one, other) => (one < other ? -1 : 1)));
    expect((await onNode(...words, '--first', '2')).err).toContain('Only these rows are sorted');
  });

  it('`list provisions` omits computed columns from CSV, and reports an unknown column', async () => {
    const { out } = await onNode('list', 'provisions', '--market-id', market, '--live', '-o', 'csv');
    expect(linesOf(out)[0]?.trim()).toBe(
      'party,market,status,commitment,commitment_scaled,symbol,fee,version,updated,id,reference,created,pending-commitment,pending-commitment_scaled,pending-fee,pending-version,buys,sells',
    );
    const wrong = await onNode('list', 'provisions', '--sort', 'commitment:down');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('unknown column "commitment:down". Columns: party, market, status');
  });

  it('`list provisions` has one shape in every mode and format: the current version with the pending one', async () => {
    const words = ['list', 'provisions', '--market-id', market, '--live', '--all'];
    const records: readonly (Version & { readonly pending: Version | null })[] = JSON.parse(
      (await onNode(...words, '-o', 'json')).out,
    );
    expect(records).toEqual(pairs.map(({ current, pending = null }) => ({ ...current, pending })));
    expect(records.some(({ pending }) => pending !== null)).toBe(true);
    const lines = linesOf((await onNode(...words, '-o', 'ndjson')).out);
    expect(lines.map(line => JSON.parse(line))).toEqual(records);
    const [first] = records;
    const shown = JSON.parse(
      (await onNode('show', 'provisions', '0', '--market-id', market, '--live', '-o', 'json')).out,
    );
    expect(shown).toEqual(first);
    const every = linesOf((await onNode('list', 'provisions', '--market-id', market, '-o', 'ndjson')).out);
    for (const line of every) {
      const { marketId, pending } = JSON.parse(line);
      expect([marketId, pending]).toEqual([market, undefined]);
    }
  });
});
