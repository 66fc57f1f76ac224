import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { Ask } from '../../../src/chain/explain/explanation.ts';
import { explainParameter } from '../../../src/chain/explain/network-parameters.ts';

const vega = { symbol: 'VEGA', name: 'Vega', status: 'STATUS_ENABLED', decimals: 18, quantum: '1' };
const named: Directory = { ...NO_NAMES, assets: new Map([['0c', vega]]) };

const REWARD = { key: 'reward.asset', value: '0C' };

interface Given {
  readonly directory?: Directory;
  readonly rows?: readonly { readonly key: string; readonly value: string }[];
  readonly ask?: Ask;
}

const explained = (key: string, value: string, { directory = named, rows = [REWARD], ask }: Given = {}) =>
  explainParameter(
    { key, value },
    { directory, nowMs: 0, around: { filters: {}, rows }, ask: ask ?? (async () => undefined) },
  );

async function linesOf(key: string, value: string, given?: Given): Promise<readonly string[]> {
  const { parts } = await explained(key, value, given);
  return parts
    .flatMap(({ title, lines }) => [title, ...lines.map(({ label, text }) => [label, text].filter(Boolean).join(': '))])
    .filter(Boolean);
}

describe('Explanation of a network parameter', () => {
  it('The explanation says what a parameter is for, its value in its unit, and its allowed values', async () => {
    expect(await linesOf('validators.epoch.length', '10m0s')).toEqual([
      'Length of an epoch.',
      'value: 10 min  (10m0s)',
      'Details',
      'unit: duration',
      'kind: duration',
      'a vote may set: 1 s to 10 d 15 h',
      'default of v0.79.0: 1 d  (24h0m0s)',
      'since: v0.42.0',
    ]);
  });

  it('The explanation scales an amount by the asset that another parameter sets, and links to it', async () => {
    const { parts, json } = await explained('spam.protection.voting.min.tokens', '100000000000000000000');
    expect(parts[0]?.lines.slice(1)).toEqual([
      { label: 'value', text: '100 VEGA  (100000000000000000000)', copied: '100000000000000000000' },
      { label: 'asset', text: 'VEGA', copied: '0C', leadsTo: { entity: 'asset', id: '0C' } },
    ]);
    expect(json).toMatchObject({
      value: { raw: '100000000000000000000', value: '100', symbol: 'VEGA' },
      default: { raw: '100000000000000000000', value: '100', symbol: 'VEGA' },
      bounds: { least: '1', isAboveLeast: false, most: null, isBelowMost: false, rule: null },
    });
  });

  it('The explanation requests the asset from the node if the page lacks it, once and for amounts only', async () => {
    const asked: string[] = [];
    const ask: Ask = async ({ path }) => {
      asked.push(path);
      return { networkParameter: REWARD };
    };
    const amount = await explained('spam.protection.voting.min.tokens', '5000000000000000000', { rows: [], ask });
    expect(amount.json).toMatchObject({ words: '5 VEGA' });
    await explained('validators.epoch.length', '1h', { rows: [], ask });
    await explained('reward.asset', '0c', { rows: [], ask });
    expect(asked).toEqual(['api/v2/network/parameters/reward.asset']);
  });

  it.each<[string, Given]>([
    ['nobody names the asset', { rows: [] }],
    ['the node answers something else', { rows: [], ask: async () => parseJson('{"networkParameter":[7]}') }],
    ['the asset is not in the directory', { directory: NO_NAMES }],
  ])('The explanation counts smallest units when %s', async (_why, given) => {
    const { json } = await explained('spam.protection.voting.min.tokens', '7', given);
    expect(json).toMatchObject({ value: { raw: '7', value: null, symbol: null }, words: '7 smallest units' });
  });

  it('The explanation shows the name of the asset that is the value', async () => {
    const lines = await linesOf('reward.asset', '0C');
    expect(lines.slice(1, 3)).toEqual(['value: 0C', 'asset: VEGA']);
  });

  it('The explanation is worded with care when no vote could have set the value', async () => {
    const { parts, json } = await explained('validators.vote.required', '1.5');
    const problem = parts[0]?.lines[2];
    expect(problem).toEqual({
      label: '',
      text: 'The value is outside what a vote may set in v0.79.0: more than 0 %, at most 100 %; the chain may have started with it, or its node has other bounds.',
      tone: 'pending',
    });
    expect(`The value is ${json.problem}.`).toBe(problem?.text);
  });

  it.each([
    ['market.stake.target.timeWindow', '1h', 'Deprecated: it has no effect, and the node refuses a change.'],
    ['market.liquidityProvision.shapes.maxSize', '5', 'A vote may change it, but nothing in v0.79.0 reads it.'],
    ['blockchains.ethereumConfig', '{}', 'No vote may change it.'],
  ])('The explanation of %s says what it still does', async (key, value, sentence) => {
    expect(await linesOf(key, value)).toContain(sentence);
  });

  it('The explanation of a document says what is in it, in units', async () => {
    const document = '{"triggers": [{"horizon": 360, "probability": "0.9999", "auction_extension": 120, "other": 1}]}';
    const lines = await linesOf('market.monitor.price.defaultParameters', document);
    expect(lines.slice(1, 6)).toEqual([
      `value: triggers: 1`,
      'Fields of the value',
      'triggers[0].horizon: 6 min',
      'triggers[0].probability: 99.99 %',
      'triggers[0].auction_extension: 2 min',
    ]);
  });

  it('The explanation of a document has a line for each of its members', async () => {
    const value =
      '{"chain_id":"1","collateral_bridge_contract":{"address":"0xab"},"confirmations":50,"none":[],"on":true,"gone":null,"name":""}';
    const { parts } = await explained('blockchains.ethereumConfig', value);
    expect(parts[1]?.lines.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'chain_id: 1',
      'collateral_bridge_contract.address: 0xab',
      'confirmations: 50 blocks',
      'none: []',
      'on: true',
      'gone: null',
      'name: (empty)',
    ]);
  });

  it('The explanation of an endless document stops', async () => {
    const many = JSON.stringify({ tiers: Array.from({ length: 1000 }, () => ({ reward_multiplier: '1.5' })) });
    const { parts } = await explained('rewards.vesting.benefitTiers', many);
    expect(parts[1]?.lines.length).toBe(501);
    expect(parts[1]?.lines.at(-1)?.text).toBe('and more');
    await explained('rewards.vesting.benefitTiers', `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`);
  });

  it('The explanation of a removed key says which releases had it', async () => {
    const lines = await linesOf('market.liquidityV2.earlyExitPenalty', '0.1');
    expect(lines[0]).toBe('Meaning unknown: only the releases v0.72.0 to v0.72.14 had this key.');
    const { json } = await explained('spam.order.minimalHoldingQuantumMultiple', '0.1');
    expect(json).toMatchObject({ since: 'v0.77.0', until: 'v0.77.0', unit: 'quantum', basis: 'name' });
  });

  it('The explanation of an unknown key says so, and from what its unit is guessed', async () => {
    expect(await linesOf('new.feeFraction', '0.25')).toEqual([
      'Meaning unknown: no public release up to v0.79.0 has this key.',
      'value: 25 %  (0.25)',
      'Details',
      'unit: fraction, 1 is 100 %, guessed from the name of the key',
      'kind: decimal',
    ]);
    const { json } = await explained('new.thing', 'some words');
    const unknown: Json = {
      key: 'new.thing',
      value: { raw: 'some words', value: null, symbol: null },
      words: null,
      meaning: null,
      unit: 'text',
      basis: 'text',
      kind: null,
      bounds: null,
      problem: null,
      default: null,
      since: null,
      until: null,
      effect: null,
    };
    expect(json).toEqual(unknown);
  });
});
