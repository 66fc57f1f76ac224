import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import { answerPage, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { run } from '../../support/list-scenes.ts';
import { hexId, pageOf, provision } from '../../support/provision-pages.ts';
import { LARGE, type Size, SMALL, USUAL } from '../../support/scenes.ts';

const [ONE, TWO] = [hexId(1), hexId(2)];

const market = (code: string, asset: string) => ({
  ...{ code, name: code, state: 'STATE_ACTIVE', asset, specs: [] },
  ...{ decimalPlaces: 2, positionDecimalPlaces: 2 },
});

const asset = (symbol: string, decimals: number) => ({ symbol, name: symbol, status: '', decimals, quantum: '' });

async function counted(size: Size, line: string, rows: readonly JsonObject[]): Promise<string> {
  const { session, world } = await startSession(size);
  const markets = new Map([
    [ONE, market('HELDA/HUSD', 'a1')],
    [TWO, market('HELDB/HEUR', 'a2')],
  ]);
  const assets = new Map([
    ['a1', asset('HUSD', 2)],
    ['a2', asset('HEUR', 6)],
  ]);
  world.directory = async () => ({ names: { assets, markets }, isOld: false });
  await answerPage(world, pageOf(rows));
  await told();
  run(session, line);
  await session.idle();
  press(session, 'j');
  return renderFrame(session.state());
}

const STATES = ['STATUS_ACTIVE', 'STATUS_PENDING', 'STATUS_STOPPED', 'STATUS_ACTIVE', 'STATUS_ACTIVE'];

const provisions = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) =>
    provision(index, {
      marketId: index % 4 === 0 ? TWO : ONE,
      status: STATES[index % STATES.length] ?? '',
      commitmentAmount: String(1_234_500 * (1 + (index % 6))),
    }),
  );

describe('Frequency of a column on the screen', () => {
  it('The frequency screen is drawn at 80x24, with a bar for each value', async () => {
    expect(await counted(USUAL, 'freq status', provisions(46))).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Frequency ─ STATUS ─ 3 values of all 46 rows ─ live current and pending ──────
        STATUS   COUNT   SHARE
        ACTIVE      28  60.9 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      > PENDING      9  19.6 %  ━━━━━━━━━━━━━
        STOPPED      9  19.6 %  ━━━━━━━━━━━━━















      ────────────────────────────────────────────────────────────────────────────────
       1-3 of 3   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The frequency screen of amounts has the sums of each asset above the values', async () => {
    expect(await counted(USUAL, 'freq commitment', provisions(46))).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Frequency ─ COMMITMENT ─ 9 values of all 46 rows ─ live current and pending ──
       sum    44.442  least 1.2345  largest 6.1725  HEUR, 12 rows
       sum 1 493 745  least 12 345  largest 74 070  HUSD, 34 rows
         COMMITMENT  COUNT   SHARE
        24 690 HUSD      8  17.4 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      > 49 380 HUSD      8  17.4 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        74 070 HUSD      7  15.2 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        1.2345 HEUR      4   8.7 %  ━━━━━━━━━━━━━━━━━━━━
        37 035 HUSD      4   8.7 %  ━━━━━━━━━━━━━━━━━━━━
        6.1725 HEUR      4   8.7 %  ━━━━━━━━━━━━━━━━━━━━
        12 345 HUSD      4   8.7 %  ━━━━━━━━━━━━━━━━━━━━
        3.7035 HEUR      4   8.7 %  ━━━━━━━━━━━━━━━━━━━━
        61 725 HUSD      3   6.5 %  ━━━━━━━━━━━━━━━







      ────────────────────────────────────────────────────────────────────────────────
       1-9 of 9   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The frequency screen of IDs has the known names, at 120x40', async () => {
    expect(await counted(LARGE, 'freq market', provisions(46))).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                           answered
      ─ Frequency ─ MARKET ─ 2 values of all 46 rows ─ live current and pending ──────────────────────────────────────────────
        MARKET      COUNT   SHARE
        HELDA/HUSD     34  73.9 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      > HELDB/HEUR     12  26.1 %  ━━━━━━━━━━━━━━
































      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1-2 of 2   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The frequency screen is drawn at 40x12, and keeps the figures', async () => {
    expect(await counted(SMALL, 'freq party', provisions(46))).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ─ Frequency  PARTY  7 values of all 46 …
        PARTY                    COUNT   SHARE
        00000000000..00001e8480      7  15.2 %
      > 00000000000..00001e8481      7  15.2 %
        00000000000..00001e8482      7  15.2 %
        00000000000..00001e8483      7  15.2 %
        00000000000..00001e8484      6  13.0 %
        00000000000..00001e8485      6  13.0 %
      ────────────────────────────────────────
       1-6 of 7   enter its rows  ? help
      "
    `);
  });

  it.each([USUAL, { ...USUAL, columns: 60 }])(
    'The sums screen has every figure whole or marked as cut at $columns columns, each column with its head',
    async size => {
      const rows = ['123456789012345678901234', '1', '98765432109876543210987'].map((commitmentAmount, index) =>
        provision(index, { marketId: TWO, commitmentAmount }),
      );
      const [head = '', row = ''] = (await counted(size, 'sum commitment', rows))
        .split('\n')
        .filter(line => /OF |HEUR/.test(line));
      expect(head.trim().split(/ +/)).toEqual(['OF', 'SUM', 'COUNT', 'LEAST', 'LARGEST']);
      const figures = row.trim().replace(/^> /, '').split(/ {2,}/);
      expect(figures).toHaveLength(5);
      for (const figure of figures.slice(1))
        expect(figure).toMatch(/^(?:\d{1,3}(?: \d{3})*(?:\.\d*\u2026|\.\d+)?|\d\.\d*\u2026 x 10\^\d+|\u2026)$/);
    },
  );

  it('The frequency screen shows only sums when those are requested', async () => {
    expect(await counted(USUAL, 'sum commitment', provisions(46))).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Sums ─ COMMITMENT ─ 2 assets of all 46 rows ─ live current and pending ───────
        OF          SUM  COUNT   LEAST  LARGEST
        HEUR     44.442     12  1.2345   6.1725
      > HUSD  1 493 745     34  12 345   74 070
















      ────────────────────────────────────────────────────────────────────────────────
       1-2 of 2   F column  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The frequency screen draws nothing from a node that would harm the terminal', async () => {
    const rows = ['\u001b[2J', '\u202eabc', `${'x'.repeat(500)}`, '\ud800', 'a\nb'].map(reference =>
      provision(1, { reference }),
    );
    expect(await counted(USUAL, 'freq reference', rows)).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Frequency ─ REFERENCE ─ 5 values of all 5 rows ─ live current and pending ────
        REFERENCE                                          COUNT   SHARE
        ␛[2J                                                   1  20.0 %  ━━━━━━━━━━━━
      > �abc                                                   1  20.0 %  ━━━━━━━━━━━━
        xxxxxxxxxxxxxxxxxxxxxxxx..xxxxxxxxxxxxxxxxxxxxxxx      1  20.0 %  ━━━━━━━━━━━━
        �                                                      1  20.0 %  ━━━━━━━━━━━━
        a␊b                                                    1  20.0 %  ━━━━━━━━━━━━













      ────────────────────────────────────────────────────────────────────────────────
       1-5 of 5   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
  });
});
