import fc from 'fast-check';
import { expect } from 'vitest';
import { uncheckedCount } from '../../../../src/chain/insight/signer-bundle/checked-bundle.ts';
import { formsFor, readWord } from '../../../../src/chain/insight/signer-bundle/payload.ts';
import {
  loadRecovery,
  readSignatureBytes,
  type Signature,
} from '../../../../src/chain/insight/signer-bundle/signatures.ts';
import { anyBigint, anyHex, anyText, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const recovery = await loadRecovery();

const text = fc.oneof(anyText, anyHex);

const flaw = fc.constantFrom('bad v', 'bad r', 'bad s', 'high s', 'duplicate', undefined);
const signature: fc.Arbitrary<Signature> = fc.record({ r: anyBigint, s: anyBigint, v: fc.integer(), flaw });

/** Of signer bundles. */
export const BUNDLE_FEEDS: readonly Feed[] = [
  feed(readWord, [text], { check: number => expect((number ?? 0n) < 2n ** 256n).toBe(true) }),
  feed(uncheckedCount, [text.map(readSignatureBytes)], { check: count => expect(count).toBeGreaterThanOrEqual(0) }),
  feed(formsFor, [some(anyText)], { check: forms => expect(forms.length).toBeGreaterThan(1) }),
  feed(recovery.signerOf, [fc.uint8Array({ minLength: 30, maxLength: 33 }), signature], {
    check: signer => expect(signer ?? `0x${'0'.repeat(40)}`).toMatch(/^0x[0-9a-f]{40}$/),
  }),
];
