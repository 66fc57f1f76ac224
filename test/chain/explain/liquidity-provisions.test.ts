import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { Ask } from '../../../src/chain/explain/explanation.ts';
import { explainProvision } from '../../../src/chain/explain/liquidity-provisions.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const MARKET = '0a'.repeat(32);
const PARTY = '0b'.repeat(32);

const asset = { symbol: 'HUSD', name: 'Held dollar', status: 'STATUS_ENABLED', decimals: 2, quantum: '1' };
const market = {
  ...{ code: 'HELDA/HUSD', name: 'Held A', state: 'STATE_ACTIVE', decimalPlaces: 5, positionDecimalPlaces: 0 },
  ...{ asset: '0c', specs: [] },
};
const NAMED: Directory = { ...NO_NAMES, markets: new Map([[MARKET, market]]), assets: new Map([['0c', asset]]) };

const version = (commitmentAmount: string, members: JsonObject = {}): JsonObject => ({
  ...{
    id: '01',
    marketId: MARKET,
    partyId: PARTY,
    commitmentAmount,
    fee: '0.0025',
    reference: 'mm',
    buys: [],
    sells: [],
  },
  ...{ version: '2', status: 'STATUS_ACTIVE', createdAt: '1', updatedAt: '1795348800000000000', ...members },
});

const active = version('60000');
const first = version('50000', { version: '1', fee: '0.01', updatedAt: '1795340000000000000' });
const waiting = (commitmentAmount: string, members: JsonObject = {}) =>
  version(commitmentAmount, { version: '3', status: 'STATUS_PENDING', updatedAt: '1795348900000000000', ...members });
const other = version('40000', { id: '02', partyId: '0d' });

const listOf = (...rows: readonly JsonObject[]): Json => ({
  liquidityProvisions: { edges: rows.map(node => ({ node, cursor: '' })), pageInfo: { hasNextPage: false } },
});
const statistics: Json = {
  statistics: { epochSeq: '43', epochExpiryTime: '2026-11-22T13:12:30.5Z', vegaTime: '2026-11-22T12:00:10Z' },
};

/** A node that answers these paths, by their last part; what it was asked is kept. */
function node(answers: { readonly [path: string]: Json }) {
  const asked: string[] = [];
  const ask: Ask = async ({ path, query }) => {
    const name = path.split('/').at(-1) ?? '';
    const isLive = query.some(([filter]) => filter === 'live');
    asked.push(`${name}${isLive ? ' live' : ''}`);
    return answers[isLive ? `${name} live` : name];
  };
  return { ask, asked };
}

async function explained(row: JsonObject, answers: { readonly [path: string]: Json }, directory = NAMED) {
  const { ask, asked } = node(answers);
  const around = { filters: {}, rows: [row] };
  const { parts, json } = await explainProvision(row, { directory, nowMs: NOW_MS, around, ask });
  const lines = new Map(parts.flatMap(({ lines: all }) => all.map(({ label, text }) => [label, text] as const)));
  return { headline: parts[0]?.lines[0]?.text, lines, parts, json, asked };
}

const whole = (pair: JsonObject, ...versions: readonly JsonObject[]) => ({
  statistics,
  'all-provisions live': listOf(pair, { current: other }),
  provisions: listOf(...versions, other),
});

describe('Explanation of a liquidity provision', () => {
  it('The explanation says how many of the provisions it is ranked among are undeployed', async () => {
    const left = { ...other, status: 'STATUS_UNDEPLOYED' };
    const answers = {
      ...whole({ current: active }, active),
      'all-provisions live': listOf({ current: active }, { current: left }),
    };
    const live = { ...answers, provisions: listOf(active, left) };
    const { lines } = await explained({ current: active }, live);
    expect(lines.get('share of commitment')).toBe('60.0 % of 1 000 HUSD; rank 1 of 2 on this market, 1 UNDEPLOYED');
  });

  it('The explanation says who provides what, its share and rank, and what its last version changed', async () => {
    const { headline, lines, parts, json, asked } = await explained(
      { current: active },
      whole({ current: active }, active, first),
    );
    expect(headline).toBe('0b0b..0b0b provides 600 HUSD on HELDA/HUSD');
    expect(lines.get('share of commitment')).toBe('60.0 % of 1 000 HUSD; rank 1 of 2 on this market');
    expect(lines.has('takes effect')).toBe(false);
    expect(parts.map(({ title }) => title)).toEqual([
      '',
      'How fees are shared',
      'Version 2 compared with version 1',
      'Every version',
    ]);
    expect(parts[2]?.lines).toEqual([
      { label: 'commitment', text: '500 HUSD -> 600 HUSD' },
      { label: 'fee', text: '1 % -> 0.25 %' },
    ]);
    expect(json).toMatchObject({
      standing: 'stays',
      current: {
        version: '2',
        status: 'ACTIVE',
        commitment: { raw: '60000', value: '600', symbol: 'HUSD' },
        fee: '0.0025',
      },
      pending: null,
      share: { numerator: '60000', denominator: '100000', percent: '60.0', rank: 1, providers: 2 },
      changes: {
        version: '2',
        against: '1',
        members: [{ what: 'commitment' }, { what: 'fee', from: '0.01', to: '0.0025' }],
      },
    });
    const part = 'market.liquidity.equityLikeShareFeeFraction';
    expect(asked.toSorted()).toEqual(['accounts', 'all-provisions live', 'info', part, 'providers', 'provisions']);
  });

  it('The explanation colours a waiting status differently from one that stays or has ended', async () => {
    const entering = version('5', { version: '1', status: 'STATUS_PENDING' });
    const toneOf = async (pair: JsonObject, ...versions: readonly JsonObject[]) => {
      const { parts } = await explained(pair, whole(pair, ...versions));
      return parts.flatMap(({ lines }) => lines).find(({ label }) => label === 'status')?.tone;
    };
    expect(await toneOf({ current: entering }, entering)).toBe('pending');
    expect(await toneOf({ current: active, pending: waiting('70000') }, active)).toBe('pending');
    expect(await toneOf({ current: active }, active)).toBe('good');
    expect(await toneOf({ current: version('60000', { status: 'STATUS_STOPPED' }) }, active)).toBe('quiet');
  });

  it('The explanation says that a provision is leaving, and when', async () => {
    const pair = { current: active, pending: waiting('0') };
    const { headline, lines, json } = await explained(pair, whole(pair, waiting('0'), active, first));
    expect(headline).toBe('0b0b..0b0b provides 600 HUSD on HELDA/HUSD, and leaves at the next epoch');
    expect(lines.get('takes effect')).toBe(
      'in 1 h 12 min, when epoch 44 begins (2026-11-22 13:12 UTC); at once if its market is in its opening auction',
    );
    expect(lines.get('status')).toBe('ACTIVE, then none: a commitment of 0 is a cancellation');
    expect(json).toMatchObject({
      standing: 'leaves',
      current: { version: '2' },
      pending: { version: '3', commitment: { raw: '0', value: '0' }, takesEffect: { epoch: '44', inSeconds: 4340 } },
      changes: { version: '3', against: '2', members: [{ what: 'commitment' }] },
    });
  });

  it('The explanation tells time by the clock of the chain, and says that the node is behind when it is', async () => {
    const pair = { current: active, pending: waiting('0') };
    const when = async (members: JsonObject) => {
      const { lines } = await explained(pair, { ...whole(pair), statistics: { statistics: members } });
      return lines.get('takes effect')?.replace('; at once if its market is in its opening auction', '');
    };
    const times = { epochExpiryTime: '2026-11-20T12:00:00+02:00', vegaTime: '2026-11-20T09:00:00.123Z' };
    expect(await when({ ...times, epochSeq: 7 })).toBe(
      "in 59 min by the node's clock, which is 2 d 2 h 59 min behind this machine's, when epoch 8 begins (2026-11-20 10:00 UTC)",
    );
    // A time without a zone would be one of this machine's.
    for (const epochExpiryTime of ['2026-11-22T13:12:30', '2026-11-22T13:12:30 or so', '2026-11-22', 5])
      expect(await when({ ...times, epochExpiryTime })).toBe('when the next epoch begins (time not reported)');
  });

  it('The explanation says what a provision becomes, and that nothing applies before a first version', async () => {
    const pair = { current: active, pending: waiting('75000') };
    const changes = await explained(pair, whole(pair, waiting('75000'), active));
    expect(changes.headline).toBe('0b0b..0b0b provides 600 HUSD on HELDA/HUSD; from the next epoch 750 HUSD');
    expect(changes.lines.get('status')).toBe('ACTIVE, then +25 % of its commitment');
    const entering = version('5', { version: '1', status: 'STATUS_PENDING' });
    const enters = await explained({ current: entering }, whole({ current: entering }, entering));
    expect(enters.headline).toBe('0b0b..0b0b will provide 0.05 HUSD on HELDA/HUSD from the next epoch');
    expect(enters.lines.get('share of commitment')).toBe('none yet: not in effect');
    expect(enters.json).toMatchObject({ standing: 'enters', current: null, pending: { version: '1' }, share: null });
  });

  it('The explanation gives no share unless the node lists provisions of the market only, once, with this record', async () => {
    const foreign = { current: version('40000', { id: '02', marketId: '0f' }) };
    const oddly = { current: version('40000', { id: '02', status: 'STATUS_NEW' }) };
    const since = { current: version('70000', { version: '3' }) };
    for (const rows of [
      [{ current: active }, foreign],
      [{ current: active }, { current: active }],
      [{ current: active }, oddly],
      [since, { current: other }],
      [{ current: other }],
    ]) {
      const { lines, json } = await explained(
        { current: active },
        { 'all-provisions live': listOf(...rows), provisions: listOf(active) },
      );
      expect(lines.get('share of commitment')).toBe('not known: the total commitment on its market is unknown here');
      expect(json).toMatchObject({ share: null });
    }
  });

  it('The explanation of a provision that a node shows only in part says only that', async () => {
    const pending = { current: null, pending: waiting('75000') };
    const waits = await explained(pending, whole(pending));
    expect(waits.headline).toBe(
      '0b0b..0b0b will provide 750 HUSD on HELDA/HUSD; this node does not show the current version',
    );
    expect(waits.json).toMatchObject({ standing: 'unknown', current: null, pending: { version: '3' }, share: null });
    const odd = await explained(version('5', { status: 'STATUS_NEW' }), {});
    expect(odd.headline).toBe('what 0b0b..0b0b provides on HELDA/HUSD is not known: NEW');
    expect(odd.lines.get('share of commitment')).toBe('not known: its status is unknown here');
    expect(odd.json).toMatchObject({ standing: 'not-said', share: null });
    const amounts = ['', '1e400', '1'].map(async amount => (await explained(version(amount), {}, NO_NAMES)).headline);
    expect(await Promise.all(amounts)).toEqual([
      '0b0b..0b0b provides an unknown amount on 0a0a..0a0a',
      '0b0b..0b0b provides 1e400 (not an amount) on 0a0a..0a0a',
      '0b0b..0b0b provides 1 smallest unit on 0a0a..0a0a',
    ]);
  });

  it('The explanation shows the current version next to the pending one when the node lists only the latter', async () => {
    const answers = {
      statistics,
      'provisions live': listOf(waiting('0'), other),
      provisions: listOf(waiting('0'), active, first),
    };
    const { headline, json, asked } = await explained(waiting('0'), answers);
    expect(headline).toContain('provides 600 HUSD on HELDA/HUSD, and leaves at the next epoch');
    expect(json).toMatchObject({
      standing: 'leaves',
      current: { version: '2' },
      pending: { version: '3' },
      share: null,
    });
    expect(asked).toContain('provisions live');
  });

  it('The explanation says what a new provision with a waiting amendment will provide: nothing is in effect', async () => {
    const first = version('60000', { version: '1', status: 'STATUS_PENDING' });
    const amended = version('90000', { version: '2', status: 'STATUS_PENDING' });
    const pair = { current: first, pending: amended };
    const { headline, json } = await explained(pair, whole(pair, amended, first));
    expect(headline).toBe('0b0b..0b0b will provide 900 HUSD on HELDA/HUSD from the next epoch');
    expect(json).toMatchObject({ standing: 'enters', current: null, pending: { version: '2' }, share: null });
    const cancelled = { ...pair, pending: { ...amended, commitmentAmount: '0' } };
    expect((await explained(cancelled, whole(cancelled, cancelled.pending, first))).headline).toBe(
      '0b0b..0b0b provides nothing on HELDA/HUSD: a cancellation of this new provision waits',
    );
  });

  it('The explanation keeps a commitment change waiting while a fee-only amendment applies as the same version', async () => {
    const feeOnly = version('60000', { version: '3', fee: '0.001', updatedAt: '1795348950000000000' });
    const rows = [feeOnly, waiting('90000'), active, first];
    for (const row of [{ current: feeOnly }, feeOnly, waiting('90000')]) {
      const { headline, lines, parts, json } = await explained(row, whole({ current: feeOnly }, ...rows));
      expect(headline).toBe('0b0b..0b0b provides 600 HUSD on HELDA/HUSD; from the next epoch 900 HUSD');
      expect([lines.get('fee'), lines.get('version')]).toEqual(['0.1 % -> 0.25 %', '3']);
      expect(parts.map(({ title }) => title)).toContain('Pending compared with current');
      expect(json).toMatchObject({ standing: 'changes', current: { version: '3' }, pending: { version: '3' } });
    }
    // The next epoch has come: the change that waited is in force, under the number it had.
    const applied = version('90000', { version: '3', updatedAt: '1795349000000000000' });
    const { json } = await explained(feeOnly, whole({ current: applied }, applied, ...rows));
    expect(json).toMatchObject({ standing: 'superseded', supersededBy: '3' });
  });

  it('The explanation distinguishes a provision amended before its first epoch from one shown only in part', async () => {
    const entering = version('5', { version: '1', status: 'STATUS_PENDING', updatedAt: '1795348000000000000' });
    const amended = waiting('7', { version: '2' });
    const enters = await explained({ current: amended }, whole({ current: amended }, amended, entering));
    expect(enters.headline).toBe('0b0b..0b0b will provide 0.07 HUSD on HELDA/HUSD from the next epoch');
    expect(enters.lines.get('status')).toBe('PENDING: new, not in effect yet');
    const unknown = await explained({ current: amended }, whole({ current: amended }, amended));
    expect(unknown.json).toMatchObject({ standing: 'unknown' });
  });

  it('The explanation says which version replaced a past one, and requests nothing about its market', async () => {
    const { headline, json, asked } = await explained(first, whole({ current: active }, active, first));
    expect(headline).toBe('version 1 was replaced by version 2');
    expect(json).toMatchObject({ standing: 'superseded', supersededBy: '2', share: null });
    expect(asked).toEqual(['provisions']);
    const ended = await explained(version('5', { status: 'STATUS_CANCELLED' }), {});
    expect(ended.headline).toBe('0b0b..0b0b provides nothing on HELDA/HUSD with this provision: CANCELLED');
  });

  it('The explanation says less when the node serves nothing more, and nothing that it does not know', async () => {
    const { headline, lines, parts, json } = await explained({ current: active, pending: waiting('0') }, {}, NO_NAMES);
    expect(headline).toBe('0b0b..0b0b provides 60 000 smallest units on 0a0a..0a0a, and leaves at the next epoch');
    expect(lines.get('takes effect')).toContain('when the next epoch begins (time not reported)');
    expect(lines.get('share of commitment')).toBe('not known: the total commitment on its market is unknown here');
    expect(parts.map(({ title }) => title)).toEqual(['', 'How fees are shared', 'Version 3 compared with version 2']);
    expect(json).toMatchObject({
      current: { commitment: { raw: '60000', value: null, symbol: null } },
      pending: { takesEffect: null },
      share: null,
      versions: null,
    });
  });

  it('The explanation gives no share on a market with more providers than arrived', async () => {
    const answers = whole({ current: active }, active);
    const cut = { liquidityProvisions: { edges: [], pageInfo: { hasNextPage: true, endCursor: 'c' } } };
    const { lines } = await explained({ current: active }, { ...answers, 'all-provisions live': cut });
    expect(lines.get('share of commitment')).toContain('not known');
  });

  it('The explanation says that the epoch is over when it should be', async () => {
    const pair = { current: active, pending: waiting('0') };
    const late = { statistics: { epochSeq: '41', epochExpiryTime: '2026-11-22T11:00:00Z' } };
    const { lines } = await explained(pair, { ...whole(pair), statistics: late });
    expect(lines.get('takes effect')).toContain('when epoch 42 begins, which is due (2026-11-22 11:00 UTC)');
    for (const epochExpiryTime of ['5', 'soon', '', null, '9999999-01-01T00:00:00Z']) {
      const odd = await explained(pair, { ...whole(pair), statistics: { statistics: { epochExpiryTime } } });
      expect(odd.lines.get('takes effect')).toContain('(time not reported)');
    }
  });
});
