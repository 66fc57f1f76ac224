import { beforeAll, describe, expect, it } from 'vitest';
import { checksumAddress, isChecksumWrong } from '../../../../src/chain/insight/address.ts';
import { bytesToHex } from '../../../../src/chain/insight/keccak.ts';
import { buildCall } from '../../../../src/chain/insight/signer-bundle/call.ts';
import { findSigners } from '../../../../src/chain/insight/signer-bundle/findings.ts';
import {
  formName,
  formsFor,
  type PayloadForm,
  readRemoval,
  signedPayload,
} from '../../../../src/chain/insight/signer-bundle/payload.ts';
import {
  loadRecovery,
  MAX_LOW_S,
  readSignatureBytes,
  type SignerRecovery,
  splitSignatures,
} from '../../../../src/chain/insight/signer-bundle/signatures.ts';
import { isEnough, maxSigners } from '../../../../src/chain/insight/signer-bundle/sufficiency.ts';
import { VECTORS, type Vector } from './vectors.ts';

let recovery: SignerRecovery;
beforeAll(async () => {
  recovery = await loadRecovery();
});

const bytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');
const hashOf = (text: string): string => `0x${bytesToHex(recovery.keccak(Buffer.from(text, 'latin1')))}`;

function removalOf(vector: Vector) {
  const removal = readRemoval(vector);
  if ('problem' in removal) throw new Error(removal.problem);
  return removal;
}

const listOf = (text: string) => splitSignatures(text.slice(2), 100);

function formOf({ scheme, functionString, chainId }: Vector): PayloadForm {
  if (scheme === 'v1') return { scheme, functionName: functionString };
  return { scheme, functionName: functionString, chainId: chainId ?? '' };
}

const named = VECTORS.bundles.map(vector => ({ name: formName(formOf(vector)), nonce: vector.nonce, vector }));

describe.each(named)('Signer bundle $name with the nonce $nonce', ({ vector }) => {
  it('The message composed here is the one that was signed', () => {
    const payload = signedPayload(removalOf(vector), formOf(vector));
    expect(`0x${payload}`).toBe(vector.payload);
    expect(`0x${bytesToHex(recovery.keccak(Buffer.from(payload, 'hex')))}`).toBe(vector.digest);
  });

  it('Each signature of the bundle leads to its signer', () => {
    for (const { address, signature } of vector.validators) {
      const [alone] = listOf(signature);
      expect(alone && recovery.signerOf(bytes(vector.digest), alone)).toBe(address.toLowerCase());
    }
  });

  it('Of all forms tried, the form of the bundle is found, with its signers in the order of the bundle', async () => {
    const known = new Set(vector.validators.map(({ address }) => address.toLowerCase()));
    const found = await findSigners({
      removal: removalOf(vector),
      signatures: listOf(vector.packedSignatures),
      chainIds: ['1', '31337', '11155111', '42161'],
      known,
      recovery,
      pause: async () => {},
    });
    expect(found.form).toEqual(formOf(vector));
    expect(found.known).toBe(vector.validators.length);
    expect(found.tied).toEqual([]);
    const spelt = found.signed.map(({ signer }) => checksumAddress(signer ?? '', recovery.keccak));
    expect(spelt).toEqual(vector.recoveredInPackedOrder);
    expect(found.signed.every(({ isKnown, problem }) => isKnown && problem === undefined)).toBe(true);
    // Each other form that came before it leads to nobody.
    expect(found.tried.map(trial => trial.known)).toEqual([...found.tried.slice(1).map(() => 0), found.known]);
  });

  it('The calldata of the bundle is what its contract accepted', () => {
    const removal = removalOf(vector);
    const call = buildCall(
      { functionName: vector.functionString, removal, signatures: vector.packedSignatures.slice(2) },
      recovery.keccak,
    );
    expect(call).toEqual({ signature: vector.contractCall.method, calldata: vector.contractCall.calldata });
    expect(call.calldata.slice(0, 10)).toBe(VECTORS.selectors[call.signature]);
  });
});

it.each(VECTORS.recovery.cases)('A signature of other data leads to $address, low s: $lowS', example => {
  const [signature] = listOf(example.signature);
  expect(signature?.flaw).toBe(example.lowS ? undefined : 'high s');
  const signer = signature && recovery.signerOf(bytes(example.digest), signature);
  expect(checksumAddress(signer ?? '', recovery.keccak)).toBe(example.address);
});

it.each(VECTORS.eip55)('The address $lower is written as $checksum', ({ lower, checksum }) => {
  expect(checksumAddress(lower, recovery.keccak)).toBe(checksum);
  expect(checksumAddress(`0x${lower.slice(2).toUpperCase()}`, recovery.keccak)).toBe(checksum);
  expect(isChecksumWrong(checksum, recovery.keccak)).toBe(false);
  expect(isChecksumWrong(lower, recovery.keccak)).toBe(false);
  const swapped = checksum
    .replace(/[a-f]/g, letter => letter.toUpperCase())
    .replace(/[A-F]/, letter => letter.toLowerCase());
  expect(isChecksumWrong(swapped, recovery.keccak)).toBe(swapped !== checksum);
});

it.each(VECTORS.threshold.cases)(
  'The check of $valid valid signatures of $count at threshold $threshold gives $accepted',
  example => {
    const { valid, count, threshold, accepted } = example;
    expect(isEnough(valid, count, threshold)).toBe(accepted);
    expect(count <= maxSigners(valid, threshold)).toBe(accepted);
  },
);

it.each([-1, -1000, Number.NaN])(
  'A signature threshold of %s is not valid, and no number of signatures is enough for it',
  threshold => {
    expect([maxSigners(0, threshold), maxSigners(5, threshold)]).toEqual([0, 0]);
  },
);

it.each(Object.entries(VECTORS.selectors))('The function selector of %s is %s', (signature, selector) => {
  expect(hashOf(signature).slice(0, 10)).toBe(selector);
});

it.each(Object.entries(VECTORS.eventTopics))('The event topic of %s is %s', (signature, topic) => {
  expect(hashOf(signature)).toBe(topic);
});

it('The highest s accepted in a signature is the one of the contract', () => {
  expect(MAX_LOW_S).toBe(BigInt(VECTORS.maxLowS));
});

it('A bundle as a node sends it is read as the signed one, with addresses in lower case', () => {
  const { v074, noSignaturesYet } = VECTORS.restBundles;
  const { oldSigner = '', submitter = '', nonce = '', signatures = '' } = v074 ?? {};
  const vector = VECTORS.bundles.find(({ packedSignatures }) => packedSignatures === signatures);
  expect(vector && readRemoval({ oldSigner, submitter, nonce })).toEqual(vector && removalOf(vector));
  expect(readSignatureBytes(noSignaturesYet?.signatures ?? 'x')).toEqual({ kind: 'none' });
});

it('The signature forms to try are two, plus two for each chain', () => {
  const count = (...chainIds: readonly string[]): number => formsFor(chainIds).length;
  expect([count(), count('1'), count('1', '01', 'x', '', '-1', '2')]).toEqual([2, 4, 6]);
});
