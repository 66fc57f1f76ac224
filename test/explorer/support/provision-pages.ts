import type { JsonObject } from '../../../src/chain/api/json.ts';
import type { RowPage } from '../../../src/chain/resources/resource.ts';
import type { LoadedPage } from '../../../src/explorer/screens/browse/state.ts';

export function pageOf(rows: readonly JsonObject[], info: Partial<RowPage> = {}): RowPage {
  const place = { startCursor: 'start', endCursor: 'end', hasNextPage: false, hasPreviousPage: false };
  return { rows, cursors: [], flaws: [], ...place, ...info };
}

/** A first page as a list keeps it once it has arrived. */
export const loaded = (page: RowPage): LoadedPage => ({
  ...page,
  request: { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } },
  number: 1,
  offset: 0,
  receivedAtMs: 1_800_000_000_000,
  isNextRefused: false,
  view: { row: 0, top: 0, left: 0 },
});

/** The `number`th page of a list of provisions, 50 rows, with another after it. */
export function provisionPage(number: number, rows = 50): RowPage {
  const first = (number - 1) * rows;
  return pageOf(
    Array.from({ length: rows }, (_, index) => provision(first + index)),
    { startCursor: `start-${number}`, endCursor: `end-${number}`, hasNextPage: true, hasPreviousPage: number > 1 },
  );
}

export const hexId = (number: number): string => number.toString(16).padStart(64, '0');

export function provision(number: number, members: JsonObject = {}): JsonObject {
  return {
    id: hexId(number),
    marketId: hexId(1_000_000 + (number % 3)),
    partyId: hexId(2_000_000 + (number % 7)),
    reference: `reference-${number}`,
    commitmentAmount: String(1_000_000 + number),
    fee: '0.001',
    createdAt: '1799999000000000000',
    updatedAt: '1799999900000000000',
    version: '1',
    status: 'STATUS_ACTIVE',
    buys: [],
    sells: [],
    ...members,
  };
}
