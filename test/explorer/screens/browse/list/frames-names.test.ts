import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/chain/api/json.ts';
import type { Directory } from '../../../../../src/chain/directory/directory.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { asset, directoryWith, market, validator } from '../../../../chain/directory/directories.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, press, startSession, told } from '../../../support/fake-world.ts';
import { paintedLines, plain, renderFrame } from '../../../support/frame.ts';
import { answerNames, NamingWorld } from '../../../support/naming-world.ts';
import { pageOf, provision } from '../../../support/provision-pages.ts';

const id = (start: string): string => start.padEnd(64, '0');
const [HELDA, HELDB, HUSD, ETH, MINE] = [id('8a2f'), id('77aa'), id('c0de'), id('e7'), id('c4ce')];

const NAMES = directoryWith({
  markets: [
    [HELDA, market({ code: 'HELDA/HUSD', asset: HUSD })],
    [HELDB, market({ code: 'HELDB/HUSD', asset: HUSD })],
  ],
  assets: [
    [HUSD, asset({ symbol: 'HUSD', decimals: 6 })],
    [ETH, asset({ symbol: 'ETH', decimals: 18 })],
  ],
  validators: [[id('0a'), validator({ name: 'Validator 3', publicKey: MINE })]],
});

const ROWS = [
  provision(1, { marketId: HELDA, partyId: MINE, commitmentAmount: '6121370000000' }),
  provision(2, { marketId: HELDB, commitmentAmount: '1905000123456', status: 'STATUS_PENDING' }),
  provision(3, { marketId: HELDA, commitmentAmount: '0', fee: '0.05' }),
];

interface Given {
  readonly columns?: number;
  readonly rows?: readonly JsonObject[];
  readonly names?: Directory | null;
  readonly tab?: string;
}

/** The table with these rows; `named` brings the names that are on their way, and again makes the page anew. */
async function table({ columns = 80, rows = ROWS, names = NAMES, tab = 'provisions' }: Given = {}) {
  const world = new NamingWorld();
  const { session } = await startSession({ world, tab, columns, rows: 14 });
  await answerPage(world, pageOf(rows));
  const named = () => answerNames(world, { names: names ?? {}, isOld: false });
  const anew = async (): Promise<void> => {
    press(session, 'r');
    await answerPage(world, pageOf(rows));
  };
  return { session, world, named, anew };
}

const lines = (session: Session): readonly string[] => paintedLines(session.state()).map(line => plain(line).trimEnd());
/** The header is no part of it. */
const belowHeader = (session: Session): string => renderFrame(session.state()).replace(/^\n.*/, '');

const body = (session: Session): string => `\n${lines(session).slice(3, 7).join('\n')}\n`;

/** Where a title of the heading ends if it stands at the right, else where it begins. */
function edgeOf(shown: string, title: string): number {
  const heading = shown.split('\n')[1] ?? '';
  const [found = ''] = new RegExp(`${title},?(?: \\S+)*`).exec(heading) ?? [];
  return heading.indexOf(title) + (title === 'COMMITMENT' || title === 'FEE' ? found.length : 0);
}

describe('Names in a table at 80 columns', () => {
  it('The validator table shows stakes in units of the staking asset, rounded as the heading says', async () => {
    const rows = ['68662945209318954361878', '173438678627711797523232'].map((stakedTotal, index) => ({
      ...{ id: id(`0${index}`), name: `Validator ${index}`, ethereumAddress: `0x${`0${index}`.repeat(20)}` },
      ...{ stakedTotal, pendingStake: '-71989764669089921169' },
    }));
    const { session, named, anew } = await table({ rows, names: { ...NAMES, rewardAsset: ETH }, tab: 'validators' });
    await named();
    await anew();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        NAME         STATUS  POWER   +STAKE   STAKE ETH  SIGNS AS       ID
      > Validator 0              -   -0.1 %      68 663  0x0000..00000  00000..0000
        Validator 1              -  -<0.1 %     173 439  0x0101..10101  01000..0000

      "
    `);
  });

  it('A table shows IDs and smallest units while names are unknown', async () => {
    const { session, named } = await table({ names: null });
    await named();
    expect(belowHeader(session)).toMatchInlineSnapshot(`
      "
      ─ Provisions ─ 3 rows ─ live: current and pending ─ columns 1-6 of 10 ──────────
        PARTY         MARKET        STATUS             COMMITMENT, raw    FEE  VER   >
      > c4ce0..00000  8a2f0..00000  ACTIVE           6 121 370 000 000  0.1 %    1
        00000..e8482  77aa0..00000  PENDING (new)    1 905 000 123 456  0.1 %    1
        00000..e8483  8a2f0..00000  ACTIVE                           0    5 %    1





      ────────────────────────────────────────────────────────────────────────────────
       1-3 of 3   enter inspect  g go to  f filter  / find  T statement  ? help
      "
    `);
  });

  it('A table replaces IDs by names and units when they arrive, and moves nothing', async () => {
    const { session, named } = await table();
    press(session, 'j');
    const before = body(session);
    await named();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY         MARKET        STATUS             COMMITMENT HUSD    FEE  VER   >
        Validator 3   HELDA/HUSD    ACTIVE                6 121 370.00  0.1 %    1
      > 00000..e8482  HELDB/HUSD    PENDING (new)         1 905 000.12  0.1 %    1
        00000..e8483  HELDA/HUSD    ACTIVE                        0.00    5 %    1
      "
    `);
    for (const title of ['MARKET', 'PARTY', 'COMMITMENT', 'FEE', 'STATUS'])
      expect(edgeOf(body(session), title)).toBe(edgeOf(before, title));
  });

  it('A table has room for the names that are known when it is laid out', async () => {
    const { session, named, anew } = await table();
    await named();
    await anew();
    expect(belowHeader(session)).toMatchInlineSnapshot(`
      "
      ─ Provisions ─ 3 rows ─ live: current and pending ─ columns 1-6 of 10 ──────────
        PARTY            MARKET      STATUS             COMMITMENT HUSD    FEE  VER  >
      > Validator 3      HELDA/HUSD  ACTIVE                6 121 370.00  0.1 %    1
        0000000..1e8482  HELDB/HUSD  PENDING (new)         1 905 000.12  0.1 %    1
        0000000..1e8483  HELDA/HUSD  ACTIVE                        0.00    5 %    1





      ────────────────────────────────────────────────────────────────────────────────
       1-3 of 3   enter inspect  g go to  f filter  / find  T statement  ? help
      "
    `);
  });
});

describe('Names in a table at 120 columns', () => {
  it('A table shows IDs and smallest units, then names and units instead, with room for another column', async () => {
    const { session, named, anew } = await table({ columns: 120 });
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY       MARKET      STATUS           COMMITMENT, raw    FEE  VER    UPDATED  ID          REFERENCE       CREATED
      > c4ce..0000  8a2f..0000  ACTIVE         6 121 370 000 000  0.1 %    1  1 min ago  0000..0001  reference-1  16 min ago
        0000..8482  77aa..0000  PENDING (new)  1 905 000 123 456  0.1 %    1  1 min ago  0000..0002  reference-2  16 min ago
        0000..8483  8a2f..0000  ACTIVE                         0    5 %    1  1 min ago  0000..0003  reference-3  16 min ago
      "
    `);
    await named();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY       MARKET      STATUS           COMMITMENT HUSD    FEE  VER    UPDATED  ID          REFERENCE       CREATED
      > Vali..or 3  HELDA/HUSD  ACTIVE              6 121 370.00  0.1 %    1  1 min ago  0000..0001  reference-1  16 min ago
        0000..8482  HELDB/HUSD  PENDING (new)       1 905 000.12  0.1 %    1  1 min ago  0000..0002  reference-2  16 min ago
        0000..8483  HELDA/HUSD  ACTIVE                      0.00    5 %    1  1 min ago  0000..0003  reference-3  16 min ago
      "
    `);
    await anew();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY        MARKET      STATUS         COMMITMENT HUSD    FEE  VER    UPDATED  ID          REFERENCE       CREATED
      > Validator 3  HELDA/HUSD  ACTIVE            6 121 370.00  0.1 %    1  1 min ago  0000..0001  reference-1  16 min ago
        00000..8482  HELDB/HUSD  PENDING (new)     1 905 000.12  0.1 %    1  1 min ago  0000..0002  reference-2  16 min ago
        00000..8483  HELDA/HUSD  ACTIVE                    0.00    5 %    1  1 min ago  0000..0003  reference-3  16 min ago
      "
    `);
  });
});

describe('Names in a list', () => {
  it('The names of two markets called the same have digits of the ID, also when they are cut', async () => {
    const markets: Given['names'] = {
      ...NAMES,
      markets: new Map([HELDA, HELDB].map(key => [key, market({ code: 'A long name of a market', asset: HUSD })])),
    };
    const { session, named, anew } = await table({ names: markets });
    await named();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY        MARKET               STATUS         COMMITMENT HUSD    FEE  VER >
      > Validator 3  A long na..ket 8a2f  ACTIVE            6 121 370.00  0.1 %    1
        00000..8482  A long na..ket 77aa  PENDING (new)     1 905 000.12  0.1 %    1
        00000..8483  A long na..ket 8a2f  ACTIVE                    0.00    5 %    1
      "
    `);
    await anew();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY        MARKET               STATUS         COMMITMENT HUSD    FEE  VER >
      > Validator 3  A long na..ket 8a2f  ACTIVE            6 121 370.00  0.1 %    1
        00000..8482  A long na..ket 77aa  PENDING (new)     1 905 000.12  0.1 %    1
        00000..8483  A long na..ket 8a2f  ACTIVE                    0.00    5 %    1
      "
    `);
  });

  it('Hostile names do no harm and take no more room than others', async () => {
    const evil = '\u001b]0;owned\u0007\u202e\u200b漢字👩‍👩‍👧'.repeat(20);
    const names: Given['names'] = {
      ...NAMES,
      markets: new Map([[HELDA, market({ code: evil, asset: HUSD })]]),
      assets: new Map([[HUSD, asset({ symbol: evil, decimals: 6 })]]),
    };
    const { session, named, anew } = await table({ names });
    await named();
    await anew();
    expect(body(session)).toMatchInlineSnapshot(`
      "
        PARTY        MARKET            STATUS         COMMITMENT ␛]0;owned␇�…    FEE >
      > Validator 3  ␛]0;owned␇��漢…   ACTIVE                       6 121 370  0.1 %
        00000..8482  77aa000..0000000  PENDING (new)    1 905 000 123 456 raw  0.1 %
        00000..8483  ␛]0;owned␇��漢…   ACTIVE                               0    5 %
      "
    `);
    for (const line of paintedLines(session.state())) expect(plain(line)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it('Names that arrive for a sorted and searched list change neither its rows nor their order', async () => {
    const { session, named } = await table();
    tell(session, { type: 'sort-by', column: 'market' });
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'reference' });
    press(session, 'enter', 'j');
    const shown = () => {
      const resource = resourceById('provisions');
      if (resource === undefined) throw new Error('no provisions');
      return [visibleRows(resource, browserOf(session)), browserOf(session).view];
    };
    const before = shown();
    await named();
    expect(shown()).toEqual(before);
    expect(before[0]).toHaveLength(3);
  });

  it('Names are used by the next search or sort once they are known; IDs are still found', async () => {
    const { session, named } = await table();
    await named();
    const found = (text: string) => {
      press(session, '/');
      session.dispatch({ type: 'type-text', value: text });
      press(session, 'enter');
      return /(\d+) found|(\d+) of \d+/.exec(lines(session).join('\n'))?.slice(1).join('');
    };
    expect([found('heldb'), found(HELDB), found('validator 3'), found('6 121 370'), found('6121370000000')]).toEqual(
      expect.arrayContaining(['1', '1', '1', '1', '1']),
    );
  });

  it('Names come before the ID in the inspector, and amounts there are exact and as they were sent', async () => {
    const { session, named } = await table({ columns: 80 });
    await named();
    press(session, 'j', 'enter');
    await told();
    const found = (text: string): string => {
      press(session, '/');
      session.dispatch({ type: 'type-text', value: text });
      press(session, 'enter');
      return lines(session).join('\n');
    };
    expect(found('1905000123456')).toContain('1 905 000.123456 HUSD  (1905000123456)');
    expect(found('HELDB')).toMatch(/marketId +HELDB\/HUSD {2}77aa/);
  });

  it('Names in the filter line replace the IDs that narrow the list', async () => {
    const { session, world, named } = await table();
    await named();
    tell(session, { type: 'set-filter', name: 'marketId', value: HELDA });
    await answerPage(world, pageOf(ROWS));
    expect(lines(session)[2]).toContain('market HELDA/HUSD');
  });

  it('Names given by the user come before those of the chain, from the first frame on', async () => {
    const world = new NamingWorld();
    const preferences = { aliases: { [MINE.toUpperCase()]: 'cold wallet', [HELDA]: 'main' }, preview: 'off' } as const;
    world.connected = Promise.resolve({ label: '', address: 'http://n', preferences, notice: null });
    const { session } = await startSession({ world, columns: 120 });
    await answerPage(world, pageOf(ROWS));
    expect(lines(session)[4]).toMatch(/@cold wallet +@main/);
  });
});

describe('Amounts in a table', () => {
  const fee = (assetId: string, total: string): JsonObject => ({
    ...{ asset: assetId, market: HELDA, epochSeq: '41', totalFeesPaid: total },
    feesPaidPerParty: [{ party: MINE, amount: total, quantumAmount: '' }],
  });
  const fees = async (...rows: readonly JsonObject[]) => {
    const { session, named, anew } = await table({ tab: 'fees', rows, columns: 120 });
    await named();
    await anew();
    return body(session);
  };

  it('Amounts of one asset have its symbol in the heading, and amounts of several each have their own', async () => {
    expect(await fees(fee(HUSD, '12410000'), fee(HUSD, '500000'))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET      TOTAL HUSD  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD       12.41        1  Validator 3    100.0 %  HUSD
           41  HELDA/HUSD        0.50        1  Validator 3    100.0 %  HUSD

      "
    `);
    expect(await fees(fee(HUSD, '12410000'), fee(ETH, '2500000000000000000'))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET           TOTAL  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD  12.41 HUSD        1  Validator 3    100.0 %  HUSD
           41  HELDA/HUSD     2.5 ETH        1  Validator 3    100.0 %  ETH

      "
    `);
  });

  it('Amounts of several assets each have enough decimals to be distinguished from zero', async () => {
    const [much, little] = ['12410000', '6612345678901234'];
    expect(await fees(fee(HUSD, much), fee(HUSD, '675924000'), fee(ETH, little))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET      TOTAL, rounded  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD      12.41 HUSD        1  Validator 3    100.0 %  HUSD
           41  HELDA/HUSD     675.92 HUSD        1  Validator 3    100.0 %  HUSD
           41  HELDA/HUSD      0.0066 ETH        1  Validator 3    100.0 %  ETH
      "
    `);
  });

  it('Amounts without a known unit say so, and share one exponent', async () => {
    const [big, small] = ['3905000000000000000000000', '1250000000000000000000'];
    expect(await fees(fee(id('99'), big), fee(id('99'), small))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET      TOTAL x 10^18, decimals not known  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD                          3 905 000        1  Validator 3    100.0 %  99000000000000..0000000000000
           41  HELDA/HUSD                              1 250        1  Validator 3    100.0 %  99000000000000..0000000000000

      "
    `);
    expect(await fees(fee(HUSD, '12410000'), fee(id('99'), '7000'))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET      TOTAL HUSD  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD       12.41        1  Validator 3    100.0 %  HUSD
           41  HELDA/HUSD   7 000 raw        1  Validator 3    100.0 %  9900000000000000000000000..0000000000000000000000000

      "
    `);
  });

  it('Amounts that round to zero are not shown as zero', async () => {
    expect(await fees(fee(ETH, '1'), fee(ETH, '2500000000000000000'), fee(ETH, '0'))).toMatchInlineSnapshot(`
      "
        EPOCH  MARKET      TOTAL ETH, rounded  PARTIES  TOP PARTY    TOP SHARE  ASSET
      >    41  HELDA/HUSD           <0.000001        1  Validator 3    100.0 %  ETH
           41  HELDA/HUSD            2.500000        1  Validator 3    100.0 %  ETH
           41  HELDA/HUSD            0.000000        1  Validator 3             ETH
      "
    `);
  });
});
