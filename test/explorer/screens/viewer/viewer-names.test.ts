import { describe, expect, it } from 'vitest';
import type { ViewerColumn, ViewerRow } from '../../../../src/answers/index.ts';
import { accountId } from '../../../../src/chain/directory/account-id.ts';
import { type Directory, NO_NAMES } from '../../../../src/chain/directory/directory.ts';
import { NOTHING_MINE } from '../../../../src/chain/directory/mine.ts';
import { copyItems } from '../../../../src/explorer/app/copying.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { accountParts, accountText } from '../../../../src/explorer/screens/viewer/accounts.ts';
import { fitCell, tableCell } from '../../../../src/explorer/screens/viewer/cells.ts';
import { otherChain, rowFormatOf, tableNames } from '../../../../src/explorer/screens/viewer/row-format.ts';
import { columnSchema } from '../../../../src/tables/columns.ts';
import { press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { overlayOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';
import { type Size, USUAL } from '../../support/scenes.ts';
import { tableOf, type ViewerOptions, viewing } from '../../support/viewer-scenes.ts';

const SHAPES: { readonly [kind: string]: ViewerColumn['shape'] } = {
  ...{ 'account-id': 'id', hash: 'id', id: 'id', height: 'ordinal', enum: 'word', time: 'time' },
  ...{ amount: 'number', count: 'number', decimal: 'number', factor: 'number', price: 'number', size: 'number' },
};

const columnsOf = (table: string, names: readonly string[]): readonly ViewerColumn[] =>
  names.flatMap(name => {
    const column = columnSchema(table, name);
    if (column === undefined) throw new Error(`${table} has no ${name}`);
    const { kind, unit, values: words = {} } = column;
    const counted = unit?.countedBy;
    const shape = SHAPES[kind] ?? 'text';
    return [
      { name, type: '', shape, about: '', unit: unit?.text ?? '', words, ...(counted !== undefined && { counted }) },
    ];
  });

const id = (digits: string): string => digits.repeat(64 / digits.length);
const [HUSD, WETH, MARKET, OTHER_MARKET] = [id('a1'), id('a2'), id('b1'), id('b2')] as const;
const [LP, UNKNOWN] = [id('c1'), id('c2')] as const;

const market = (code: string, decimalPlaces: number, positionDecimalPlaces: number) => ({
  ...{ code, name: code, state: 'STATE_ACTIVE', decimalPlaces, positionDecimalPlaces, asset: HUSD, specs: [] },
});
const asset = (symbol: string, decimals: number) => ({ symbol, name: symbol, status: '', decimals, quantum: '' });

const NAMES: Directory = {
  ...NO_NAMES,
  markets: new Map([
    [MARKET, market('HELDA/HUSD', 2, 3)],
    [OTHER_MARKET, market('HELDB/HUSD', 5, -1)],
  ]),
  assets: new Map([
    [HUSD, asset('HUSD', 6)],
    [WETH, asset('WETH', 18)],
  ]),
  validators: new Map([[id('d1'), { name: 'Validator 1', ethereumAddress: '', publicKey: LP, status: '' }]]),
};

const account = (party: string, of: string, type: string): string =>
  accountId({ asset: HUSD, party, market: of, type });

const LEDGER = columnsOf('ledger', ['ledger_entry_time', 'account_from_id', 'account_to_id', 'quantity', 'type']);
const LEDGER_ROWS: readonly ViewerRow[] = [
  [
    '2026-10-01 00:10:00.000001',
    account('network', MARKET, 'SETTLEMENT'),
    account(LP, MARKET, 'MARGIN'),
    '3905000',
    '10',
  ],
  [
    '2026-10-01 00:10:00.000002',
    account('network', '', 'EXTERNAL'),
    account(UNKNOWN, '', 'GENERAL'),
    '1234567891',
    '18',
  ],
  ['2026-10-01 00:10:01', account(UNKNOWN, '', 'GENERAL'), account(UNKNOWN, MARKET, 'BOND'), '5000000', '33'],
  ['1970-01-01 00:00:00', id('e1'), id('e2'), '42', '99'],
];

const TRADES = columnsOf('trades', ['vega_time', 'market_id', 'price', 'size', 'buyer', 'seller', 'buyer_maker_fee']);
const TRADE_ROWS: readonly ViewerRow[] = [
  ['2026-10-01 00:10:00', MARKET, '317540', '3100', LP, '03', '2500001'],
  ['2026-10-01 00:10:01', OTHER_MARKET, '1450000001', '28', UNKNOWN, LP, '1'],
];

const tableOptions = (
  columns: readonly ViewerColumn[],
  rows: readonly ViewerRow[],
  name = 'ledger',
): NonNullable<ViewerOptions['table']> => ({
  ...{ columns, rows: rows.length, row: place => rows[place] ?? [], tables: [name], names: NAMES, chainId: '' },
});

async function shown(table: ViewerOptions['table'], keys: readonly string[] = [], screen: Size = USUAL) {
  const scene = await viewing({ screen, table });
  await pressed(scene.session, ...keys);
  return scene;
}

async function pressed(session: Session, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    press(session, key);
    await told();
    await told();
  }
}

const linesOf = (session: Session, last = 9): string =>
  renderFrame(session.state()).split('\n').slice(2, last).join('\n');

describe('Viewer names and units', () => {
  it('The viewer shows account names, and amounts in the units of an asset known from either account', async () => {
    const { session } = await shown(tableOptions(LEDGER, LEDGER_ROWS));
    expect(linesOf(session, 8)).toMatchInlineSnapshot(`
      "─ ledger ─ 4 rows ─ blocks 501-1500 ────────────────────────────────────────────
        ledger_entry_time     type  quantity HUSD  from             to
      > 2026-10-01 00:10:00Z  10             3.90  settlement, HE…  margin, Valida…
        2026-10-01 00:10:00Z  18         1 234.57  external         0f05..6ebe
        2026-10-01 00:10:01Z  33             5.00  0f05..6ebe       bf3f..955d
        never                 99           42 raw  e1e1..e1e1       e2e2..e2e2"
    `);
    const lone = await shown(tableOptions(LEDGER, LEDGER_ROWS.slice(0, 3)));
    expect(linesOf(lone.session, 7)).toMatchInlineSnapshot(`
      "─ ledger ─ 3 rows ─ blocks 501-1500 ────────────────────────────────────────────
        ledger_entry_time     type  quantity HUSD  from             to
      > 2026-10-01 00:10:00Z  10             3.90  settlement, HE…  margin, Valida…
        2026-10-01 00:10:00Z  18         1 234.57  external         0f05..6ebe
        2026-10-01 00:10:01Z  33             5.00  0f05..6ebe       bf3f..955d"
    `);
  });

  it('The viewer names markets and parties, and shows exact prices and sizes in the decimals of each market', async () => {
    const { session } = await shown(tableOptions(TRADES, TRADE_ROWS, 'trades'), [], { columns: 120, rows: 24 });
    expect(linesOf(session, 6)).toMatchInlineSnapshot(`
      "─ trades ─ 2 rows ─ blocks 501-1500 ────────────────────────────────────────────────────────────────────────────────────
        vega_time                    price   size  market      buyer        seller       buyer_maker_fee HUSD
      > 2026-10-01 00:10:00Z   3 175.40000    3.1  HELDA/HUSD  Validator 1  network                  2.500001
        2026-10-01 00:10:01Z  14 500.00001  280.0  HELDB/HUSD  c2c2..c2c2   Validator 1              0.000001"
    `);
  });

  it('The viewer shows the values as in the file with R, and reads no row for it', async () => {
    const { session, source } = await shown(tableOptions(LEDGER, LEDGER_ROWS), ['R']);
    expect(linesOf(session, 8)).toMatchInlineSnapshot(`
      "─ ledger ─ as in the file ─ 4 rows ─ blocks 501-1500 ───────────────────────────
        ledger_entry_time           type    quantity  account_from_id  account_to_id
      > 2026-10-01 00:10:00.000001  10       3905000  2294cd3..f03d39  57fc6e..b7009
        2026-10-01 00:10:00.000002  18    1234567891  e1a7bf2..5470f3  0f050e..06ebe
        2026-10-01 00:10:01         33       5000000  0f050ef..e06ebe  bf3fbb..f955d
        1970-01-01 00:00:00         99            42  e1e1e1e..e1e1e1  e2e2e2..2e2e2"
    `);
    expect(source.asked).toEqual(['rows 0 4']);
    const widths = tableOf(session).view.widths;
    await pressed(session, 'R');
    expect(tableOf(session).view.widths).not.toEqual(widths);
    expect(linesOf(session)).not.toContain('as in the file');
    expect(source.asked).toEqual(['rows 0 4']);
  });

  it('The viewer says that amounts are raw when no decimals are known', async () => {
    const { session } = await shown({ ...tableOptions(LEDGER, LEDGER_ROWS), names: NO_NAMES });
    expect(linesOf(session, 5)).toContain('quantity, raw');
    expect(linesOf(session, 5)).toContain('3 905 000 ');
  });

  it('The viewer marks each raw amount among amounts in units, on a screen of any width', async () => {
    const unknown = ['37506000000', '242316000000000000000000'].map(quantity =>
      LEDGER_ROWS[3]?.with(
        LEDGER.findIndex(({ name }) => name === 'quantity'),
        quantity,
      ),
    );
    const table = tableOptions(LEDGER, [...LEDGER_ROWS.slice(0, 2), ...unknown.filter(row => row !== undefined)]);
    for (let columns = 40; columns <= 120; columns++) {
      const { session } = await shown(table, [], { columns, rows: 16 });
      const [heading, , , ...lines] = renderFrame(session.state()).split('\n').slice(3, 8);
      expect(heading?.includes('HUSD'), `${columns} columns`).toBe(columns >= 45);
      if (columns >= 45) for (const line of lines) expect(line, `${columns} columns`).toMatch(/[\d\u2026] raw/);
    }
    const { session } = await shown(table, [], { columns: 56, rows: 16 });
    expect(linesOf(session, 8)).toMatchInlineSnapshot(`
      "─ ledger ─ 4 rows ─ blocks 501-1500 ─ columns 1-3 of 5 ─
        ledger_entry_time     type    quantity HUSD, rounded >
      > 2026-10-01 00:10:00Z  10                        3.90
        2026-10-01 00:10:00Z  18                    1 234.57
        never                 99          37 506 000 000 raw
        never                 99    2.423160000… x 10^23 raw"
    `);
  });

  it('The viewer keeps the unit of each amount when the heading has none, and there is little room', () => {
    const columns = columnsOf('rewards', ['asset_id', 'amount']);
    const rows = [
      [HUSD, '119818000000'],
      [WETH, '1234567000000000000000000'],
      [id('e3'), '150000000000'],
    ];
    const reading = rowFormatOf({ table: { name: 'rewards', columns }, rows, names: NAMES, isRaw: false });
    const drawn = (cells: number) =>
      rows.map(row => fitCell({ table: 'rewards', columns, row, index: 1 }, reading, cells));
    expect(drawn(13)).toEqual(['119 818 HUSD', '\u2026 WETH', '\u2026 raw']);
    expect(drawn(17)).toEqual(['119 818 HUSD', '1 234 567 WETH', '1.50\u2026 x 10^11 raw']);
  });

  it('The viewer cuts a long symbol to leave fourteen cells for digits, but to no less than four', () => {
    const columns = columnsOf('rewards', ['asset_id', 'amount']);
    const named = id('a4');
    const names = { ...NAMES, assets: new Map([...NAMES.assets, [named, asset('LONGESTSYMBOLOFALL', 0)]]) };
    const rows: readonly ViewerRow[] = [
      [named, '1234567890123'],
      [HUSD, '1'],
    ];
    const reading = rowFormatOf({ table: { name: 'rewards', columns }, rows, names, isRaw: false });
    const drawn = (cells: number) =>
      fitCell({ table: 'rewards', columns, row: rows[0] ?? [], index: 1 }, reading, cells)
        .split(' ')
        .at(-1);
    expect([28, 24, 20, 18, 16].map(drawn)).toEqual(['LONGES..LOFALL', 'LONG..FALL', 'LO..LL', 'L..L', 'L..L']);
  });

  it('The viewer sorts, filters, copies and saves by the values of the file', async () => {
    const { session, source } = await shown(tableOptions(LEDGER, LEDGER_ROWS), ['=']);
    expect(renderFrame(session.state())).toContain('Show only rows with this value');
    expect(renderFrame(session.state())).toContain('3 905 000  (3.905 HUSD)');
    await pressed(session, 'j', 'j', 'enter');
    expect(source.asked).toContain('arrange {"filters":[{"column":"quantity","value":"3905000"}],"sort":null}');
    const copied = copyItems(session.state()).find(({ label }) => label === 'quantity');
    expect(copied?.action).toMatchObject({ content: { kind: 'text', text: '3905000' } });
  });

  it('The viewer searches for a shown name as for its ID, and for the text itself with R', async () => {
    const { session, source } = await shown(tableOptions(TRADES, TRADE_ROWS, 'trades'), ['/']);
    type(session, 'heldb/husd');
    await pressed(session, 'enter');
    expect(source.asked.at(-1)).toBe(`find ${OTHER_MARKET} 0 1`);
    expect(tableOf(session).view).toMatchObject({ row: 1, find: 'heldb/husd' });
    await pressed(session, 'R', 'n');
    expect(source.asked.at(-1)).toBe('find heldb/husd 0 1');
    expect(renderFrame(session.state())).toContain('no row has "heldb/husd" in any value of the file');
  });

  it('The viewer shows the whole row with every digit and what each value means', async () => {
    const { session } = await shown(tableOptions(TRADES, TRADE_ROWS, 'trades'), ['enter'], { columns: 120, rows: 24 });
    const frame = renderFrame(session.state());
    expect(frame).toContain('317 540  (3 175.4)');
    expect(frame).toContain('2 500 001  (2.500001 HUSD)');
    expect(frame).toContain('03  (network)');
  });

  it('The viewer leads where the IDs of a row lead, once a node is connected, and back to the same row', async () => {
    const { session } = await shown(tableOptions(TRADES, TRADE_ROWS, 'trades'), ['j', 'g']);
    const frame = renderFrame(session.state());
    expect(frame).toContain('provisions of this market');
    expect(frame).toContain('statement of this party');
    await pressed(session, 'enter');
    expect(session.state().tab).toBe('provisions');
    await pressed(session, 'backspace');
    expect(session.state().tab).toBe('history');
    expect(tableOf(session).view.row).toBe(1);
  });

  it('The viewer leads nowhere from a row without IDs of lists, and says so', async () => {
    const { session } = await shown(tableOptions(LEDGER, LEDGER_ROWS), ['G', 'g']);
    expect(overlayOf(session.state())).toBeNull();
    expect(renderFrame(session.state())).toContain('nothing to open from this row');
  });
});

describe('Names of a table in the viewer', () => {
  const source = { names: NAMES, parties: [UNKNOWN], chainId: 'chain-1' };
  const node = (chainId: string | null) => ({ chainId }) as Parameters<typeof otherChain>[1]['node'];

  it('The names saved with the export come first, then those of the node if it is on the same chain', () => {
    const renamed = new Map([
      [HUSD, asset('OTHER', 2)],
      [id('a3'), asset('NEW', 8)],
    ]);
    const directory = { ...NO_NAMES, assets: renamed, aliases: new Map([[LP, 'mine']]) };
    const same = tableNames(source, { directory, node: node('chain-1') });
    expect(same.assets.get(HUSD)?.symbol).toBe('HUSD');
    expect(same.assets.get(id('a3'))?.symbol).toBe('NEW');
    expect(tableNames(source, { directory, node: node('chain-1') })).toBe(same);
    const other = tableNames(source, { directory, node: node('chain-2') });
    expect(other.assets.has(id('a3'))).toBe(false);
    expect(other.aliases.get(LP)).toBe('mine');
    expect(otherChain(source, { node: node('chain-2') })).toBe('chain-2');
    expect(otherChain(source, { node: node('') })).toBeUndefined();
  });

  it('The names tell which accounts belong to a party that a table mentions', () => {
    const names = tableNames(source, { directory: NO_NAMES, node: node('chain-1') });
    const parts = accountParts(names).get(account(UNKNOWN, MARKET, 'BOND'));
    expect(parts && accountText(parts, names)).toBe('bond, c2c2..c2c2, HELDA/HUSD');
  });

  it('The names tell which accounts are yours', () => {
    const mine = { ...NAMES, validators: new Map(), mine: { ...NOTHING_MINE, party: new Set([LP]) } };
    const parts = accountParts(mine).get(account(LP, MARKET, 'MARGIN'));
    expect(parts && accountText(parts, mine)).toBe('margin, you, HELDA/HUSD');
  });

  it('The names are never applied to a fraction of a smallest unit as if it were whole', () => {
    const columns = columnsOf('positions', ['market_id', 'average_entry_price']);
    const row = [MARKET, '1234567.5'];
    const table = { name: 'positions', columns };
    const reading = rowFormatOf({ table, rows: [row], names: NAMES, isRaw: false });
    expect(tableCell({ table: 'positions', columns, row, index: 1 }, reading)).toBe('1.23');
    expect(reading.amounts.get(1)?.isRounded).toBe(true);
  });
});
