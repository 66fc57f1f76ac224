import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { cellText, rowContext } from '../../../../../src/chain/resources/cell-text.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import type { Row } from '../../../../../src/chain/resources/resource.ts';
import { WholeRowsBuilder } from '../../../../../src/chain/resources/whole-rows.ts';
import type { LoadedPage } from '../../../../../src/explorer/screens/browse/state.ts';
import { contentText } from '../../../../../src/explorer/services/copying/content-text.ts';
import { NO_TABLES } from '../../../support/fake-tables.ts';
import { textOf } from '../../../support/fake-world.ts';
import { hexId, loaded, pageOf, provision } from '../../../support/provision-pages.ts';

const MARKET = hexId(7);
const FILTERS = { marketId: [MARKET.toUpperCase()], live: ['true'] };

const amountOf = (place: number): bigint => BigInt((place * 7919) % 10_007) * 10n ** 20n + BigInt(place);

const ofMarket = (place: number, members: JsonObject = {}): JsonObject =>
  provision(place, { marketId: MARKET, commitmentAmount: String(amountOf(place)), ...members });

function wholePage(rows: readonly Row[], flaws: readonly string[] = [], filters: JsonObject = FILTERS): LoadedPage {
  const asked = Object.keys(filters).length === 0 ? {} : FILTERS;
  const maker = new WholeRowsBuilder(liquidityProvisions, asked);
  for (const _ of maker.add(rows));
  const whole = maker.made();
  const page = loaded(pageOf(whole.sample, { flaws }));
  return { ...page, request: { ...page.request, filters: asked }, whole };
}

const [share] = liquidityProvisions.columns.filter(({ id }) => id === 'share');
if (share === undefined) throw new Error('no share');

const shareIn = (page: LoadedPage, row: Row): string => share.worked?.(row, rowContext(page, row)) ?? '';

const rowsOf = (count: number): JsonObject[] => Array.from({ length: count }, (_, place) => ofMarket(place));

describe('Share of a provision in a whole list', () => {
  it('The share of a provision in a whole list is its exact part of all that is committed', () => {
    const rows = rowsOf(6000);
    const page = wholePage(rows);
    const total = rows.reduce((sum, _, place) => sum + amountOf(place), 0n);
    for (const place of [0, 1, 17, 4999, 5000, 5999]) {
      const tenths = (amountOf(place) * 2000n + total) / (2n * total);
      const shown = tenths === 0n ? '<0.1' : `${tenths / 10n}.${tenths % 10n}`;
      expect(shareIn(page, rows[place] ?? {}), String(place)).toBe(amountOf(place) === 0n ? '0.0' : shown);
    }
    expect(shareIn(wholePage([...rows, ofMarket(6001, { commitmentAmount: String(total) })]), rows[0] ?? {})).toBe(
      '0.0',
    );
    const half = ofMarket(6001, { commitmentAmount: String(total) });
    expect(shareIn(wholePage([...rows, half]), half)).toBe('50.0');
  });

  it.each<readonly [string, JsonObject]>([
    ['a row came twice', ofMarket(17)],
    ['a row is of another market', ofMarket(6000, { marketId: hexId(8) })],
    ['an amount is none', ofMarket(6000, { commitmentAmount: '1.5' })],
    ['of one it is not known what is in force', ofMarket(6000, { status: 'STATUS_PENDING', version: '2' })],
  ])('The share of a provision is not shown where %s', (_, odd) => {
    for (const rows of [
      [...rowsOf(6000), odd],
      [odd, ...rowsOf(6000)],
    ])
      expect(shareIn(wholePage(rows), ofMarket(3))).toBe('-');
  });

  it('The share of a provision is not shown for a list that is incomplete, or has more than one market', () => {
    expect(shareIn(wholePage(rowsOf(6000), ['the node is gone']), ofMarket(3))).toBe('-');
    expect(shareIn(wholePage(rowsOf(6000), [], {}), ofMarket(3))).toBe('-');
  });
});

describe('Markdown table of a whole list', () => {
  it.each([60, 6000])('The Markdown table of %d rows has the same text in each cell as the screen', async count => {
    const amended = [ofMarket(1, { version: '3', updatedAt: '1799999950000000000' })];
    for (const filters of [FILTERS, {}]) {
      const page = wholePage([...(filters === FILTERS ? [] : amended), ...rowsOf(count)], [], filters);
      const rows = page.whole?.list ?? [];
      const columns = liquidityProvisions.columns.filter(({ id }) => ['status', 'share'].includes(id));
      const list = { resource: 'provisions', rows, columns, directory: NO_NAMES, nowMs: page.receivedAtMs };
      const content = {
        kind: 'rows',
        form: 'md',
        list: { ...list, amongOf: (row: Row) => rowContext(page, row) },
      } as const;
      const world = {
        explain: async () => undefined,
        screen: () => '',
        tables: NO_TABLES,
        signal: new AbortController().signal,
      };
      const lines = (await textOf(contentText(content, world))).trimEnd().split('\n').slice(2);
      const shown = rows
        .slice()
        .map(row => `| ${columns.map(column => cellText(column, row, page, NO_NAMES)).join(' | ')} |`);
      expect(lines).toEqual(shown.map(line => line.replaceAll('<', '\\<')));
      expect(lines.filter(line => line.includes('was ACTIVE (now 3)')).length).toBe(filters === FILTERS ? 0 : 1);
    }
  });
});
