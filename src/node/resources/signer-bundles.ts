import type { NodeHead } from '../demo/chain.ts';
import { newInvalidArgumentFailure } from '../gateway/failure.ts';
import { parseGoInt } from '../gateway/go-numbers.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import type { Listing, SqlCondition } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { invalidIdMessage } from './hex-id.ts';
import { idIs, listOperation, refuseOtherThanIds } from './operations.ts';

/** As sent; "" counts as unset in all three. */
interface Filters {
  readonly nodeId: string;
  readonly submitter: string;
  readonly epochSeq: string;
}

const FAILED = { code: 270002, message: 'failed to get removed multisig events' };

/** `head` is for a table that has later bundles as well. */
export function signerBundleOperations(store: Store, head?: () => NodeHead): readonly UnaryOperation[] {
  const list = listOperation(store, {
    path: '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
    wrapper: 'bundles',
    read: query => {
      const filters = {
        nodeId: query.text('node_id') ?? '',
        submitter: query.text('submitter') ?? '',
        epochSeq: query.text('epoch_seq') ?? '',
      };
      return () => bundles(filters, head?.());
    },
  });
  const accept: UnaryOperation['accept'] = request => {
    const serve = list.accept(request);
    return async () => {
      await store.ready('signer_bundles');
      return serve();
    };
  };
  return [{ ...list, accept }];
}

function bundles(filters: Filters, head: NodeHead | undefined): Listing {
  return {
    table: 'signer_bundles',
    columns: ['body'],
    where: [
      ...conditions(filters),
      ...(head === undefined ? [] : [{ sql: 'vega_us <= ?', values: [head.timeNs / 1000n] }]),
    ],
    sortBy: [{ column: 'vega_us' }, { column: 'id' }],
    cursor: row => JSON.stringify({ vega_time: goTime(rowNumber(row, 'vega_us')), id: rowText(row, 'id') }),
    position,
    node: row => rowText(row, 'body'),
  };
}

function conditions({ nodeId, submitter, epochSeq }: Filters): readonly SqlCondition[] {
  const epoch = parseEpoch(epochSeq);
  refuseOtherThanIds([nodeId], FAILED);
  if (submitter !== '' && !/^0x(?:[0-9a-f]{2})*$/i.test(submitter)) {
    throw newInvalidArgumentFailure(FAILED.code, FAILED.message, invalidIdMessage(submitter));
  }
  return [
    ...idIs('node_id', nodeId),
    ...(submitter === '' ? [] : [{ sql: 'submitter = ?', values: [submitter.toLowerCase()] }]),
    ...(epoch === undefined ? [] : [{ sql: 'epoch_seq = CAST(? AS INTEGER)', values: [epoch] }]),
  ];
}

function parseEpoch(epochSeq: string): string | undefined {
  if (epochSeq === '') return undefined;
  const parsed = parseGoInt(epochSeq, 64);
  if (typeof parsed === 'bigint') return String(parsed);
  throw newInvalidArgumentFailure(10036, 'failed to parse epoch id', `epochSql: ${epochSeq}: ${parsed}`);
}

function position(content: string) {
  return readCursor(FAILED.code, FAILED.message, () => {
    const members = cursorObject(content, 'ERC20MultiSigSignerRemovedEventCursor');
    return [cursorTimeUs(members, 'vega_time'), cursorText(members, 'id').toLowerCase()];
  });
}
