import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_LOW_S,
  readSignatureBytes,
  splitSignatures,
} from '../../../../src/chain/insight/signer-bundle/signatures.ts';
import { FORM, flipped, found, highTwin, keyNumber, problems, REMOVAL } from './signing.ts';

const keys = Array.from({ length: 6 }, (_, index) => keyNumber(index));
const addresses = keys.map(({ address }) => address);
const signatures = keys.map(({ sign }) => sign());
const stranger = keyNumber(99);

describe('Signatures of known signers', () => {
  it('The signatures of known signers are attributed to them, however many and in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), async chosen => {
        const findings = await found(
          chosen.map(index => signatures[index] ?? ''),
          addresses,
        );
        expect(findings).toMatchObject({ form: FORM, known: chosen.length, tied: [] });
        expect(findings.signed).toEqual(
          chosen.map(index => ({ signer: addresses[index], isKnown: true, problem: undefined })),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('The signatures of known signers with v of 27 and 28 are the same signatures', async () => {
    const shifted = signatures.map(signature => signature.slice(0, 128) + (signature.endsWith('00') ? '1b' : '1c'));
    expect(await found(shifted, addresses)).toMatchObject({ form: FORM, known: 6 });
    expect(problems(await found([...signatures, ...shifted], addresses)).slice(6)).toEqual(Array(6).fill('duplicate'));
  });
});

describe('Signature problems', () => {
  const [one = '', two = ''] = signatures;

  it('A signature with a high s is reported, and its signer is still known', async () => {
    const findings = await found([highTwin(one), two], addresses);
    expect(findings.signed[0]).toEqual({ signer: addresses[0], isKnown: true, problem: 'high s' });
    expect(findings).toMatchObject({ form: FORM, known: 1 });
  });

  it('A duplicate signature is reported, by its bytes and by its signer', async () => {
    expect(problems(await found([one, one, two, one], addresses))).toEqual([
      undefined,
      'duplicate',
      undefined,
      'duplicate',
    ]);
    const again = keyNumber(0).sign(FORM, REMOVAL, Buffer.alloc(32, 7));
    expect(again).not.toBe(one);
    const findings = await found([one, again, two], addresses);
    expect(problems(findings)).toEqual([undefined, 'duplicate', undefined]);
    expect(findings.known).toBe(2);
    expect((await found([one, one, two], addresses)).known).toBe(2);
  });

  it('A flipped bit is not reported if more than two signatures are unknown, as those are of other signers', async () => {
    const damaged = signatures.slice(0, 4).map(signature => flipped(signature, 63 * 8));
    expect(problems(await found([...damaged.slice(0, 2), ...signatures.slice(2)], addresses)).slice(0, 2)).toEqual([
      'flipped bit',
      'flipped bit',
    ]);
    expect(problems(await found([...damaged.slice(0, 3), ...signatures.slice(3)], addresses)).slice(0, 3)).toEqual(
      Array(3).fill('unknown signer'),
    );
  });

  it('A signature of an unknown signer is reported, with its address', async () => {
    const findings = await found([one, stranger.sign()], addresses);
    expect(findings.signed[1]).toEqual({ signer: stranger.address, isKnown: false, problem: 'unknown signer' });
    expect(findings).toMatchObject({ form: FORM, known: 1 });
  });

  it.each([
    ['a v of 2', `${one.slice(0, 128)}02`, 'bad v'],
    ['an r of 0', '00'.repeat(32) + one.slice(64), 'bad r'],
    ['an r beyond the order', 'ff'.repeat(32) + one.slice(64), 'bad r'],
    ['an s of 0', `${one.slice(0, 64)}${'00'.repeat(32)}00`, 'bad s'],
    ['an s beyond the order', `${one.slice(0, 64)}${'ff'.repeat(32)}00`, 'bad s'],
    ['the lowest s that is too high', one.slice(0, 64) + hexWord(MAX_LOW_S + 1n) + one.slice(128), 'high s'],
    ['an r that no point has', `${hexWord(5n)}${hexWord(1n)}00`, 'no signer'],
  ])('A signature problem is reported exactly: %s', async (_, signature, problem) => {
    // With the signers of the others alone known there is nobody whose damaged signature it could be.
    expect(problems(await found([signature, two], addresses.slice(1, 2)))).toEqual([problem, undefined]);
  });
});

it('The highest s that the contract accepts is not a problem', () => {
  const [signature] = splitSignatures(`${signatures[0]?.slice(0, 64) + hexWord(MAX_LOW_S)}00`, 1);
  expect(signature?.flaw).toBeUndefined();
});

describe('Form of a signed bundle', () => {
  it('The form is not given while no signer is known', async () => {
    const findings = await found([...signatures, `${hexWord(5n)}${hexWord(1n)}00`], [stranger.address], ['1']);
    expect(findings).toMatchObject({ form: undefined, tied: [], known: 0 });
    expect(findings.tried).toHaveLength(4);
    expect(findings.signed.every(({ signer }) => signer === undefined)).toBe(true);
    expect(problems(findings)).toEqual([...signatures.map(() => undefined), 'no signer']);
  });

  it('The form is reported as ambiguous when each form has as many known signers', async () => {
    const other = { scheme: 'v2', functionName: 'removeSigner', chainId: '7' } as const;
    const findings = await found([signatures[0] ?? '', keyNumber(1).sign(other)], addresses, ['7']);
    expect(findings).toMatchObject({ form: undefined, tied: [FORM, other], known: 0 });
  });

  it('The form is the one with the most known signers', async () => {
    const other = { scheme: 'v2', functionName: 'remove_signer', chainId: '7' } as const;
    const mixed = [signatures[0] ?? '', keyNumber(1).sign(other), keyNumber(2).sign(other)];
    expect(await found(mixed, addresses, ['6', '7'])).toMatchObject({ form: other, known: 2 });
  });
});

describe('Signature bytes', () => {
  it.each([
    ['', 'none'],
    ['0x', 'none'],
    ['0xzz', 'not-hex'],
    ['0xabc', 'not-hex'],
    ['nothing', 'not-hex'],
    [`0x${'ab'.repeat(64)}`, 'bad-length'],
    [`0x${'ab'.repeat(65)}`, 'whole'],
    ['ab'.repeat(130), 'whole'],
    [`0X${'AB'.repeat(65)}`, 'whole'],
    [`${'ab'.repeat(65)}0x`, 'not-hex'],
  ])('The signature bytes %j are recognised as %s', (text, kind) => expect(readSignatureBytes(text).kind).toBe(kind));

  it('The signature bytes are parsed without an error, whatever they are', async () => {
    const hex = fc.uint8Array({ minLength: 65, maxLength: 65 }).map(bytes => Buffer.from(bytes).toString('hex'));
    await fc.assert(
      fc.asyncProperty(fc.array(hex, { minLength: 1, maxLength: 4 }), async list => {
        const findings = await found(list, addresses, ['1']);
        expect(findings).toMatchObject({ form: undefined, known: 0 });
        expect(findings.signed).toHaveLength(list.length);
      }),
      { numRuns: 20 },
    );
    fc.assert(fc.property(fc.string(), text => void readSignatureBytes(text)));
  });
});

function hexWord(number: bigint): string {
  return number.toString(16).padStart(64, '0');
}
