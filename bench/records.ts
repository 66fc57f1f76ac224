/** Records of a provisions list, the same at every run. */
export function provisionText(index: number): string {
  return JSON.stringify(provision(index));
}

/** The same records as the CSV that peers open: six columns of ids, numbers and times. */
export function provisionsCsv(count: number): string {
  const lines = ['id,marketId,partyId,commitmentAmount,fee,updatedAt'];
  for (let index = 0; index < count; index++) {
    const { id, marketId, partyId, commitmentAmount, fee, updatedAt } = provision(index);
    lines.push([id, marketId, partyId, commitmentAmount, fee, updatedAt].join(','));
  }
  return `${lines.join('\n')}\n`;
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
function hex(index: number, salt: number): string {
  let state = (index * 2_654_435_761 + salt * 40_503) >>> 0;
  let text = '';
  while (text.length < 64) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return text;
}
