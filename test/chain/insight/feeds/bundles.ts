import fc from 'fast-check';
import { expect } from 'vitest';
import { loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import {
  bundleReadiness,
  isRefused,
  validSignatureCount,
} from '../../../../src/chain/insight/signer-bundle/bundle-readiness.ts';
import { buildCall, dryRunCommand, sendCommand } from '../../../../src/chain/insight/signer-bundle/call.ts';
import { checkBundle, uncheckedCount } from '../../../../src/chain/insight/signer-bundle/checked-bundle.ts';
import {
  CONTRACT_PARAMETERS,
  contractsFor,
  readChainIds,
  readContracts,
} from '../../../../src/chain/insight/signer-bundle/contract.ts';
import { type Findings, findSigners } from '../../../../src/chain/insight/signer-bundle/findings.ts';
import {
  addressWord,
  dynamicBytes,
  FUNCTION_NAMES,
  formName,
  formsFor,
  type PayloadForm,
  type Removal,
  readRemoval,
  readWord,
  signedPayload,
  word,
} from '../../../../src/chain/insight/signer-bundle/payload.ts';
import {
  highSPositions,
  loadRecovery,
  type Recovery,
  readSignatureBytes,
  type Signature,
  splitSignatures,
} from '../../../../src/chain/insight/signer-bundle/signatures.ts';
import {
  parseSignerFlag,
  parseSignerLines,
  readSigners,
} from '../../../../src/chain/insight/signer-bundle/signer-list.ts';
import { isEnough, maxSigners, sufficiencyOf } from '../../../../src/chain/insight/signer-bundle/sufficiency.ts';
import { anyBigint, anyHex, anyNumber, anyText, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const keccak = await loadKeccak();
const recovery = await loadRecovery();

const text = fc.oneof(anyText, anyHex);
const functionName = fc.constantFrom(...FUNCTION_NAMES);
// Forms are made of chains that have a number.
const form: fc.Arbitrary<PayloadForm> = some(anyText).chain(chainIds => fc.constantFrom(...formsFor(chainIds)));
const removal: fc.Arbitrary<Removal> = fc.record({ oldSigner: text, submitter: text, nonce: anyBigint });
const flaw = fc.constantFrom('bad v', 'bad r', 'bad s', 'high s', 'duplicate', undefined);
const signature: fc.Arbitrary<Signature> = fc.record({ r: anyBigint, s: anyBigint, v: fc.integer(), flaw });
const finding = fc.record({
  ...{ signer: fc.option(anyText, { nil: undefined }), isKnown: fc.boolean() },
  problem: fc.oneof(flaw, fc.constantFrom('no signer', 'unknown signer', 'flipped bit')),
});
const findings: fc.Arbitrary<Findings> = fc.record({
  ...{ tried: some(fc.record({ form, known: fc.nat() })), form: fc.option(form, { nil: undefined }), tied: some(form) },
  ...{ signed: some(finding), known: fc.nat() },
});
const contract = fc.record({ parameter: fc.constantFrom(...CONTRACT_PARAMETERS), chainId: anyText, address: anyText });
const known = some(text).map(signers => new Set(signers));
const pause = fc.constant(async () => {});

/** One that needs no curve: it names the same few as signers of everything. */
const quick: fc.Arbitrary<Recovery> = some(text).map(signers => ({
  keccak,
  signerOf: (_, { v }) => signers[Math.abs(v) % 7],
}));

const sending = fc.record({
  ...{ contract: fc.option(anyText, { nil: undefined }), signature: anyText, oldSigner: text, nonce: anyBigint },
  ...{ signatures: text, submitter: text },
});

const checked = fc.record({
  ...{ removal, bytes: text.map(readSignatureBytes), findings: fc.option(findings, { nil: undefined }) },
  sufficiency: fc.constantFrom(
    undefined,
    { kind: 'refused' as const },
    { kind: 'not-enough' as const, counted: 1, signerCount: 5 },
  ),
});

/** Of signer bundles. */
export const BUNDLE_FEEDS: readonly Feed[] = [
  feed(readWord, [text], { check: number => expect((number ?? 0n) < 2n ** 256n).toBe(true) }),
  feed(word, [anyBigint]),
  feed(addressWord, [text]),
  feed(dynamicBytes, [text]),
  feed(buildCall, [fc.record({ functionName, removal, signatures: text }), fc.constant(keccak)]),
  feed(sendCommand, [sending]),
  feed(dryRunCommand, [sending]),
  feed(readContracts, [fc.constantFrom(...CONTRACT_PARAMETERS), fc.oneof(anyText, fc.json())]),
  feed(readChainIds, [fc.oneof(anyText, fc.json())]),
  feed(contractsFor, [form, some(contract)]),
  feed(findSigners, [
    fc.record({ removal, signatures: some(signature), chainIds: some(anyText), known, recovery: quick, pause }),
  ]),
  feed(checkBundle, [
    fc.record({ oldSigner: text, submitter: text, nonce: text, signatures: text }),
    fc.record({
      ...{ chainIds: some(anyText), known, recovery: quick, pause },
      threshold: fc.option(anyNumber, { nil: undefined }),
      signerCount: fc.option(anyNumber, { nil: undefined }),
    }),
  ]),
  feed(uncheckedCount, [text.map(readSignatureBytes)], { check: count => expect(count).toBeGreaterThanOrEqual(0) }),
  feed(formsFor, [some(anyText)], { check: forms => expect(forms.length).toBeGreaterThan(1) }),
  feed(formName, [form]),
  feed(readRemoval, [fc.record({ oldSigner: text, submitter: text, nonce: text })]),
  feed(signedPayload, [removal, form]),
  feed(loadRecovery, [], { numRuns: 1 }),
  feed(recovery.signerOf, [fc.uint8Array({ minLength: 30, maxLength: 33 }), signature], {
    check: signer => expect(signer ?? `0x${'0'.repeat(40)}`).toMatch(/^0x[0-9a-f]{40}$/),
  }),
  feed(readSignatureBytes, [text]),
  feed(highSPositions, [text.map(readSignatureBytes)]),
  feed(splitSignatures, [text, fc.oneof(anyNumber, fc.constant(100))]),
  feed(parseSignerLines, [anyText, anyText]),
  feed(parseSignerFlag, [anyText]),
  feed(readSigners, [some(fc.record({ where: anyText, address: text, name: anyText })), fc.constant(keccak)]),
  feed(sufficiencyOf, [
    fc.record({
      ...{ functionName, signatures: some(signature), findings, threshold: anyNumber },
      signerCount: fc.option(anyNumber, { nil: undefined }),
    }),
  ]),
  feed(isEnough, [anyNumber, anyNumber, anyNumber]),
  feed(maxSigners, [anyNumber, anyNumber]),
  feed(bundleReadiness, [checked]),
  feed(validSignatureCount, [checked]),
  feed(isRefused, [checked]),
];
