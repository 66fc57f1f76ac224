import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import { buildCall, dryRunCommand, sendCommand } from '../../../../src/chain/insight/signer-bundle/call.ts';
import { FUNCTION_NAMES, readRemoval } from '../../../../src/chain/insight/signer-bundle/payload.ts';
import { VECTORS } from './vectors.ts';

const keccak = await loadKeccak();
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`);

/** What a contract reads in calldata, word by word. */
function decoded(calldata: string) {
  const data = Buffer.from(calldata.slice(2), 'hex');
  const wordAt = (index: number) => data.subarray(4 + index, 4 + index + 32);
  const numberAt = (index: number) => BigInt(`0x${wordAt(index).toString('hex')}`);
  const at = Number(numberAt(64));
  const length = Number(numberAt(at));
  return {
    selector: `0x${data.subarray(0, 4).toString('hex')}`,
    oldSigner: `0x${wordAt(0).subarray(12).toString('hex')}`,
    nonce: numberAt(32),
    signatures: data.subarray(4 + at + 32, 4 + at + 32 + length).toString('hex'),
    isWhole: (data.length - 4) % 32 === 0,
  };
}

it('The calldata of a bundle contains again what a contract reads from it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FUNCTION_NAMES),
      address,
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.uint8Array({ maxLength: 200 }),
      (functionName, oldSigner, nonce, bytes) => {
        const signatures = Buffer.from(bytes).toString('hex');
        const removal = { oldSigner, submitter: oldSigner, nonce };
        const { signature, calldata } = buildCall({ functionName, removal, signatures }, keccak);
        const selector = VECTORS.selectors[signature];
        expect(decoded(calldata)).toEqual({ selector, oldSigner, nonce, signatures, isWhole: true });
      },
    ),
  );
});

it('A command of a bundle sends the call from the submitter, and another simulates how it would end', () => {
  const sending = {
    contract: '0xC0',
    signature: 'remove_signer(address,uint256,bytes)',
    oldSigner: '0x01',
    nonce: 2n ** 64n,
    signatures: '0xab',
    submitter: '0x02',
  };
  const rest = "'remove_signer(address,uint256,bytes)' 0x01 18446744073709551616 0xab --from 0x02";
  expect(sendCommand(sending)).toBe(`cast send 0xC0 ${rest}`);
  expect(dryRunCommand({ ...sending, contract: undefined })).toBe(`cast call CONTRACT ${rest}`);
});

it.each([
  ['the old signer is not an Ethereum address', { oldSigner: '0x1' }],
  ['the submitter is not an Ethereum address', { submitter: '' }],
  ['the nonce is not a 256-bit number', { nonce: String(2n ** 256n) }],
  ['the nonce is not a 256-bit number', { nonce: '-1' }],
  ['the nonce is not a 256-bit number', { nonce: '9'.repeat(100_000) }],
  ['the nonce is not a 256-bit number', { nonce: '' }],
])('A bundle cannot be treated as a removal: %s', (problem, part) => {
  const whole = { oldSigner: `0x${'0a'.repeat(20)}`, submitter: `0x${'0b'.repeat(20)}`, nonce: '1' };
  expect(readRemoval({ ...whole, ...part })).toEqual({ problem });
});
