import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { createTally } from '../../../src/chain/resources/tally.ts';
import { hexId, provision } from '../../explorer/support/provision-pages.ts';

const [commitment] = liquidityProvisions.columns.filter(({ id }) => id === 'commitment');

const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 60n }).map(String),
  fc.constantFrom('', '-', '1.5', '1e3', '0x10', ' 1', '+1', 'NaN', '9007199254740993', '0'.repeat(40), '-5'),
);

it('Sums equal whole numbers added one by one, per market, whatever other values are between them', () => {
  if (commitment === undefined) throw new Error('no commitment');
  const rows = fc.array(fc.tuple(fc.nat(2), amount), { maxLength: 60 });
  fc.assert(
    fc.property(rows, given => {
      const tally = createTally(commitment, NO_NAMES);
      const expected = new Map<string, bigint>();
      let unsummed = 0;
      for (const [market, commitmentAmount] of given) {
        const marketId = hexId(market);
        const row = provision(0, { marketId: market === 1 ? marketId.toUpperCase() : marketId, commitmentAmount });
        tally.add(row, { rows: [row], filters: {}, isWhole: false });
        if (/^-?[0-9]+$/.test(commitmentAmount))
          expected.set(marketId, (expected.get(marketId) ?? 0n) + BigInt(commitmentAmount));
        else unsummed++;
      }
      const result = tally.result();
      expect(result.unsummed).toBe(unsummed);
      expect(new Map(result.sums.map(({ counted, sum }) => [counted?.id.toLowerCase() ?? '', sum]))).toEqual(expected);
      expect(result.values.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
    }),
    { numRuns: 200 },
  );
});
