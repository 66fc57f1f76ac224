import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mineFromLists } from '../../src/chain/directory/mine.ts';
import type { CheckSettings } from '../../src/cli/check/judge-check.ts';
import { checkerOf, MINUTE_MS, START_MS, type SwitchedNode, startSwitchedNode } from './switched-node.ts';

let node: SwitchedNode;
beforeAll(async () => {
  node = await startSwitchedNode();
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(() => {
  node.alter = (_, body) => body;
  node.chainMs = START_MS;
  node.state = 'up';
});

function memoryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'node.json');
}

/** Checks of one node, each in a process of its own; a minute passes before each. */
function checks(settings: Partial<CheckSettings>) {
  const path = memoryFile();
  let nowMs = START_MS;
  return async (more: Partial<CheckSettings> = {}): Promise<readonly string[]> => {
    nowMs += MINUTE_MS;
    node.chainMs = nowMs;
    const { entries, changes } = await checkerOf(node, { path, nowMs: () => nowMs, ...settings, ...more }).check({
      remindMs: undefined,
    });
    return [
      ...entries.map(({ rule, severity, sentence }) => `${severity} ${rule}: ${sentence}`),
      ...changes.map(({ change, rule }) => `-> ${change} ${rule}`),
    ];
  };
}

const parameter = (key: string, value: string) => (path: string, body: string) =>
  path.includes('/parameters') ? body.replace(new RegExp(`("key":"${key}","value":)"[^"]*"`), `$1"${value}"`) : body;

describe('parameter-changed rule', () => {
  const KEY = 'validators.epoch.length';

  it('The parameter-changed alarm is raised by another value and ends when the old one is back', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    expect(await check()).toEqual([]);
    node.alter = parameter(KEY, '20m');
    expect(await check()).toEqual([
      'warning parameter-changed: parameter validators.epoch.length is 20m, was 10m0s',
      '-> raised parameter-changed',
    ]);
    expect(await check()).toEqual(['warning parameter-changed: parameter validators.epoch.length is 20m, was 10m0s']);
    node.alter = (_, body) => body;
    expect(await check()).toEqual(['-> cleared parameter-changed']);
  });

  it('The parameter-changed rule ignores another spelling of the same value', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    await check();
    node.alter = parameter(KEY, '600s');
    expect(await check()).toEqual([]);
  });

  it('The parameter-changed rule ignores the member order of a long document, but not a changed member', async () => {
    const text = (document: object): string => JSON.stringify(JSON.stringify(document)).slice(1, -1);
    const notes = 'x'.repeat(300);
    const check = checks({ rules: ['parameter-changed'] });
    node.alter = parameter(KEY, text({ notes, confirmations: 3, period: '24h' }));
    await check();
    node.alter = parameter(KEY, text({ period: '24h', confirmations: 3, notes }));
    expect(await check()).toEqual([]);
    node.alter = parameter(KEY, text({ period: '24h', confirmations: 4, notes }));
    expect((await check())[0]).toBe(
      'warning parameter-changed: parameter validators.epoch.length is a longer value, was a longer value',
    );
  });

  it('The parameter-changed alarm ends when the value is accepted, which becomes the new baseline', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    await check();
    node.alter = parameter(KEY, '20m');
    await check();
    expect(await check({ isAccepting: true })).toEqual(['-> cleared parameter-changed']);
    expect(await check()).toEqual([]);
    node.alter = (_, body) => body;
    expect((await check())[0]).toBe('warning parameter-changed: parameter validators.epoch.length is 10m0s, was 20m');
  });

  it('The parameter-changed alarm cannot be accepted while the value is unknown', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    await check();
    node.alter = parameter(KEY, '20m');
    await check();
    node.state = 'gone';
    expect((await check({ isAccepting: true })).filter(line => line.startsWith('->'))).toEqual(['-> raised node']);
    node.state = 'up';
    node.alter = (path, body) => (path.includes('/parameters') ? '{}' : body);
    expect((await check({ isAccepting: true })).filter(line => line.startsWith('-> cleared'))).toEqual([
      '-> cleared node',
    ]);
    node.alter = parameter(KEY, '20m');
    expect(await check()).toEqual([
      'warning parameter-changed: parameter validators.epoch.length is 20m, was 10m0s',
      '-> cleared parameter-changed',
    ]);
  });

  it('The parameter-changed alarm remains while the list is unreadable, empty or partial', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    await check();
    node.alter = parameter(KEY, '20m');
    await check();
    for (const body of [
      '{"code":13,"message":"no"}',
      '{"networkParameters":{"edges":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"","endCursor":""}}}',
      '{"networkParameters":{"edges":[{"node":{"key":"a","value":"b"},"cursor":"c"}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"c","endCursor":"c"}}}',
    ]) {
      node.alter = (path, own) => (path.includes('/parameters') ? body : own);
      const said = await check();
      expect(said[0]).toMatch(
        /^warning parameter-changed: parameter validators.epoch.length is 20m, was 10m0s \(last found at .*, cannot be checked now\)$/,
      );
      expect(said.some(line => line.startsWith('unknown parameter-changed: '))).toBe(true);
    }
  });

  it('The parameter-changed rule tells new and removed parameters apart, each with its own alarm', async () => {
    const check = checks({ rules: ['parameter-changed'] });
    await check();
    node.alter = (path, body) =>
      path.includes('/parameters') ? body.replace(`"key":"${KEY}"`, '"key":"a.new.one"') : body;
    expect((await check()).toSorted()).toEqual([
      '-> raised parameter-changed',
      '-> raised parameter-changed',
      'warning parameter-changed: parameter a.new.one is new: 10m0s',
      'warning parameter-changed: parameter validators.epoch.length is gone, was 10m0s',
    ]);
  });
});

describe('validator-left rule', () => {
  it('The validator-left alarm is raised when a consensus validator is on standby, and ends when it is back', async () => {
    const check = checks({ rules: ['validator-left'] });
    expect(await check()).toEqual([]);
    node.alter = (path, body) => {
      if (!path.includes('/nodes')) return body;
      const list = JSON.parse(body);
      const first = list.nodes.edges.find((edge: { node: { rankingScore: { status: string } } }) =>
        edge.node.rankingScore.status.endsWith('TENDERMINT'),
      );
      first.node.rankingScore.status = 'VALIDATOR_NODE_STATUS_ERSATZ';
      return JSON.stringify(list);
    };
    expect(await check()).toEqual([
      expect.stringMatching(/^warning validator-left: validator \S+ left the consensus set: it is on standby$/),
      '-> raised validator-left',
    ]);
    node.alter = (path, body) =>
      path.includes('/nodes') ? body.replaceAll('STATUS_TENDERMINT', 'STATUS_TENDERMINT_') : body;
    expect((await check()).map(line => line.split(':')[0])).toEqual([
      'warning validator-left',
      'unknown validator-left',
      '-> raised validator-left',
    ]);
    node.alter = (_, body) => body;
    expect(await check()).toEqual(['-> cleared validator-left', '-> cleared validator-left']);
  });
});

describe('node-stalled rule', () => {
  it('The node-stalled alarm ends only with a higher block', async () => {
    const path = memoryFile();
    const rules = ['node-stalled'];
    let nowMs = START_MS;
    const check = async (minutes: number, chainMinutes: number) => {
      nowMs = START_MS + minutes * MINUTE_MS;
      node.chainMs = START_MS + chainMinutes * MINUTE_MS;
      const { entries } = await checkerOf(node, { path, rules, nowMs: () => nowMs }).check();
      return entries.map(({ severity, sentence }) => `${severity} ${sentence}`);
    };
    expect(await check(0, 10)).toEqual([]);
    expect(await check(2, 10)).toEqual([]);
    expect(await check(4, 10)).toEqual([
      expect.stringMatching(/^critical no new block for 4 min: block \d+ is the newest$/),
    ]);
    // It answers from further back: a restart is no progress.
    expect(await check(5, 9)).toEqual([
      expect.stringMatching(/^critical no new block for 5 min: block \d+ was seen, now \d+ is the newest$/),
    ]);
    node.state = 'gone';
    expect((await check(6, 9)).map(line => line.split(' ')[0])).toEqual(['unknown', 'critical', 'unknown']);
    node.state = 'up';
    expect(await check(7, 10)).toHaveLength(1);
    expect(await check(8, 11)).toEqual([]);
  });

  it('The node-stalled alarm is not delayed by a clock that is set back', async () => {
    const path = memoryFile();
    const check = async (minutes: number) => {
      const nowMs = START_MS + minutes * MINUTE_MS;
      const { entries } = await checkerOf(node, { path, rules: ['node-stalled'], nowMs: () => nowMs }).check();
      return entries.map(({ severity }) => severity);
    };
    expect(await check(600)).toEqual([]);
    expect(await check(0)).toEqual([]);
    expect(await check(4)).toEqual(['critical']);
    // And an alarm stands when it is.
    expect(await check(-600)).toEqual(['critical']);
  });
});

describe('chain-changed rule', () => {
  it('The chain-changed alarm is raised by another chain at the address, without comparing parameters of the two', async () => {
    const check = checks({ rules: ['chain-changed', 'parameter-changed'] });
    expect(await check()).toEqual([]);
    node.alter = (path, body) =>
      parameter('validators.epoch.length', '1h')(path, body.replaceAll('demo-chain-1', 'other-chain'));
    expect(await check()).toEqual([
      'critical chain-changed: the node answers for the chain other-chain, was demo-chain-1',
      '-> raised chain-changed',
    ]);
    expect(await check()).toEqual([
      'critical chain-changed: the node answers for the chain other-chain, was demo-chain-1',
    ]);
    node.alter = (_, body) => body;
    expect(await check()).toEqual(['-> cleared chain-changed']);
  });
});

describe('income rule', () => {
  const fees = (path: string, body: string, change: (amount: string) => string | null): string => {
    if (!path.includes('/paidfees')) return body;
    const list = JSON.parse(body);
    for (const { node: row } of list.paidLiquidityFees.edges)
      row.feesPaidPerParty = row.feesPaidPerParty.flatMap((one: { party: string; amount: string }) => {
        const amount = one.party === party ? change(one.amount) : one.amount;
        return amount === null ? [] : [{ ...one, amount }];
      });
    return JSON.stringify(list);
  };
  let party = '';
  let asset = '';
  beforeAll(async () => {
    const list = JSON.parse(await (await fetch(`${node.url}/api/v2/liquidity/paidfees`)).text());
    const [{ node: row }] = list.paidLiquidityFees.edges;
    party = row.feesPaidPerParty[0].party;
    asset = row.asset;
  });
  const mine = () => mineFromLists({ parties: [party], submitters: [], validators: [], markets: [] });

  it('The income alarm is raised when a party that had income has none, and ends when it has income again', async () => {
    const check = checks({ rules: ['income'], mineOn: mine });
    expect(await check()).toEqual([]);
    node.alter = (path, body) => fees(path, body, () => null);
    expect(await check()).toEqual([
      expect.stringMatching(/^warning income: no fees allocated to \S.* in epoch 41, was .* in epoch 41$/),
      '-> raised income',
    ]);
    node.alter = (_, body) => body;
    expect(await check()).toEqual(['-> cleared income']);
  });

  it('The income alarm is raised below its exact limit', async () => {
    const check = checks({ rules: ['income'], mineOn: mine });
    expect(await check({ bounds: [{ asset, least: '0.0001' }] })).toEqual([]);
    const said = await check({ bounds: [{ asset, least: '99999999999' }] });
    expect(said[0]).toMatch(/^warning income: .* allocated to your parties in epoch 41, less than 99 999 999 999 .*$/);
    expect((await check({ bounds: [{ asset: 'NOPE', least: '1' }] })).map(line => line.split(':')[0])).toContain(
      'unknown income',
    );
  });

  it('The income rule is unknown until the data node has reached the end of the epoch', async () => {
    const check = checks({ rules: ['income'], mineOn: mine });
    await check();
    node.alter = (path, body) =>
      path.includes('/statistics')
        ? body
            .replace(/"epochSeq":"\d+"/, '"epochSeq":"43"')
            .replace(/"epochStartTime":"2026/, '"epochStartTime":"2027')
        : body;
    expect((await check()).map(line => line.split(':').slice(0, 2).join(':'))).toContain(
      'unknown income: income that is missing or below its bound',
    );
  });

  it('The income rule raises no alarm for a party that never had income', async () => {
    const check = checks({
      rules: ['income'],
      mineOn: () => mineFromLists({ parties: ['ab'.repeat(32)], submitters: [], validators: [], markets: [] }),
    });
    expect(await check()).toEqual([]);
    expect(await check()).toEqual([]);
  });
});
