import type { Head } from '../demo/chain.ts';
import { invalidArgument } from '../gateway/failure.ts';
import { parseGoInt } from '../gateway/go-numbers.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { type Condition, fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';
import { isFilterId, notAnId, storedId } from './hex-id.ts';

/** As sent; "" counts as unset in all three. */
interface Filters {
  readonly nodeId: string;
  readonly submitter: string;
  readonly epochSeq: string;
}

const FAILED_CODE = 270002;
const FAILED = 'failed to get removed multisig events';

/** `head` is for a table that has later bundles as well. */
export function signerBundleOperations(store: Store, head?: () => Head): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        const filters: Filters = {
          nodeId: query.text('node_id') ?? '',
          submitter: query.text('submitter') ?? '',
          epochSeq: query.text('epoch_seq') ?? '',
        };
        return async () => {
          const page = decidePage(sent);
          const listing = bundles(filters, head?.());
          await store.ready(listing.table);
          return pageJson('bundles', fetchPage(store, listing, page));
        };
      },
    },
  ];
}

function bundles(filters: Filters, head: Head | undefined): Listing {
  return {
    table: 'signer_bundles',
    columns: ['body'],
    where: [
      ...conditions(filters),
      ...(head === undefined ? [] : [{ sql: 'vega_us <= ?', values: [head.timeNs / 1000n] }]),
    ],
    sortBy: [{ column: 'vega_us' }, { column: 'id' }],
    cursor: row => JSON.stringify({ vega_time: goTime(numberOf(row, 'vega_us')), id: textOf(row, 'id') }),
    position,
    node: row => textOf(row, 'body'),
  };
}

function conditions({ nodeId, submitter, epochSeq }: Filters): readonly Condition[] {
  const epoch = parseEpoch(epochSeq);
  if (!isFilterId(nodeId)) throw invalidArgument(FAILED_CODE, FAILED, notAnId(nodeId));
  if (submitter !== '' && !/^0x(?:[0-9a-f]{2})*$/i.test(submitter)) {
    throw invalidArgument(FAILED_CODE, FAILED, notAnId(submitter));
  }
  return [
    ...(nodeId === '' ? [] : [{ sql: 'node_id = ?', values: [storedId(nodeId)] }]),
    ...(submitter === '' ? [] : [{ sql: 'submitter = ?', values: [submitter.toLowerCase()] }]),
    ...(epoch === undefined ? [] : [{ sql: 'epoch_seq = CAST(? AS INTEGER)', values: [epoch] }]),
  ];
}

function parseEpoch(epochSeq: string): string | undefined {
  if (epochSeq === '') return undefined;
  const parsed = parseGoInt(epochSeq, 64);
  if (typeof parsed === 'bigint') return String(parsed);
  throw invalidArgument(10036, 'failed to parse epoch id', `epochSql: ${epochSeq}: ${parsed}`);
}

function position(content: string) {
  return readCursor(FAILED_CODE, FAILED, () => {
    const members = cursorObject(content, 'ERC20MultiSigSignerRemovedEventCursor');
    return [cursorTimeUs(members, 'vega_time'), cursorText(members, 'id').toLowerCase()];
  });
}
