import * as v from 'valibot';
import { jsonText } from '../api/json.ts';
import { spellAddress } from '../insight/address.ts';
import { highSPositions, readSignatureBytes } from '../insight/signer-bundle/signatures.ts';
import { text } from './field.ts';
import { isFilterActive } from './filter.ts';
import { textsAt } from './filter-check.ts';
import { defineResource } from './resource.ts';

export const signerBundles = defineResource({
  id: 'bundles',
  title: 'Signer bundles',
  shortTitle: 'Bundles',
  description: 'signatures that remove a signer of the bridge',
  singular: 'signer bundle',
  path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
  wrapperKey: 'bundles',
  schema: v.object({
    oldSigner: text,
    submitter: text,
    nonce: text,
    timestamp: text,
    signatures: text,
    epochSeq: text,
    /** From v0.76. */
    chainId: text,
  }),
  filters: [
    { name: 'nodeId', title: 'node', kind: 'id', entity: 'node', meaning: 'bundles that remove this validator node' },
    {
      name: 'submitter',
      title: 'submitter',
      kind: 'address',
      entity: 'submitter',
      meaning: 'bundles that this address may submit',
      textsIn: textsAt('submitter'),
    },
    {
      name: 'epochSeq',
      title: 'epoch',
      kind: 'epoch',
      entity: 'epoch',
      meaning: 'bundles made in this epoch',
      textsIn: textsAt('epochSeq'),
    },
  ],
  columns: [
    {
      id: 'old-signer',
      title: 'OLD SIGNER',
      kind: 'address',
      // An address of a validator, as a submitter is.
      entity: 'submitter',
      isAnswer: true,
      value: row => row.oldSigner,
    },
    {
      id: 'submitter',
      title: 'SUBMITTER',
      kind: 'address',
      entity: 'submitter',
      isAnswer: true,
      value: row => row.submitter,
    },
    {
      id: 'chain',
      title: 'CHAIN',
      kind: 'ordinal',
      isAnswer: true,
      isOptional: true,
      value: row => row.chainId,
    },
    {
      id: 'signatures',
      title: 'SIGNATURES',
      // How many of one bundle, compared with what the contract needs: those of several bundles do not add up.
      kind: 'integer',
      isAnswer: true,
      value: row => signatureCell(row.signatures),
    },
    { id: 'epoch', title: 'EPOCH', kind: 'ordinal', entity: 'epoch', value: row => row.epochSeq },
    { id: 'time', title: 'CREATED', kind: 'time', value: row => row.timestamp },
    { id: 'nonce', title: 'NONCE', kind: 'ordinal', value: row => row.nonce },
  ],
  csv: {
    columns: [
      { id: 'old-signer', title: 'OLD SIGNER', kind: 'address', value: row => jsonText(row.oldSigner) },
      { id: 'submitter', title: 'SUBMITTER', kind: 'address', value: row => jsonText(row.submitter) },
      { id: 'count', title: 'COUNT', kind: 'integer', value: row => signatureCount(jsonText(row.signatures)) },
      { id: 'epoch', title: 'EPOCH', kind: 'ordinal', value: row => jsonText(row.epochSeq) },
      { id: 'time', title: 'CREATED', kind: 'time', value: row => jsonText(row.timestamp) },
      { id: 'nonce', title: 'NONCE', kind: 'ordinal', value: row => jsonText(row.nonce) },
      { id: 'chain', title: 'CHAIN', kind: 'ordinal', value: row => jsonText(row.chainId) },
      { id: 'signatures', title: 'SIGNATURES', kind: 'text', value: row => jsonText(row.signatures) },
    ],
    rowsOf: row => [row],
  },
  sections: [
    {
      title: 'Bundle',
      paths: ['oldSigner', 'submitter', 'chainId', 'nonce', 'epochSeq', 'timestamp'],
      notes: row => [`only ${spellAddress(row.submitter) || 'its submitter'} can submit it`],
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
    chainId: 'ordinal',
  },
  entities: { oldSigner: 'submitter', submitter: 'submitter' },
  paging: { byCursor: true, backward: true, oldestFirst: true },
  caveats: filters =>
    isFilterActive(filters, 'nodeId') ? ['bundles do not include the validator, so this filter cannot be checked'] : [],
  // One removal has the same nonce on every chain (protocol.md section 3). The chain comes last, so that a key without it
  // is the beginning of a key with it.
  key: ({ oldSigner, submitter, nonce, chainId }) =>
    [oldSigner, submitter, nonce, ...(chainId === '' ? [] : [chainId])].join('/'),
});

/** `5`, or `5, 1 bad`: a high s, for which the contract may refuse the call. */
function signatureCell(text: string): string {
  const bad = highSPositions(readSignatureBytes(text)).length;
  return `${signatureCount(text)}${bad > 0 ? `, ${bad} bad` : ''}`;
}

/** The number of signatures, or why it is unknown. */
function signatureCount(text: string): string {
  const signatures = readSignatureBytes(text);
  switch (signatures.kind) {
    case 'none':
      return '0';
    case 'not-hex':
      return 'not hex';
    case 'bad-length':
      return 'bad length';
    case 'whole':
      return String(signatures.count);
  }
}

function signatureNote(text: string): string {
  const signatures = readSignatureBytes(text);
  switch (signatures.kind) {
    case 'none':
      return 'no signatures yet';
    case 'not-hex':
      return 'not hex digits, so not signatures';
    case 'bad-length':
      return 'the length is not a multiple of 65 bytes: the contract refuses it';
    case 'whole':
      return `${signatures.count} of 65 bytes each`;
  }
}
