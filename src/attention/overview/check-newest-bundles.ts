import { setImmediate as pause } from 'node:timers/promises';
import { readAddress } from '../../base/text/ids.ts';
import { jsonText } from '../../chain/api/json.ts';
import { type CheckedBundle, checkBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import { loadRecovery } from '../../chain/insight/signer-bundle/signatures.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { readValidator } from '../../chain/resources/validators.ts';
import { bundlesToCheck, newestToCheck } from '../rules/bundle-to-submit.ts';

interface BundleCheck {
  readonly validators: readonly Row[];
  readonly epoch: bigint | null;
  readonly signal: AbortSignal;
  /** Of the multisig contract, if the user gave them. */
  readonly threshold?: number | undefined;
  readonly signerCount?: number | undefined;
}

/** The newest bundles that matter, with the signatures of each checked. No request is sent for it. */
export async function checkNewestBundles(
  bundles: readonly Row[],
  { validators, epoch, signal, threshold, signerCount }: BundleCheck,
): Promise<ReadonlyMap<Row, CheckedBundle>> {
  const rows = newestToCheck(bundlesToCheck(bundles, validators, epoch));
  const checked = new Map<Row, CheckedBundle>();
  if (rows.length === 0) return checked;
  const known = new Set(validators.flatMap(row => readAddress(readValidator(row).ethereumAddress) ?? []));
  const recovery = await loadRecovery();
  for (const row of rows) {
    signal.throwIfAborted();
    const chainId = jsonText(row.chainId);
    const text = {
      oldSigner: jsonText(row.oldSigner),
      submitter: jsonText(row.submitter),
      nonce: jsonText(row.nonce),
      signatures: jsonText(row.signatures),
    };
    const chainIds = /^\d+$/.test(chainId) ? [chainId] : [];
    const checking = { known, chainIds, recovery, pause, threshold, signerCount, isQuick: true } as const;
    checked.set(row, await checkBundle(text, checking));
  }
  return checked;
}
