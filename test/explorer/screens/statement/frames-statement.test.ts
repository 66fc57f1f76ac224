import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../../src/chain/directory/directory.ts';
import type { FetchedFees } from '../../../../src/chain/explain/statement/fetch-fees.ts';
import { answerPage, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { hexId, pageOf } from '../../support/provision-pages.ts';
import { LARGE, type Size, SMALL, USUAL } from '../../support/scenes.ts';

const [ONE, TWO, ASSET, PARTY] = [hexId(1), hexId(2), hexId(3), hexId(4)];

const market = (code: string) => ({
  ...{ code, name: code, state: 'STATE_ACTIVE', asset: ASSET, specs: [] },
  ...{ decimalPlaces: 2, positionDecimalPlaces: 2 },
});

const NAMES: Directory = {
  ...NO_NAMES,
  markets: new Map([
    [ONE, market('HELDA/HUSD')],
    [TWO, market('HELDB/HUSD')],
  ]),
  assets: new Map([[ASSET, { symbol: 'HUSD', name: 'Held', status: '', decimals: 4, quantum: '' }]]),
};

const fee = (marketId: string, epochSeq: number, amount: string, totalFeesPaid: string) => ({
  market: marketId,
  asset: ASSET,
  epochSeq: String(epochSeq),
  totalFeesPaid,
  feesPaidPerParty: [{ party: PARTY, amount }],
});

const NOT_ALL: FetchedFees['spans'] = [
  { kind: 'not-known', from: 33n, to: 33n },
  { kind: 'known', from: 34n, to: 42n },
];

const AMOUNTS = [38, 0, 5, 40, 0, 0, 12, 33, 21, 7];

function feesOf(marketId: string, step: number): FetchedFees['rows'] {
  return AMOUNTS.flatMap((amount, index) =>
    amount === 0 ? [] : [fee(marketId, 33 + index, String(amount * step), String(100 * step))],
  );
}

async function statementOf(
  size: Size,
  lists: readonly FetchedFees['rows'][],
  more: Partial<FetchedFees> = {},
  directory = NAMES,
) {
  const { session, world } = await startSession({ ...size, tab: 'fees' });
  const { assets, markets } = directory;
  world.directory = async () => ({ names: { assets, markets }, isOld: false });
  await answerPage(world, pageOf([fee(ONE, 42, '1', '1')]) satisfies { readonly rows: readonly JsonObject[] });
  await told();
  press(session, 'T');
  session.paste(PARTY);
  const { asked, answer } = last(world.statements);
  answer({
    query: asked.question,
    head: { open: 43n, newest: undefined, version: 'v0.74.10' },
    rows: lists.flat(),
    spans: [{ kind: 'known', from: 33n, to: 42n }],
    ...{ ammIncome: 'not-offered', requests: 5, problems: [] },
    ...more,
  });
  await told();
  return session;
}

const frame = async (...of: Parameters<typeof statementOf>): Promise<string> =>
  renderFrame((await statementOf(...of)).state());

describe('Statement on the screen', () => {
  it('The statement shows at 60x16 all of its totals', async () => {
    expect(await frame({ columns: 60, rows: 16 }, [feesOf(ONE, 12_345)])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1               answered
      ─ Fee statement ─ party 00000..00004 ─ epochs last 10 ──────
       total 192.58 HUSD in 7 epochs, 22.3 % of 864.15
       epochs 33 to 42, the last 10: epoch 43 is not over
       no AMM income (v0.74.10 has no AMMs)
       EPOCH  AMOUNT HUSD, rounded   SHARE  RUNNING TOTAL
          35                  6.17   5.0 %          53.08  ━
          36                 49.38  40.0 %         102.46  ━━━━━━━
       37-38                  none
          39                 14.81  12.0 %         117.28  ━━
          40                 40.74  33.0 %         158.02  ━━━━━━
          41                 25.92  21.0 %         183.94  ━━━╸
          42                  8.64   7.0 %         192.58  ━
      ────────────────────────────────────────────────────────────
       3-9 of 9   y copy  enter notes  a epochs  ? help
      "
    `);
  });

  it('The statement shows at 80x24 what a party was paid over ten epochs, its share, and the total', async () => {
    expect(await frame(USUAL, [feesOf(ONE, 12_345)])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Fee statement ─ party 00000..00004 ─ epochs last 10 ──────────────────────────
       total 192.58 HUSD in 7 epochs, 22.3 % of 864.15; largest 49.38 in epoch 36
       epochs 33 to 42, the last 10: epoch 43 is not over
       no AMM income (v0.74.10 has no AMMs); allocated, before penalties and bonuses
       EPOCH  AMOUNT HUSD, rounded   SHARE  RUNNING TOTAL  MARKET TOTAL  0  49.38 HUSD
          33                 46.91  38.0 %          46.91        123.45  ━━━━━━━━━━━━╸
          34                  none
          35                  6.17   5.0 %          53.08        123.45  ━╸
          36                 49.38  40.0 %         102.46        123.45  ━━━━━━━━━━━━━
       37-38                  none
          39                 14.81  12.0 %         117.28        123.45  ━━━━
          40                 40.74  33.0 %         158.02        123.45  ━━━━━━━━━━╸
          41                 25.92  21.0 %         183.94        123.45  ━━━━━━━
          42                  8.64   7.0 %         192.58        123.45  ━━╸

       amounts are rounded here; totals are sums of the exact amounts
       none: the node has no fees of the party in that epoch
       a share counts only the markets and epochs in which the party had an amount
       5 requests

      ────────────────────────────────────────────────────────────────────────────────
       9 lines   y copy  enter notes  a epochs  E earned  r reload  esc back  ? help
      "
    `);
  });

  it('The statement shows the markets when there are several, at 80x24', async () => {
    expect(await frame(USUAL, [feesOf(ONE, 12_345), feesOf(TWO, 700)])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Fee statement ─ party 00000..00004 ─ epochs last 10 ──────────────────────────
       total 203.50 HUSD in 7 epochs, 22.3 % of 913.15; largest 49.38 in epoch 36
       epochs 33 to 42, the last 10: epoch 43 is not over
       no AMM income (v0.74.10 has no AMMs); allocated, before penalties and bonuses
       EPOCH  MARKET      AMOUNT HUSD, rounded   SHARE  RUNNING TOTAL  0    49.38 HUSD
          33  HELDB/HUSD                  2.66  38.0 %          49.57  ━
          34                              none
          35  HELDA/HUSD                  6.17   5.0 %          55.74  ━━
          35  HELDB/HUSD                  0.35   5.0 %          56.09  ╸
          36  HELDA/HUSD                 49.38  40.0 %         105.47  ━━━━━━━━━━━━━━━
          36  HELDB/HUSD                  2.80  40.0 %         108.27  ━
       37-38                              none
          39  HELDA/HUSD                 14.81  12.0 %         123.09  ━━━━╸
          39  HELDB/HUSD                  0.84  12.0 %         123.93  ╸
          40  HELDA/HUSD                 40.74  33.0 %         164.67  ━━━━━━━━━━━━╸
          40  HELDB/HUSD                  2.31  33.0 %         166.98  ╸
          41  HELDA/HUSD                 25.92  21.0 %         192.90  ━━━━━━━━
          41  HELDB/HUSD                  1.47  21.0 %         194.37  ╸
          42  HELDA/HUSD                  8.64   7.0 %         203.01  ━━╸
          42  HELDB/HUSD                  0.49   7.0 %         203.50  ╸
      ────────────────────────────────────────────────────────────────────────────────
       2-16 of 16   y copy  enter notes  a epochs  E earned  r reload  ? help
      "
    `);
  });

  it('The statement has amount, share and what is missing at 40x12', async () => {
    expect(await frame(SMALL, [feesOf(ONE, 12_345)])).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ─ Fee statement  party 00000..00004  ep…
       total 192.58 HUSD in 7 epochs, 22.3 %…
       epochs 33 to 42, the last 10: epoch 4…
       no AMM income (v0.74.10 has no AMMs)
       EPOCH  AMOUNT HU…   SHARE  RUNNING TO…
          40       40.74  33.0 %       158.02
          41       25.92  21.0 %       183.94
          42        8.64   7.0 %       192.58
      ────────────────────────────────────────
       7-9 of 9   y copy  a epochs  ? help
      "
    `);
  });

  it('The statement has amount and share at 40x12 also with several markets and assets', async () => {
    const other = feesOf(TWO, 700).map(row => ({ ...row, asset: hexId(9) }));
    expect(await frame(SMALL, [feesOf(ONE, 12_345), other])).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ─ Fee statement  party 00000..00004  ep…
       total 192.58 HUSD in 7 epochs, 22.3 %…
       total 109 200 smallest units of 0000.…
       no AMM income (v0.74.10 has no AMMs)
       EPOCH  MARKET      AMOUNT, rou…   SHARE
          41  HELDB/HUSD        14 700  21.0 %
          42  HELDA/HUSD          8.64   7.0 %
          42  HELDB/HUSD         4 900   7.0 %
      ────────────────────────────────────────
       14-16 of 16   y copy  ? help
      "
    `);
  });

  it('The statement cuts the longest name first, so that markets can still be told apart', async () => {
    const assets = new Map([
      [ASSET, { symbol: 'a-very-long-symbol-of-a-token', name: 'Held', status: '', decimals: 4, quantum: '' }],
      [hexId(5), { symbol: 'HUSD', name: 'Held', status: '', decimals: 4, quantum: '' }],
    ]);
    const [one, two] = ['ETH/USDC-MARCH', 'ETH/USDC-JUNE'];
    const markets = new Map([
      [ONE, market(one)],
      [TWO, market(two)],
    ]);
    const inOther = feesOf(TWO, 54_321).map(row => ({ ...row, asset: hexId(5) }));
    const lists = [feesOf(ONE, 12_345), inOther];
    const shown = await frame(USUAL, lists, {}, { ...NAMES, markets, assets });
    expect(shown).toMatch(/^ EPOCH {2}MARKET {10}ASSET /m);
    expect(shown).toContain(`    42  ${one}  a-very-long-sym`);
    expect(shown).toContain(`    42  ${two}   HUSD`);
  });

  it('The statement shows more of the same at 120x40', async () => {
    expect(await frame(LARGE, [feesOf(ONE, 12_345)])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                           answered
      ─ Fee statement ─ party 00000..00004 ─ all markets ─ all assets ─ epochs last 10 ───────────────────────────────────────
       total 192.58 HUSD in 7 epochs, 22.3 % of 864.15; largest 49.38 in epoch 36
       epochs 33 to 42, the last 10: epoch 43 is not over
       no AMM income (v0.74.10 has no AMMs); allocated, before penalties and bonuses
       EPOCH  AMOUNT HUSD, rounded   SHARE  RUNNING TOTAL  MARKET TOTAL  0         49.38 HUSD
          33                 46.91  38.0 %          46.91        123.45  ━━━━━━━━━━━━━━━━━━━
          34                  none
          35                  6.17   5.0 %          53.08        123.45  ━━╸
          36                 49.38  40.0 %         102.46        123.45  ━━━━━━━━━━━━━━━━━━━━
       37-38                  none
          39                 14.81  12.0 %         117.28        123.45  ━━━━━━
          40                 40.74  33.0 %         158.02        123.45  ━━━━━━━━━━━━━━━━╸
          41                 25.92  21.0 %         183.94        123.45  ━━━━━━━━━━╸
          42                  8.64   7.0 %         192.58        123.45  ━━━╸

       amounts are rounded here; totals are sums of the exact amounts
       none: the node has no fees of the party in that epoch
       a share counts only the markets and epochs in which the party had an amount
       5 requests

















      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       9 lines   y copy  enter notes  a epochs  E earned  r reload  : command  esc back  ? help
      "
    `);
  });

  it('The statement shows smallest units for an unknown asset, and what was not used', async () => {
    const odd = [fee(ONE, 34, '1e9', '7'), fee(ONE, 36, 'much\u001b[31m', '7'), fee(ONE, 37, '8', '\u202e9')];
    const rows = [...odd, fee(ONE, 38, '4', '9')];
    expect(await frame(USUAL, [rows], { spans: NOT_ALL }, NO_NAMES)).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Fee statement ─ party 00000..00004 ─ epochs last 10 ──────────────────────────
       total 12 smallest units of 0000..0003 in 2 epochs, 2 unreadable, not counted;
       largest 8 in epoch 37
       epochs 33 to 42, the last 10: epoch 43 is not over
       no AMM income (v0.74.10 has no AMMs); allocated, before penalties and bonuses
       epoch 34: the amount is not a whole number: not in any total
       2 more problems: Enter shows them
       EPOCH  AMOUNT, smallest unit   SHARE  RUNNING TOTAL  MARKET TOTAL  0          8
          33              not known
          34             unreadable
          35                   none
          36             unreadable
          37                      8                      8            �9  ━━━━━━━━━━━━
          38                      4  44.4 %             12             9  ━━━━━━
       39-42                   none

       in smallest units, because the decimals of 0000..0003 are not known
       none: the node has no fees of the party in that epoch
       not known: the node did not show all fees of that epoch
       a share counts only the markets and epochs in which the party had an amount
      ────────────────────────────────────────────────────────────────────────────────
       7 lines   y copy  enter notes  a epochs  E earned  r reload  esc back  ? help
      "
    `);
  });
});
