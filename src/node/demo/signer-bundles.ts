import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, epochAtHeight, firstBlockOfEpoch } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { removalEpoch, returnEpoch } from './live-events.ts';
import { seededHex } from './seeded-random.ts';
import { signingKey, type Validator } from './validators.ts';

/**
 * The flaw in the signatures of a bundle: none, no signature yet, or the last one has an unknown key, comes twice, has
 * the s that the contract refuses, or is cut off.
 */
type SignatureState = 'sound' | 'unsigned' | 'unknown-key' | 'duplicate' | 'high-s' | 'cut';

interface RemovalPlan {
  /** The epoch when it lost its place. */
  readonly epoch: number;
  /** The epoch when it has it again. */
  readonly until?: number;
  readonly validator: number;
  readonly signatures: number;
  /** How many validators may submit it; each has a bundle. */
  readonly bundles: readonly SignatureState[];
}

/** Which validators lost their place, when, and who may submit the removal; the last one in the current epoch. */
const REMOVALS: readonly RemovalPlan[] = [
  { epoch: 7, validator: 2, signatures: 5, bundles: ['unknown-key', 'duplicate', 'high-s', 'cut'] },
  { epoch: 17, validator: 5, signatures: 6, bundles: ['sound', 'sound', 'sound'] },
  { epoch: 41, validator: 3, signatures: 5, bundles: ['unsigned'] },
  { epoch: 42, validator: 6, signatures: 5, bundles: ['sound', 'sound', 'sound', 'sound'] },
];

/** Bundles of a live chain exist from the start: the list shows those of existing blocks. */
const plannedRemovals = (chain: Chain): readonly RemovalPlan[] =>
  chain.isLive
    ? [
        ...REMOVALS,
        {
          ...{ epoch: removalEpoch(chain), until: returnEpoch(chain), validator: 1, signatures: 3 },
          bundles: ['sound', 'sound'],
        },
      ]
    : REMOVALS;

/** Whether a validator has lost its place among the signers. */
export const isRemovedSigner = (chain: Chain, { id }: Validator, epoch: number): boolean =>
  plannedRemovals(chain).some(
    ({ epoch: from, until = Number.POSITIVE_INFINITY, validator }) =>
      from <= epoch && epoch < until && chain.validators[validator]?.id === id,
  );

/** The table behind the removed-signer bundles: a row per old signer and submitter. */
export function signerBundlesTable(chain: Chain): DemoTable {
  return {
    name: 'signer_bundles',
    columns: [
      'id TEXT NOT NULL',
      'vega_us INTEGER NOT NULL',
      'node_id TEXT NOT NULL',
      'submitter TEXT NOT NULL',
      'epoch_seq INTEGER NOT NULL',
      'body TEXT NOT NULL',
    ],
    primaryKey: 'id',
    indices: ['vega_us, id'],
    rows: async () => {
      const sign = await removalSigner();
      return createBundles(chain).map(bundle => bundleRow(chain, bundle, sign));
    },
  };
}

interface Bundle {
  readonly height: number;
  readonly removed: Validator;
  readonly submitter: Validator;
  readonly signers: readonly Validator[];
  readonly state: SignatureState;
}

function createBundles(chain: Chain): readonly Bundle[] {
  const removals = plannedRemovals(chain);
  return removals.flatMap((removal, index) => {
    const goneBefore = removals.slice(0, index).flatMap(({ epoch, validator }) =>
      // A validator that lost its place an epoch ago is still a signer of the contract.
      epoch < removal.epoch - 1 ? [validator] : [],
    );
    const others = chain.validators.filter((_, at) => at !== removal.validator && !goneBefore.includes(at));
    const removed = chain.validators[removal.validator] ?? chain.validators[0];
    const height = firstBlockOfEpoch(chain, removal.epoch);
    const signers = others.slice(0, removal.signatures);
    return removal.bundles.flatMap((state, at) => {
      const submitter = others[at];
      return submitter === undefined ? [] : [{ height, removed, submitter, signers, state }];
    });
  });
}

function bundleRow(chain: Chain, bundle: Bundle, sign: SignRemoval) {
  const { height, removed, submitter } = bundle;
  const timeUs = blockTimeUs(chain, height);
  const epochSeq = epochAtHeight(chain, height);
  // All submitters of a removal share one nonce, which begins with the time of the block (node-behaviour.md section 8).
  const nonce = BigInt(Math.floor(timeUs / 1e6) + 1);
  const [oldSigner, by] = [removed.ethereumAddress, submitter.ethereumAddress];
  const body = goJson({
    oldSigner,
    submitter: by,
    nonce: String(nonce),
    timestamp: nanoseconds(timeUs),
    signatures: signatures(bundle, key => sign({ oldSigner, submitter: by, nonce }, key)),
    epochSeq: String(epochSeq),
  });
  return [
    seededHex(`${chain.seed}/bundle/${removed.id}/${submitter.id}`),
    timeUs,
    removed.id,
    by,
    epochSeq,
    body,
  ] as const;
}

function signatures({ signers, state }: Bundle, sign: (key: string) => Buffer): string {
  const own = signers.map(({ name }) =>
    name === CLEF_USER ? withClefRecoveryId(sign(signingKey(name))) : sign(signingKey(name)),
  );
  const [first = sign(UNKNOWN_KEY), last = first] = [own[0], own.at(-1)];
  const butLast = own.slice(0, -1);
  switch (state) {
    case 'sound':
      return concatenateSignatures(own);
    case 'unsigned':
      return concatenateSignatures([]);
    case 'unknown-key':
      return concatenateSignatures([...butLast, sign(UNKNOWN_KEY)]);
    case 'duplicate':
      return concatenateSignatures([...butLast, first]);
    case 'high-s':
      return concatenateSignatures([...butLast, withHighS(last)]);
    case 'cut':
      return concatenateSignatures(own).slice(0, -40);
  }
}

/** A key that belongs to no validator. */
const UNKNOWN_KEY = signingKey('nobody');

/** Signs with Clef, whose v is 27 or 28. */
const CLEF_USER = 'Eiderdown';

function withClefRecoveryId(signature: Buffer): Buffer {
  return Buffer.concat([signature.subarray(0, 64), Buffer.of(27 + (signature[64] ?? 0))]);
}

/**
 * "", not 0x, when no validator has signed yet; otherwise sorted by bytes and joined without separators
 * (node-behaviour.md section 8).
 */
function concatenateSignatures(signed: readonly Buffer[]): string {
  return signed.length === 0 ? '' : `0x${Buffer.concat(signed.toSorted(Buffer.compare)).toString('hex')}`;
}

/** The message that validators sign to remove one validator from the signers of the contract. */
interface Removal {
  readonly oldSigner: string;
  /** The only address that may submit it to the contract. */
  readonly submitter: string;
  readonly nonce: bigint;
}

/** The signature of a validator: r, s and v, of 32, 32 and 1 bytes. */
type SignRemoval = (removal: Removal, key: string) => Buffer;

const CURVE_ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** Loads the curve and the hash only when bundles are requested. */
async function removalSigner(): Promise<SignRemoval> {
  const [{ secp256k1 }, { keccak_256 }] = await Promise.all([
    import('@noble/curves/secp256k1.js'),
    import('@noble/hashes/sha3.js'),
  ]);
  return (removal, key) => {
    const digest = keccak_256(Buffer.from(payload(removal), 'hex'));
    const signature = secp256k1.sign(digest, Buffer.from(key, 'hex'), { prehash: false, format: 'recovered' });
    // The library puts v first.
    return Buffer.concat([signature.subarray(1), signature.subarray(0, 1)]);
  };
}

/** The same signature with the other s: it recovers to the same signer, but the contract refuses it. */
function withHighS(signature: Buffer): Buffer {
  const s = BigInt(`0x${signature.toString('hex', 32, 64)}`);
  const v = signature[64] === 0 ? 1 : 0;
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(word(CURVE_ORDER - s), 'hex'), Buffer.of(v)]);
}

/** ABI encodings by hand: (bytes, address) around (address, uint256, string). */
function payload({ oldSigner, submitter, nonce }: Removal): string {
  const call = Buffer.from('remove_signer').toString('hex');
  const inner = [word(BigInt(oldSigner)), word(nonce), word(96n), word(BigInt(call.length / 2)), call.padEnd(64, '0')];
  return [word(64n), word(BigInt(submitter)), word(BigInt(32 * inner.length)), ...inner].join('');
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0');
