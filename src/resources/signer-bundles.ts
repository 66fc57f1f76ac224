import * as v from 'valibot';
import { text } from './field.ts';
import { defineResource } from './resource.ts';

export const signerBundles = defineResource({
  id: 'bundles',
  title: 'Signer bundles',
  singular: 'signer-removed bundle',
  path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
  wrapperKey: 'bundles',
  schema: v.object({
    oldSigner: text,
    submitter: text,
    nonce: text,
    timestamp: text,
    signatures: text,
    epochSeq: text,
  }),
  filters: [
    { name: 'nodeId', title: 'node', kind: 'id', entity: 'node', meaning: 'bundles that remove this validator node' },
    {
      name: 'submitter',
      title: 'submitter',
      kind: 'address',
      entity: 'submitter',
      meaning: 'bundles that this address may submit',
    },
    {
      name: 'epochSeq',
      title: 'epoch',
      kind: 'epoch',
      entity: 'epoch',
      meaning: 'bundles made in this epoch',
    },
  ],
  columns: [
    { id: 'old-signer', title: 'OLD SIGNER', kind: 'address', value: row => row.oldSigner },
    {
      id: 'submitter',
      title: 'SUBMITTER',
      kind: 'address',
      entity: 'submitter',
      value: row => row.submitter,
    },
    { id: 'signatures', title: 'SIGNATURES', kind: 'text', value: row => signatureCount(row.signatures) },
    { id: 'epoch', title: 'EPOCH', kind: 'ordinal', entity: 'epoch', value: row => row.epochSeq },
    { id: 'time', title: 'MADE', kind: 'time', value: row => row.timestamp },
    { id: 'nonce', title: 'NONCE', kind: 'ordinal', value: row => row.nonce },
  ],
  sections: [
    {
      title: 'Bundle',
      paths: ['oldSigner', 'submitter', 'nonce', 'epochSeq', 'timestamp'],
      notes: row => [`only ${row.submitter || 'its submitter'} can use this bundle`],
    },
    { title: 'Signatures', paths: ['signatures'], notes: row => [signatureNote(row.signatures)] },
  ],
  kinds: {
    oldSigner: 'address',
    submitter: 'address',
    nonce: 'ordinal',
    timestamp: 'time',
    signatures: 'text',
    epochSeq: 'ordinal',
  },
  paging: { byCursor: true, backward: true, oldestFirst: true },
  key: row => `${row.oldSigner}/${row.submitter}/${row.nonce}`,
});

// 65 bytes each, concatenated (signer-bundles.md section 1).
const SIGNATURE_DIGITS = 130;

function signatureCount(signatures: string): string {
  const digits = signatures.replace(/^0x/, '').length;
  return digits % SIGNATURE_DIGITS === 0 ? String(digits / SIGNATURE_DIGITS) : 'bad length';
}

function signatureNote(signatures: string): string {
  const count = signatureCount(signatures);
  if (count === '0') return 'no signature has been collected yet';
  return count === 'bad length'
    ? 'the length is no multiple of 65 bytes: the contract refuses it'
    : `${count} of 65 bytes each, not verified here`;
}
