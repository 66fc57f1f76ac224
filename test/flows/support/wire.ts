/** A record as the node sends it; numbers are doubles here, so nothing large is compared by this. */
// biome-ignore lint/suspicious/noExplicitAny: what a stranger's node sends has no type
export type WireRecord = any;

const places = {
  parameters: ['network/parameters', 'networkParameters'],
  provisions: ['liquidity/provisions', 'liquidityProvisions'],
  fees: ['liquidity/paidfees', 'paidLiquidityFees'],
  bundles: ['erc20/multisigcontrol/signer/removed/bundles', 'bundles'],
  oracles: ['oracle/specs', 'oracleSpecs'],
} as const;

export type ListName = keyof typeof places;

/** Asks a node for one page, with nothing of the program in between. */
export async function fetchPage(node: string, list: ListName, query: Readonly<Record<string, string>> = {}) {
  const [path, wrapper] = places[list];
  const response = await fetch(`${node}/api/v2/${path}?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const body: WireRecord = await response.json();
  const { edges, pageInfo } = body[wrapper];
  const records: readonly WireRecord[] = edges.map((edge: WireRecord) => edge.node);
  return { records, endCursor: String(pageInfo.endCursor), hasNextPage: pageInfo.hasNextPage === true };
}

/** Every record of a list, walked page by page. */
export async function fetchAll(
  node: string,
  list: ListName,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly WireRecord[]> {
  const all: WireRecord[] = [];
  let page = await fetchPage(node, list, { ...query, 'pagination.first': '700' });
  for (;;) {
    all.push(...page.records);
    if (!page.hasNextPage) return all;
    page = await fetchPage(node, list, { ...query, 'pagination.first': '700', 'pagination.after': page.endCursor });
  }
}

/** A market with several pages of provisions, and a party that has some of them, live ones among these. */
export async function knownIds(node: string): Promise<{ readonly market: string; readonly party: string }> {
  const fees = await fetchPage(node, 'fees');
  const market = String(fees.records[0].market);
  const { records } = await fetchPage(node, 'provisions', { marketId: market, live: 'true', 'pagination.first': '50' });
  const living = records.find(record => record.status === 'STATUS_ACTIVE') ?? records[0];
  return { market, party: String(living.partyId) };
}
