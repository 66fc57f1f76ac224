import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OVERVIEW_REQUESTS } from '../../../src/attention/overview/answers.ts';
import { createOverview } from '../../../src/attention/overview/overview.ts';
import { requestOverview } from '../../../src/attention/overview/request-overview.ts';
import { commitmentAboveBond } from '../../../src/attention/rules/commitment-above-bond.ts';
import type { RuleFinding } from '../../../src/attention/rules/rule.ts';
import type { ObservedProvisions, RuleInput } from '../../../src/attention/rules/rule-input.ts';
import { createClient } from '../../../src/chain/api/client.ts';
import { jsonText, member } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import type { Row } from '../../../src/chain/resources/resource.ts';
import { objectOf } from '../../chain/resources/full-records.ts';
import { marketIds, page } from '../../node/wire.ts';
import { startFaultyNode } from '../../support/faults/faulty-node.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 23, 12);

type FindingsOf = (rule: string) => readonly RuleFinding[];

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A demo node whose clock is the one of the test, and what each rule finds at a time after its start. */
async function demo(...faults: readonly string[]) {
  let now = START;
  const node = await startFaultyNode({ clock: () => now, faults, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  closers.push(() => node.close());
  const at = async (minutes: number, clockMs = 0): Promise<FindingsOf> => {
    now = START + minutes * MINUTE;
    const nowMs = () => now + clockMs;
    const client = createClient({ base: new URL(node.url), nowMs });
    const answers = await requestOverview(client, { signal: new AbortController().signal, nowMs });
    expect(answers.requests).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
    const { attention } = createOverview(answers, { nowMs: nowMs(), limit: { ms: MINUTE, isLive: false } });
    return rule => attention.find(judged => judged.rule === rule)?.findings ?? [];
  };
  return { at, url: node.url };
}

/** Provisions and bonds were loaded, and nothing else. */
function seenOf(provisions: ObservedProvisions, bonds: readonly Row[]): RuleInput {
  const read = <Value>(value: Value) => ({ kind: 'read', value, records: null, gap: '', atMs: START }) as const;
  const none = { kind: 'waiting' } as const;
  return {
    ...{
      directory: NO_NAMES,
      nowMs: START,
      blockTimeMs: null,
      epoch: null,
      hasEnded: false,
      limit: { ms: MINUTE, isLive: false },
    },
    sources: {
      ...{ node: none, history: none, markets: none, validators: none, bundles: none, specs: none, arrivals: none },
      ...{ provisions: read(provisions), bonds: read(bonds) },
    },
  };
}

const severities = (findings: readonly RuleFinding[]): readonly string[] => findings.map(({ severity }) => severity);

describe('Overview of the demo chain over time', () => {
  // One chain goes through these minutes once: to begin it anew for each test takes longer than all of them.
  const minutes = [0, 1, 2, 11, 60, 9 * 60];
  const found = new Map<number, FindingsOf>();
  let slowClock: FindingsOf | undefined;
  let fastClock: FindingsOf | undefined;
  let url = '';
  beforeAll(async () => {
    const chain = await demo();
    ({ url } = chain);
    for (const minute of minutes) {
      found.set(minute, await chain.at(minute));
      if (minute !== 1) continue;
      fastClock = await chain.at(minute, 5 * MINUTE);
      slowClock = await chain.at(minute, -5 * MINUTE);
    }
  });
  const minutesOn = (minute: number, rule: string): readonly RuleFinding[] => {
    const findings = found.get(minute);
    if (findings === undefined) throw new Error(`nobody looked after ${minute} minutes`);
    return findings(rule);
  };

  it('The overview has its initial rule results at the start, and no rule with an unknown result', () => {
    const at = (rule: string) => minutesOn(0, rule);
    expect(severities(at('node-behind'))).toEqual([]);
    expect(severities(at('excess-signer'))).toEqual(['critical']);
    expect(severities(at('bundle'))).toEqual(['warning', 'warning', 'warning']);
    expect(severities(at('oracle-deactivated'))).toEqual([]);
    expect(severities(at('oracle-overdue'))).toEqual(['warning', 'warning']);
    expect(severities(at('commitment-above-bond'))).toEqual([]);
    expect(severities(at('provision-change'))).toEqual(['info']);
    expect(severities(at('validator-performance'))).toEqual([]);
    expect(severities(at('validator-outside'))).toEqual(['info']);
    expect(severities(at('history'))).toEqual([]);
  });

  it('The overview reports pending provisions until the next epoch, and not afterwards', () => {
    expect(minutesOn(0, 'provision-change')).toHaveLength(1);
    expect(minutesOn(11, 'provision-change')).toEqual([]);
  });

  it('The overview reports that the user can submit a bundle, among other submitters', async () => {
    const { edges } = await page(`${url}/api/v2/erc20/multisigcontrol/signer/removed/bundles`, 'bundles', {});
    const bundles = edges.map(edge => objectOf(JSON.stringify(edge.node)));
    const newest = bundles
      .filter(({ nonce }) => nonce === bundles[0]?.nonce)
      .map(({ submitter }) => jsonText(submitter));
    expect(newest).toHaveLength(4);
    const nowMs = () => START + 9 * 60 * MINUTE;
    const client = createClient({ base: new URL(url), nowMs });
    const answers = await requestOverview(client, { signal: new AbortController().signal, nowMs });
    const saidTo = (...submitters: readonly string[]): string | undefined => {
      const mineOn = () => ({ ...NOTHING_MINE, submitter: new Set(submitters) });
      const { attention } = createOverview(answers, { nowMs: nowMs(), limit: { ms: MINUTE, isLive: false }, mineOn });
      return attention.find(({ rule }) => rule === 'bundle')?.findings[0]?.sentence.split(': ')[1];
    };
    expect(saidTo()).toBe('4 bundles, for one submitter each');
    expect(saidTo(...newest.slice(0, 1))).toBe('4 bundles, for one submitter each, 1 for you');
    expect(saidTo(...newest)).toBe('4 bundles, for one submitter each, all yours');
  });

  it('The overview reports commitments above their bond on the markets whose raw rows show them, and no others', async () => {
    const rowsOf = async (path: string, wrapper: string, query: Record<string, string>) =>
      (await page(`${url}/api/v2/${path}`, wrapper, { 'pagination.first': '5000', ...query })).edges.map(edge =>
        objectOf(JSON.stringify(edge.node)),
      );
    let slashed = 0;
    for (const marketId of await marketIds(url)) {
      const rows = await rowsOf('liquidity/all-provisions', 'liquidityProvisions', { marketId, live: 'true' });
      const filters = { 'filter.marketIds': marketId, 'filter.accountTypes': 'ACCOUNT_TYPE_BOND' };
      const bonds = await rowsOf('accounts', 'accounts', filters);
      const balances = new Map(bonds.map(({ owner, balance }) => [owner, BigInt(jsonText(balance))]));
      const active = rows.map(({ current }) => current).filter(one => member(one, 'status') === 'STATUS_ACTIVE');
      const above = active.filter(
        one => BigInt(jsonText(member(one, 'commitmentAmount'))) > (balances.get(member(one, 'partyId') ?? null) ?? 0n),
      );
      const { findings } = commitmentAboveBond.judge(seenOf({ marketId, rows, epochBegun: null }, bonds));
      expect(findings.map(({ sentence }) => sentence.split(' ').slice(0, 3).join(' '))).toEqual(
        above.length === 0
          ? []
          : above.length === 1
            ? [expect.stringMatching(/^provision of /)]
            : [`${above.length} of ${active.length}`],
      );
      slashed += above.length;
    }
    expect(slashed).toBeGreaterThan(1);
  });

  it('The overview raises the alarm of oracle specs when values stop', () => {
    const early = minutesOn(0, 'oracle-overdue');
    const late = minutesOn(9 * 60, 'oracle-overdue');
    const alarms = late.filter(({ severity }) => severity !== 'unknown');
    expect(alarms.length).toBeGreaterThan(early.length);
    for (const { sentence } of alarms) expect(sentence).toMatch(/ (?:at least )?\d.* overdue: /);
  });

  it('The overview raises the alarm of the history when no segment is added, and clears it when one is', async () => {
    expect(minutesOn(0, 'history')).toEqual([]);
    expect(minutesOn(60, 'history')).toEqual([]);
    const still = await demo('growing:100000');
    expect((await still.at(60))('history')).toEqual([
      expect.objectContaining({
        severity: 'warning',
        sentence: expect.stringMatching(/^history ends at block 23500, 3 \d\d\d blocks behind the newest/),
      }),
    ]);
  });

  it('The overview raises the alarm of the node when its blocks are old, and clears it again', () => {
    expect(minutesOn(1, 'node-behind')).toEqual([]);
    expect(severities(fastClock?.('node-behind') ?? [])).toEqual(['critical']);
    expect(severities(slowClock?.('node-behind') ?? [])).toEqual(['warning']);
    expect(minutesOn(2, 'node-behind')).toEqual([]);
  });

  it('The overview raises the alarm of a data node behind its core', async () => {
    const behind = await demo('behind:300');
    expect((await behind.at(1))('node-behind').map(({ severity, sentence }) => `${severity} ${sentence}`)).toEqual([
      expect.stringMatching(/^warning the data node is 5 min behind its core, 28\d blocks$/),
    ]);
  });
});
