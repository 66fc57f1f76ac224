import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../src/chain/api/errors.ts';
import type { Directory } from '../../../../../src/chain/directory/directory.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { placeOf } from '../../../support/layers.ts';
import { barTexts, type } from '../../../support/list-scenes.ts';
import { hexId, pageOf } from '../../../support/provision-pages.ts';
import { type Size, USUAL } from '../../../support/scenes.ts';

const ASSET = hexId(9);
const CODES = ['HELDC/HUSD', 'HELDA/HUSD', 'HELDB/HUSD', 'HELDD/HUSD'];

const markets: Directory['markets'] = new Map(
  CODES.map((code, index) => [
    hexId(index + 1),
    {
      ...{ code, name: code, state: index === 1 ? 'STATE_SETTLED' : 'STATE_ACTIVE', asset: ASSET, specs: [] },
      ...{ decimalPlaces: 2, positionDecimalPlaces: 2 },
    },
  ]),
);
const assets: Directory['assets'] = new Map([
  [ASSET, { symbol: 'HUSD', name: 'Held', status: '', decimals: 4, quantum: '' }],
]);

const fee = (index: number, totalFeesPaid: string, epochSeq = '41') => ({
  ...{ market: hexId(index), asset: ASSET, epochSeq, totalFeesPaid, feesPaidPerParty: [] },
});

const inner = 'market or party filters are required';
const detail = { type: '', code: '280001', message: '', inner, rest: {} };
const demand = new RefusedError(500, { code: 13, message: 'x', details: [detail] }, { url: '', hint: '' });

/** The tab of provisions on a node that wants a filter. */
async function demanded(size: Size, fees: readonly ReturnType<typeof fee>[], named = markets, known = assets) {
  const { session, world } = await startSession({ ...size, tab: 'provisions' });
  session.dispatch({
    type: 'directory-known',
    ...{ from: 'cache', names: { markets: named, assets: known }, isOld: false, atMs: 0 },
  });
  last(world.pages).fail(demand);
  await told();
  expect(last(world.pages).asked.resource).toBe('fees');
  if (fees.length > 0) await answerPage(world, pageOf([...fees]));
  return { session, world };
}

describe('Markets offered for provisions of a node that demands a filter', () => {
  it('The offered markets are in the order of the node, the newest first, with what is known of each', async () => {
    const { session } = await demanded(USUAL, [fee(1, '1234567'), fee(4, '10000')]);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Provisions ─ newest first ─ live: current and pending ────────────────────────
        market      any
        party       any
        reference   any
        live        true
       provisions on this market; 1 of 4 known
       This node lists provisions only by market or party. Choose one.

        MARKET      STATE    SETTLES IN  FEES OF EPOCH 41
      > HELDC/HUSD  ACTIVE   HUSD        123.46 HUSD
        HELDB/HUSD  ACTIVE   HUSD
        HELDD/HUSD  ACTIVE   HUSD        1 HUSD
        HELDA/HUSD  SETTLED  HUSD







      ────────────────────────────────────────────────────────────────────────────────
       enter choose  f type  : command  q quit  ? help
      "
    `);
    press(session, 'down');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Provisions ─ newest first ─ live: current and pending ────────────────────────
        market      any
        party       any
        reference   any
        live        true
       provisions on this market; 2 of 4 known
       This node lists provisions only by market or party. Choose one.

        MARKET      STATE    SETTLES IN  FEES OF EPOCH 41
        HELDC/HUSD  ACTIVE   HUSD        123.46 HUSD
      > HELDB/HUSD  ACTIVE   HUSD
        HELDD/HUSD  ACTIVE   HUSD        1 HUSD
        HELDA/HUSD  SETTLED  HUSD







      ────────────────────────────────────────────────────────────────────────────────
       enter choose  f type  : command  q quit  ? help
      "
    `);
  });

  it('The offered markets are counted when their names begin with what was typed', async () => {
    const { session } = await demanded(USUAL, []);
    press(session, 'f');
    session.dispatch({ type: 'type-text', value: 'held' });
    expect(renderFrame(session.state())).toContain('provisions on this market; 1 of 4 matching');
  });

  it('The offered markets open with Enter on the one that an arrow chose', async () => {
    const { session, world } = await demanded(USUAL, []);
    press(session, 'down', 'enter');
    expect(last(world.pages).asked).toMatchObject({
      resource: 'provisions',
      request: { filters: { marketId: [hexId(3)], live: ['true'] } },
    });
  });

  it.each([
    [['j'], 1],
    [['j', 'j', 'k'], 1],
    [['down', 'down', 'up'], 1],
    [['G'], 3],
    [['end', 'home'], 0],
    [['pagedown'], 3],
    [['ctrl-d', 'j', 'pageup'], 0],
    [['k'], 0],
  ])(
    'The offered markets are moved through by %j as every list is, and no field holds any of them',
    async (keys, place) => {
      const { session, world } = await demanded(USUAL, []);
      press(session, ...keys);
      const names = ['HELDC/HUSD', 'HELDB/HUSD', 'HELDD/HUSD', 'HELDA/HUSD'];
      expect(renderFrame(session.state())).toContain(`> ${names[place]}`);
      expect(renderFrame(session.state())).toContain(`provisions on this market; ${place + 1} of 4 known`);
      expect(barTexts(session)).toEqual(['', '', '', 'true']);
      expect(placeOf(session.state())).toBe('offered-filters');
      press(session, 'enter');
      expect(last(world.pages).asked.request.filters).toEqual({
        marketId: [[hexId(1), hexId(3), hexId(4), hexId(2)][place]],
        live: ['true'],
      });
    },
  );

  it('The offered markets are narrowed by what is typed, and moved through with no word of it lost', async () => {
    const { session, world } = await demanded(USUAL, []);
    press(session, 'f');
    type(session, 'held');
    for (const key of ['down', 'down', 'up', 'down']) {
      press(session, key);
      expect(barTexts(session)).toEqual(['held', '', '', 'true']);
    }
    expect(renderFrame(session.state())).toContain('> HELDD/HUSD');
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [hexId(4)], live: ['true'] });
  });

  it('The offered markets are not part of the filter when only another field was filled', async () => {
    const { session, world } = await demanded(USUAL, []);
    press(session, 'f', 'tab');
    type(session, hexId(9));
    press(session, 'shift-tab', 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ partyId: [hexId(9)], live: ['true'] });
  });

  it('The offered markets open the first one, which is selected from the beginning, with Enter only', async () => {
    const { session, world } = await demanded(USUAL, []);
    expect(renderFrame(session.state())).toContain('> HELDC/HUSD');
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [hexId(1)], live: ['true'] });
    // As when g opens them: the largest commitment comes first.
    expect(browserOf(session).sort).toEqual({ column: 'commitment', isDescending: true });
  });

  it('The offered markets stay after Esc, whatever was typed, and say that there is nothing behind them', async () => {
    const { session } = await demanded(USUAL, []);
    const before = renderFrame(session.state());
    press(session, 'esc');
    expect(session.state().notice?.text).toBe('q quits');
    press(session, 'down', 'esc', 'k');
    expect(renderFrame(session.state())).toBe(before);
    press(session, 'f', 'tab');
    session.dispatch({ type: 'type-text', value: 'abc' });
    press(session, 'esc');
    expect(renderFrame(session.state())).toBe(before);
  });

  it.each([80, 60])(
    'The offered markets cut a long name at %i columns, so that what is known of each market stays',
    async columns => {
      const [first, ...others] = markets;
      const name = 'Gross domestic product of the United States, fourth quarter';
      const renamed = new Map(first === undefined ? [] : [[first[0], { ...first[1], code: name, name }], ...others]);
      const { session } = await demanded({ ...USUAL, columns }, [fee(1, '1234567')], renamed);
      expect(renderFrame(session.state())).toMatch(/> Gross dom\S*.*\.\..*quarter +ACTIVE +HUSD +123\.46 HUSD$/m);
    },
  );

  it('The offered markets say once that no decimals are known, as of a node that lists no assets', async () => {
    const { session } = await demanded(USUAL, [fee(1, '1234567')], markets, new Map());
    const frame = renderFrame(session.state());
    expect(frame).toMatch(/SETTLES IN +FEES OF EPOCH 41, smallest units$/m);
    expect(frame).toMatch(/> HELDC\/HUSD +ACTIVE +\S+ +1 234 567$/m);
  });

  it('The offered markets show no fees that no row reported, and of several epochs the newest', async () => {
    const shown = async (...fees: readonly ReturnType<typeof fee>[]) =>
      [...renderFrame((await demanded(USUAL, fees)).session.state()).matchAll(/^[ >]+(?:MARKET|HELD[AC]).*$/gm)].map(
        ([text]) => text.replace('>', ' ').trim(),
      );
    expect(await shown()).toEqual([
      'MARKET      STATE    SETTLES IN',
      'HELDC/HUSD  ACTIVE   HUSD',
      'HELDA/HUSD  SETTLED  HUSD',
    ]);
    expect(await shown(fee(1, '1', '9'), fee(2, '20000', '10'))).toEqual([
      'MARKET      STATE    SETTLES IN  FEES OF EPOCH 10',
      'HELDC/HUSD  ACTIVE   HUSD',
      'HELDA/HUSD  SETTLED  HUSD        2 HUSD',
    ]);
    expect((await shown(fee(1, '1e9\u001b[31m')))[1]).toBe('HELDC/HUSD  ACTIVE   HUSD');
  });
});
