import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../support/runs.ts';
import { FORM, flipped, found, keyNumber } from './signing.ts';

const keys = [keyNumber(0), keyNumber(1)];
const addresses = keys.map(({ address }) => address);
const [one = '', two = ''] = keys.map(({ sign }) => sign());

it('A signature with any one flipped bit is reported as flipped, with its signer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 65 * 8 - 1 }), async bit => {
      const findings = await found([flipped(one, bit), two], addresses);
      expect(findings.signed[0]).toEqual({ signer: addresses[0], isKnown: true, problem: 'flipped bit' });
      expect(findings).toMatchObject({ form: FORM, known: 1 });
    }),
    { numRuns: runs(5, 15), examples: [[64 * 8], [64 * 8 + 4], [0], [7], [32 * 8 + 7]] },
  );
});
