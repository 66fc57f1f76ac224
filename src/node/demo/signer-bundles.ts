import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, epochOf, type Validator } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { Dice, hexOf } from './seeded.ts';

/** Which validator lost its place in which block, and how many others may submit the removal. */
const REMOVALS = [
  { height: 3429, validator: 2, submitters: 4, signatures: 5 },
  { height: 9143, validator: 5, submitters: 3, signatures: 6 },
  { height: 15_998, validator: 6, submitters: 4, signatures: 5 },
  { height: 22_857, validator: 3, submitters: 1, signatures: 0 },
] as const;

/** Whether a validator has lost its place among the signers; all of them did so before the chain stood still. */
export const isRemovedSigner = (chain: Chain, { id }: Validator): boolean =>
  REMOVALS.some(({ validator }) => chain.validators[validator]?.id === id);

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
    rows: () => bundleRows(chain),
  };
}

function* bundleRows(chain: Chain) {
  for (const removal of REMOVALS) {
    const removed = chain.validators[removal.validator] ?? chain.validators[0];
    const submitters = chain.validators.filter(validator => validator !== removed).slice(0, removal.submitters);
    for (const submitter of submitters) yield bundleRow(chain, { ...removal, removed, submitter });
  }
}

interface Bundle {
  readonly height: number;
  readonly signatures: number;
  readonly removed: Validator;
  readonly submitter: Validator;
}

function bundleRow(chain: Chain, { height, signatures, removed, submitter }: Bundle) {
  const timeUs = blockTimeUs(chain, height);
  const epochSeq = epochOf(chain, height);
  const id = hexOf(`${chain.seed}/bundle/${removed.id}/${submitter.id}`);
  const body = goJson({
    oldSigner: removed.ethereumAddress,
    submitter: submitter.ethereumAddress,
    // One nonce for all submitters of the same removal, from the block's seconds on (node-behaviour.md section 8).
    nonce: String(Math.floor(timeUs / 1e6) + 1),
    timestamp: nanoseconds(timeUs),
    signatures: concatenated(Array.from({ length: signatures }, (_, index) => signature(`${id}/${index}`))),
    epochSeq: String(epochSeq),
  });
  return [id, timeUs, removed.id, submitter.ethereumAddress, epochSeq, body] as const;
}

/**
 * "" and not 0x when no validator has signed yet; otherwise sorted by bytes, without separators (node-behaviour.md
 * section 8).
 */
function concatenated(signatures: readonly string[]): string {
  return signatures.length === 0 ? '' : `0x${signatures.toSorted().join('')}`;
}

/** 65 bytes r, s, v in the shape of a real one (low s, v 0 or 1); the keys behind it do not exist. */
function signature(label: string): string {
  const lowS = `${'01234567'.charAt(new Dice(label).below(8))}${hexOf(`${label}/s`).slice(1)}`;
  return hexOf(`${label}/r`) + lowS + (new Dice(`${label}/v`).chance(50) ? '00' : '01');
}
