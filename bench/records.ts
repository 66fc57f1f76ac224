/** Records of a provisions list, the same at every run. */
export function provisionText(index: number): string {
  return JSON.stringify(provision(index));
}

/** So many are made; a longer list has them again. */
export const READY = 5000;

/** No two rows of a list are the same: one that comes again has another id, and another reference. */
export function asListed(text: string, index: number): string {
  if (index < READY) return text;
  const id = `{"id":"${index.toString(16).padStart(8, '0')}`;
  return `${id}${text.slice(id.length).replace(/"reference \d+"/, `"reference ${index}"`)}`;
}

/** A record of a list of any length. */
export const listedText = (index: number): string => asListed(provisionText(index % READY), index);

/** What the record commits. */
export const amountAt = (index: number): string => provision(index).commitmentAmount;

/** The same records as the CSV that peers open: six columns of ids, numbers and times. */
export function provisionsCsv(count: number): string {
  const lines = ['id,marketId,partyId,commitmentAmount,fee,updatedAt'];
  for (let index = 0; index < count; index++) {
    const { id, marketId, partyId, commitmentAmount, fee, updatedAt } = provision(index);
    lines.push([id, marketId, partyId, commitmentAmount, fee, updatedAt].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** What a node says of the names and decimals of these records, by the last part of the path. */
export function nameLists(): { readonly [path: string]: string } {
  const list = (name: string, nodes: readonly unknown[]) =>
    JSON.stringify({ [name]: { edges: nodes.map(node => ({ node, cursor: '' })), pageInfo: { hasNextPage: false } } });
  const markets = Array.from({ length: 12 }, (_, index) => ({
    id: hex(index, 3),
    tradableInstrument: { instrument: { code: `MKT${index}/HUSD`, future: { settlementAsset: hex(0, 4) } } },
  }));
  const nodes = Array.from({ length: 60 }, (_, index) => ({
    id: hex(index, 5),
    name: `LP ${index}`,
    pubKey: hex(index, 2),
  }));
  return {
    statistics: '{"statistics":{"chainId":"bench-chain-1"}}',
    markets: list('markets', markets),
    assets: list('assets', [{ id: hex(0, 4), details: { symbol: 'HUSD', decimals: '6' } }]),
    nodes: list('nodes', nodes),
  };
}

function provision(index: number) {
  return {
    id: hex(index, 1),
    partyId: hex(index % 60, 2),
    createdAt: `${1_700_000_000_000_000_000n + BigInt(index) * 1_000_003_000n}`,
    updatedAt: `${1_710_000_000_000_000_000n + BigInt(index) * 1_000_007_000n}`,
    marketId: hex(index % 12, 3),
    commitmentAmount: `${(BigInt(index) * 7_919n + 1n) * 10n ** BigInt(index % 15)}`,
    fee: `0.${String((index % 90) + 1).padStart(4, '0')}`,
    sells: [],
    buys: [],
    version: String((index % 9) + 1),
    status: ['STATUS_ACTIVE', 'STATUS_PENDING', 'STATUS_CANCELLED', 'STATUS_STOPPED'][index % 4],
    reference: `reference ${index}`,
  };
}

/** 64 digits that look like a hash; a linear congruential generator is random enough for a picture. */
export function hex(index: number, salt: number): string {
  let state = (index * 2_654_435_761 + salt * 40_503) >>> 0;
  let text = '';
  while (text.length < 64) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return text;
}
