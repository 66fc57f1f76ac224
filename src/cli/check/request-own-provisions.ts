import { runPartRequest } from '../../attention/overview/answers.ts';
import type { OwnProvisions } from '../../attention/rules/narrow-to-mine.ts';
import type { Loading } from '../../attention/rules/rule-input.ts';
import type { Client } from '../../chain/api/client.ts';
import { readPage } from '../../chain/api/page.ts';
import type { NodeRequest } from '../../chain/api/request.ts';
import type { Mine } from '../../chain/directory/mine.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { BOND_ACCOUNT } from '../../chain/resources/bond-accounts.ts';
import { fetchPage } from '../../chain/resources/fetch-page.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import type { Row } from '../../chain/resources/resource.ts';

/** Parties and markets of the user whose provisions are asked for; each takes a request. */
const MAX_OWNERS = 10;

/** With the bonds of all parties, and of all markets. */
export const MAX_MINE_REQUESTS = MAX_OWNERS + 2;

interface RequestContext {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** The live provisions of the user's own entities, on every market, and their bonds. Throws only when aborted. */
export async function requestOwnProvisions(
  client: Client,
  mine: Mine,
  options: RequestContext,
): Promise<OwnProvisions> {
  const owners = [
    ...[...mine.party].map(id => ({ filter: 'partyId', id })),
    ...[...mine.market].map(id => ({ filter: 'marketId', id })),
  ];
  const asked = owners.slice(0, MAX_OWNERS);
  const left = owners.length - asked.length;
  const found = new RowCollector(options.nowMs);
  if (left > 0)
    found.lacks(
      `${left} of your ${countOf(owners.length, 'party or market', 'parties and markets')} were not asked for`,
    );
  for (const { filter, id } of asked) {
    const filters = { [filter]: [id], live: ['true'] };
    const request = { filters, size: MAX_PAGE_SIZE, newestFirst: true, position: { kind: 'first' } } as const;
    await found.add(async () => (await fetchPage(client, liquidityProvisions, request, options.signal)).page, options);
  }
  const bonds = new RowCollector(options.nowMs);
  const idsOf = (filter: string): readonly string[] => asked.filter(one => one.filter === filter).map(({ id }) => id);
  for (const [name, ids] of [
    ['filter.partyIds', idsOf('partyId')],
    ['filter.marketIds', idsOf('marketId')],
  ] as const)
    if (ids.length > 0) await bonds.add(() => requestBonds(client, name, ids, options.signal), options);
  return { provisions: found.loaded(row => liquidityProvisions.keyOf(row)), bonds: bonds.loaded() };
}

interface ReadRows {
  readonly rows: readonly Row[];
  readonly flaws: readonly string[];
  readonly hasNextPage: boolean;
}

async function requestBonds(
  client: Client,
  name: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadRows> {
  const request: NodeRequest = {
    path: 'api/v2/accounts',
    query: [
      ...ids.map(id => [name, id] as const),
      ['filter.accountTypes', BOND_ACCOUNT],
      ['pagination.first', String(MAX_PAGE_SIZE)],
    ],
  };
  const page = readPage((await client.get(request, signal)).json, 'accounts');
  if (page === undefined) return { rows: [], flaws: ['the answer has no "accounts"'], hasNextPage: false };
  return { rows: page.records, flaws: page.flaws, hasNextPage: page.hasNextPage };
}

/** Rows of several answers as one list. */
class RowCollector {
  readonly #rows: Row[] = [];
  readonly #gaps: string[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  lacks(why: string): void {
    this.#gaps.push(why);
  }

  async add(ask: () => Promise<ReadRows>, asking: RequestContext): Promise<void> {
    const answer = await runPartRequest(ask, asking);
    if (answer.kind === 'failed') this.lacks(answer.why);
    if (answer.kind !== 'answered') return;
    const { rows, flaws, hasNextPage } = answer.value;
    for (const row of rows) this.#rows.push(row);
    if (flaws[0] !== undefined || hasNextPage) this.lacks(flaws[0] ?? 'the node has more');
  }

  /** A row counts once, by its key. */
  loaded(keyOf: (row: Row, index: number) => string = (_, index) => String(index)): Loading<readonly Row[]> {
    const once = [...new Map(this.#rows.map((row, index) => [keyOf(row, index), row])).values()];
    return { kind: 'read', value: once, records: once.length, gap: this.#gaps[0] ?? '', atMs: this.#nowMs() };
  }
}
