import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { type Mine, NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import { CheckMemory } from '../../../src/cli/check/check-state.ts';
import { NodeChecker } from '../../../src/cli/check/checker.ts';
import { CHECK_RULES, type CheckSettings } from '../../../src/cli/check/judge-check.ts';
import { startNode } from '../../../src/node/index.ts';
import { SETTINGS, START_MS } from '../../cli/switched-node.ts';

const DAY = 1440;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A living chain whose clock only the test moves, and what checks of it find so many minutes after its start. */
async function living() {
  let nowMs = START_MS;
  const clock = () => nowMs;
  const limit = { ratePerSecond: 1e6, burst: 1e6 };
  const node = await startNode({ live: true, provisions: 600, clock, rateLimit: limit });
  closers.push(() => node.close());
  const client = createClient({ base: new URL(node.url), nowMs: clock });
  const rows = async (path: string, wrapper: string): Promise<readonly Record<string, unknown>[]> => {
    const list = JSON.parse(await (await fetch(`${node.url}/api/v2/${path}`)).text());
    return list[wrapper].edges.map((edge: { readonly node: unknown }) => edge.node);
  };
  /** Checks of one rule, which remember each other. */
  const rule = (id: string, mine?: Mine) => {
    const memory = new CheckMemory(null);
    return async (minutes: number, more: Partial<CheckSettings> = {}): Promise<readonly string[]> => {
      nowMs = START_MS + minutes * 60_000;
      const settings: CheckSettings = {
        ...{ ...SETTINGS, rules: [id], isMine: mine !== undefined, mineOn: () => mine ?? NOTHING_MINE },
        ...more,
      };
      const signal = new AbortController().signal;
      const checker = new NodeChecker({ client, memory, settings, signal, nowMs: clock, timeoutMs: 60_000 });
      const { entries } = await checker.check();
      return entries.filter(one => one.rule !== 'node').map(({ severity, sentence }) => `${severity} ${sentence}`);
    };
  };
  return { rule, rows };
}

const range = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** What a rule finds before, during and after its trouble. */
interface Trouble {
  readonly rule: string;
  /** With this, the check is of what is the user's. */
  readonly mine?: 'first market' | 'second validator';
  readonly before: number;
  readonly during: number;
  readonly after: number;
  readonly alarm: RegExp;
}

const TROUBLES: readonly Trouble[] = [
  {
    ...{ rule: 'validator-performance', before: 50, during: 75, after: 100 },
    alarm: /^warning 1 of 8 validators below 90 % performance: Eiderdown at 72 %$/,
  },
  {
    ...{ rule: 'oracle-overdue', before: 115, during: 140, after: 155 },
    alarm: /^warning oracle spec dc7ce..cfecc 19 min 10 s overdue: BTC\/USDT-PERP settles on it$/,
  },
  {
    ...{ rule: 'commitment-above-bond', mine: 'first market', before: 170, during: 200, after: 260 },
    alarm:
      /^warning yours: provision of \S+ on BTC\/USDT-PERP \(you\) above its bond: [\d .]+ USDT committed, [\d .]+ USDT bond$/,
  },
  {
    ...{ rule: 'oracle-deactivated', before: 295, during: 315, after: 335 },
    alarm: /^critical oracle spec \S+ is deactivated: ETH\/USDT-PERP settles on it$/,
  },
  {
    ...{ rule: 'node-behind', before: 355, during: 367, after: 375 },
    alarm: /^warning the data node is 7 min behind its core, 400 blocks$/,
  },
  {
    ...{ rule: 'node-stalled', before: 361, during: 367, after: 375 },
    alarm: /^critical no new block for 6 min: block \d+ is the newest$/,
  },
  {
    ...{ rule: 'history', before: 415, during: 500, after: 515 },
    alarm: /^warning history ends at block 47500, 4 602 blocks behind the newest block of the node$/,
  },
  {
    ...{ rule: 'excess-signer', before: 3 * DAY, during: 4 * DAY + 10, after: 5 * DAY },
    alarm: /^critical no consensus validator .* removing signer Bryndal .* multisig scores are 0: .* none of the 3 /,
  },
  {
    ...{ rule: 'bundle', before: 3 * DAY, during: 4 * DAY + 10, after: 5 * DAY },
    alarm: /^warning remove signer Bryndal: 2 bundles, for one submitter each: 3 signatures; /,
  },
  {
    ...{ rule: 'validator-left', before: 3 * DAY, during: 4 * DAY + 10, after: 8 * DAY + 10 },
    alarm: /^warning validator Bryndal left the consensus set: it is on standby$/,
  },
  {
    ...{ rule: 'validator-outside', mine: 'second validator', before: 3 * DAY, during: 5 * DAY, after: 8 * DAY + 10 },
    alarm: /^info yours: 1 of 1 validator outside the consensus set: Bryndal \(you\)$/,
  },
];

describe('Attention rules on a live chain', () => {
  const found = new Map<string, readonly string[]>();
  const seen = (rule: string, minutes: number): readonly string[] => {
    const lines = found.get(`${rule} ${minutes}`);
    if (lines === undefined) throw new Error(`nobody looked for ${rule} after ${minutes} minutes`);
    return lines;
  };
  const provisionMinutes = range(238, 252);
  beforeAll(async () => {
    const { rule, rows } = await living();
    const named = async (path: string, wrapper: string, name: RegExp): Promise<string> =>
      String((await rows(path, wrapper)).find(row => name.test(JSON.stringify(row)))?.id);
    const market = await named('markets', 'markets', /"code":"BTC.USDT-PERP"/);
    const mine = {
      'first market': { ...NOTHING_MINE, market: new Set([market]) },
      'second validator': { ...NOTHING_MINE, node: new Set([await named('nodes', 'nodes', /"name":"Bryndal"/)]) },
    } as const;
    // Time passes once for all rules: a chain never goes back.
    const looks = TROUBLES.flatMap(({ rule: id, mine: own, before, during, after }) => {
      const check = rule(id, own && mine[own]);
      return [before, during, after].map(minutes => ({ id, check, minutes }));
    });
    const id = 'provision-change';
    const check = rule(id, mine['first market']);
    looks.push(...provisionMinutes.map(minutes => ({ id, check, minutes })));
    for (const look of looks.toSorted((one, other) => one.minutes - other.minutes))
      found.set(`${look.id} ${look.minutes}`, await look.check(look.minutes));
  }, 120_000);

  it.each(TROUBLES)(
    'The live chain raises the alarm of $rule and clears it',
    ({ rule, before, during, after, alarm }) => {
      const alarms = (minutes: number): readonly string[] => seen(rule, minutes).filter(line => alarm.test(line));
      expect([alarms(before), alarms(during).length, alarms(after)]).toEqual([[], 1, []]);
      for (const minutes of [before, during, after])
        expect(seen(rule, minutes).filter(line => line.startsWith('unknown'))).toEqual([]);
    },
  );

  it('The live chain raises the alarm of provision-change until the next epoch begins', () => {
    const counts = provisionMinutes.map(minutes => seen('provision-change', minutes).length);
    expect(counts.join('')).toMatch(/^0+1+0+$/);
  });

  it('The live chain raises the alarm of parameter-changed until the new value is accepted', async () => {
    const { rule } = await living();
    const check = rule('parameter-changed');
    expect(await check(1)).toEqual([]);
    expect(await check(6)).toEqual([expect.stringMatching(/^warning parameter \S+ is \S+, was \S+$/)]);
    expect(await check(7, { isAccepting: true })).toEqual([]);
    expect(await check(8)).toEqual([]);
  });

  it('The live chain raises the alarm of income after an epoch without income, and clears it after one with income', async () => {
    const { rule, rows } = await living();
    const fees = await rows('liquidity/paidfees', 'paidLiquidityFees');
    const parties = JSON.stringify(fees).match(/(?<="party":")\w+/g) ?? [];
    const check = rule('income', { ...NOTHING_MINE, party: new Set(parties) });
    const missing: number[] = [];
    for (const minutes of range(1, 31, 2)) {
      const lines = await check(minutes);
      for (const line of lines) expect(line).toMatch(/^warning no fees allocated to \S.* in epoch \d+, was /);
      missing.push(lines.length);
    }
    expect(missing.some((count, index) => count > (missing[index - 1] ?? 0))).toBe(true);
    expect(missing.some((count, index) => count < (missing[index - 1] ?? 0))).toBe(true);
  });

  it('The live chain has trouble for every rule', () => {
    const own = ['provision-change', 'parameter-changed', 'income'];
    // Another chain at the same address is another node.
    const rules = CHECK_RULES.map(({ id }) => id).filter(id => id !== 'chain-changed');
    expect([...TROUBLES.map(({ rule }) => rule), ...own].toSorted()).toEqual(rules.toSorted());
  });
});
