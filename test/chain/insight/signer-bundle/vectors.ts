import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/));
const hex = v.pipe(v.string(), v.regex(/^0x(?:[0-9a-f]{2})*$/));

const bundle = v.object({
  scheme: v.picklist(['v1', 'v2']),
  functionString: v.picklist(['remove_signer', 'removeSigner']),
  oldSigner: address,
  submitter: address,
  nonce: v.string(),
  chainId: v.nullable(v.string()),
  payload: hex,
  digest: hex,
  validators: v.array(v.object({ address, signature: hex })),
  packedSignatures: hex,
  recoveredInPackedOrder: v.array(address),
  contractCall: v.object({ method: v.string(), calldata: hex }),
});

/** Bundles made and signed by the software of nodes, and what the contracts answered. */
export const VECTORS = v.parse(
  v.object({
    maxLowS: hex,
    selectors: v.record(v.string(), hex),
    eventTopics: v.record(v.string(), hex),
    eip55: v.array(v.object({ lower: address, checksum: address })),
    threshold: v.object({
      cases: v.array(v.object({ valid: v.number(), count: v.number(), threshold: v.number(), accepted: v.boolean() })),
    }),
    bundles: v.array(bundle),
    recovery: v.object({
      cases: v.array(v.object({ digest: hex, signature: hex, address, lowS: v.boolean() })),
    }),
    restBundles: v.record(v.string(), v.record(v.string(), v.string())),
  }),
  JSON.parse(readFileSync(new URL('../../../fixtures/signer-bundle-vectors.json', import.meta.url), 'utf8')),
);

export type Vector = (typeof VECTORS.bundles)[number];
