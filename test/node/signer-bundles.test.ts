import { hash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { ask, page, refusal, unlimited, withNode } from './wire.ts';

const startedMs = Date.UTC(2026, 10, 20, 12);
const node = withNode({ clock: () => startedMs });

const bundlesPath = '/api/v2/erc20/multisigcontrol/signer/removed/bundles';
const bundles = (more: Record<string, string> = {}) =>
  page(`${node.url}/api/v2/erc20/multisigcontrol/signer/removed/bundles`, 'bundles', more);

const hex = (text: string) => Buffer.from(text.replace('0x', ''), 'hex');
const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0');
const addressOf = (publicKey: Uint8Array) => `0x${Buffer.from(keccak_256(publicKey.subarray(1))).toString('hex', 12)}`;

/** The digest of `remove_signer` as a contract computes it, word by word. */
function digestOf({ oldSigner, submitter, nonce }: Bundle): Uint8Array {
  const name = Buffer.from('remove_signer').toString('hex').padEnd(64, '0');
  const inner = word(oldSigner) + word(nonce) + word(0x60n) + word(13n) + name;
  return keccak_256(hex(word(0x40n) + word(submitter) + word(0xa0n) + inner));
}

/** Who made a signature of 65 bytes, its s whatever it is. */
function signerOf(bundle: Bundle, signature: Buffer): string {
  const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact');
  const recovered = parsed.addRecoveryBit((signature[64] ?? 0) % 27).recoverPublicKey(digestOf(bundle));
  return addressOf(recovered.toBytes(false));
}

const bundleSchema = v.strictObject({
  oldSigner: v.string(),
  submitter: v.string(),
  nonce: v.string(),
  timestamp: v.string(),
  signatures: v.string(),
  epochSeq: v.string(),
});
type Bundle = v.InferOutput<typeof bundleSchema>;

const rowsOf = async (): Promise<readonly Bundle[]> =>
  (await bundles()).edges.map(({ node: row }) => v.parse(bundleSchema, row));
const split = ({ signatures }: Bundle): readonly Buffer[] =>
  (signatures.slice(2).match(/.{1,130}/g) ?? []).map(text => hex(text));
const isHighS = (signature: Buffer) => BigInt(`0x${signature.toString('hex', 32, 64)}`) > secp256k1.Point.Fn.ORDER / 2n;

async function addressesByName(): Promise<ReadonlyMap<string, string>> {
  const { edges } = await page(`${node.url}/api/v2/nodes`, 'nodes');
  return new Map(edges.map(({ node: { ethereumAddress, name } }) => [String(ethereumAddress), String(name)]));
}

/** What there is to say about the signatures of a bundle, in short. */
function manner(bundle: Bundle, names: ReadonlyMap<string, string>): string {
  const signed = split(bundle);
  const whole = signed.filter(({ length }) => length === 65);
  const signers = whole.map(signature => signerOf(bundle, signature));
  const known = new Set(signers.filter(signer => names.has(signer))).size;
  const told = [
    [signed.length - whole.length, 'cut'],
    [signers.filter(signer => !names.has(signer)).length, 'stranger'],
    [signers.length - new Set(signers).size, 'duplicate'],
    [whole.filter(isHighS).length, 'high s'],
  ] as const;
  return [`${known} of ${signed.length}`, ...told.flatMap(([count, what]) => (count > 0 ? [what] : []))].join(', ');
}

describe('Signer bundles of the embedded node', () => {
  it('Bundles are signed by listed validators, except for those that demonstrate problems', async () => {
    const names = await addressesByName();
    expect((await rowsOf()).map(row => manner(row, names)).toSorted()).toEqual([
      '0 of 0',
      '4 of 5, cut',
      '4 of 5, duplicate',
      '4 of 5, stranger',
      '5 of 5',
      '5 of 5',
      '5 of 5',
      '5 of 5',
      '5 of 5, high s',
      '6 of 6',
      '6 of 6',
      '6 of 6',
    ]);
  });

  it('The newest bundles are complete, and their signers differ from the removed one', async () => {
    const names = await addressesByName();
    const rows = await rowsOf();
    const newest = rows.filter(({ timestamp }) => timestamp === rows[0]?.timestamp);
    expect(newest.map(row => manner(row, names))).toEqual(['5 of 5', '5 of 5', '5 of 5', '5 of 5']);
    for (const row of rows) {
      expect([names.has(row.oldSigner), names.has(row.submitter), row.oldSigner === row.submitter]).toEqual([
        true,
        true,
        false,
      ]);
      for (const signature of split(row).filter(({ length }) => length === 65))
        expect(signerOf(row, signature)).not.toBe(row.oldSigner);
    }
  });

  it('Bundles are signed with the keys of the validators, and their addresses follow from these keys', async () => {
    const keyOf = (name: string) => hex(hash('sha256', `demo validator ${name}`, 'hex'));
    for (const [address, name] of await addressesByName())
      expect(addressOf(secp256k1.getPublicKey(keyOf(name), false))).toBe(address);
  });

  it('Signatures are joined without a separator, sorted by bytes, with v of 0 and 1 or of 27 and 28', async () => {
    const rows = await rowsOf();
    for (const row of rows) {
      const signed = split(row);
      expect(row.signatures).toBe(signed.length === 0 ? '' : `0x${Buffer.concat(signed).toString('hex')}`);
      expect(signed).toEqual(signed.toSorted(Buffer.compare));
    }
    const lastBytes = new Set(
      rows.flatMap(split).flatMap(signature => (signature.length === 65 ? [signature[64]] : [])),
    );
    expect([...lastBytes].toSorted()).toEqual([0, 1, 27, 28]);
  });

  it('Bundles of a removal share a nonce, from the seconds of its block, and the epoch of the block', async () => {
    const rows = await rowsOf();
    expect(new Set(rows.map(({ oldSigner }) => oldSigner)).size).toBe(4);
    expect(new Set(rows.map(({ oldSigner, nonce }) => `${oldSigner} ${nonce}`)).size).toBe(4);
    for (const { nonce, timestamp, epochSeq } of rows) {
      expect(BigInt(nonce)).toBe(BigInt(timestamp) / 1_000_000_000n + 1n);
      const { epoch } = JSON.parse((await ask(`${node.url}/api/v2/epoch?id=${epochSeq}`)).text);
      const sinceStart = BigInt(timestamp) - BigInt(epoch.timestamps.startTime);
      expect(sinceStart >= 0n && sinceStart < 2_000_000_000n).toBe(true);
    }
  });

  it('Bundles are the same for the first two requests, even when sent at once', async () => {
    const fresh = await startNode({ clock: () => startedMs, rateLimit: unlimited });
    const [one, other] = await Promise.all([ask(fresh.url + bundlesPath), ask(fresh.url + bundlesPath)]);
    await fresh.close();
    expect(one.text).toBe(other.text);
    expect(JSON.parse(one.text)).toEqual({ bundles: await bundles() });
  });

  it('Bundles are found by submitter, epoch and node, and an empty filter does not count', async () => {
    const all = await bundles();
    const [first] = all.edges;
    const submitter = String(first?.node.submitter);
    const bySubmitter = await bundles({ submitter: submitter.toUpperCase().replace('0X', '0x') });
    expect(bySubmitter.edges).toEqual(all.edges.filter(({ node: row }) => row.submitter === submitter));
    const epochSeq = String(first?.node.epochSeq);
    expect((await bundles({ epochSeq })).edges).toEqual(all.edges.filter(({ node: row }) => row.epochSeq === epochSeq));
    expect(await bundles({ nodeId: '', submitter: '', epochSeq: '' })).toEqual(all);
    expect((await bundles({ nodeId: 'ab'.repeat(32) })).edges).toEqual([]);
  });

  it('A request for bundles with unreadable filters is refused', async () => {
    const inner = 'epochSql: x: strconv.ParseInt: parsing "x": invalid syntax';
    expect(await refusal(`${node.url}${bundlesPath}?epochSeq=x`)).toEqual([
      400,
      3,
      10036,
      'failed to parse epoch id',
      inner,
    ]);
    const multisig = [400, 3, 270002, 'failed to get removed multisig events'];
    expect((await refusal(`${node.url}${bundlesPath}?nodeId=zz`)).slice(0, 4)).toEqual(multisig);
    expect((await refusal(`${node.url}${bundlesPath}?submitter=abcd`)).slice(0, 4)).toEqual(multisig);
  });
});
