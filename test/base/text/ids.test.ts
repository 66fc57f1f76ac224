import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isId, looksLikeId, readAddress, readId, replaceAddresses } from '../../../src/base/text/ids.ts';

const ID = 'c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c';
const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

describe('Ids', () => {
  it('An id of a node has 64 hex digits in lower case', () => {
    expect([ID, ID.toUpperCase(), ID.slice(1), `0x${ID}`, ` ${ID}`, ''].map(isId)).toEqual([
      ...[true, false, false, false, false, false],
    ]);
  });

  it('An id typed in either case is read in lower case', () => {
    expect([ID, ID.toUpperCase(), `${ID}0`].map(readId)).toEqual([ID, ID, undefined]);
  });

  it('An id or an address is recognised as one, and the longest amounts and times are not', () => {
    expect([ID, ADDRESS, `0x${ID}`, '1763651463123456789', '340282366920938463463374607431'].map(looksLikeId)).toEqual([
      ...[true, true, true, false, false],
    ]);
  });
});

describe('Addresses', () => {
  it('An address read from any text is 0x and 40 hex digits in lower case, or none is read', () => {
    const anyHex = fc.stringMatching(/^(?:0x)?[0-9a-fA-F]{38,42}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyHex), text => {
        expect(readAddress(text) ?? ADDRESS).toMatch(/^0x[0-9a-f]{40}$/);
      }),
    );
  });

  it('Addresses in a text are replaced in either case, and longer digits stay', () => {
    const text = `${ADDRESS} ${ADDRESS.toUpperCase()} 0x${ID}`;
    expect(replaceAddresses(text, () => 'A')).toBe(`A A 0x${ID}`);
  });
});
