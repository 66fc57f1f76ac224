import { UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { MAX_PAGE_SIZE, orderProblem, type PageRequest, pageRequest } from './page-request.ts';
import type { Row, RowPage } from './resource.ts';
import {
  assertNoFlaws,
  fetchAnyPage,
  fetchFlawlessPage,
  type WalkOptions,
  walkPages,
  withRateLimitWaits,
} from './walk-pages.ts';

/** The rows of a list from this page on, up to `limit`, by cursor if the list has working ones. */
export const walkRows = (
  options: WalkOptions,
  first: PageRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<Rows> =>
  options.resource.paging.byCursor === true
    ? walkPages(options, first, limit)
    : limitRows(limit, walkWithoutCursors(options, first));

async function* limitRows(limit: number, pages: AsyncIterable<Rows>): AsyncGenerator<Rows> {
  let left = limit;
  for await (const { rows } of pages) {
    yield { rows: rows.slice(0, left) };
    left -= rows.length;
    if (left <= 0) return;
  }
}

/** The most epochs to request one by one. */
const MAX_EPOCHS = 100_000n;

interface Rows {
  readonly rows: readonly Row[];
  /** The flaws of their page. */
  readonly flaws?: readonly string[];
}

/**
 * The first page, then the epochs between it and the other end of the list one by one, then the other end
 * (node-behaviour.md section 6). Throws if no request can reach the rows in between.
 */
async function* walkWithoutCursors(options: WalkOptions, request: PageRequest): AsyncGenerator<Rows> {
  const patient = withRateLimitWaits(options);
  const fetch = (page: PageRequest) => patient(() => fetchFlawlessPage(options, page));
  const page = await patient(() => fetchAnyPage(options, request));
  yield page;
  assertNoFlaws(options, request, page, page.rows.length);
  if (!page.hasNextPage) return;
  const list = wholeList(options, request, page);
  const near = request.size < MAX_PAGE_SIZE ? await fetch(list) : page;
  yield { rows: newRows(options, near, page) };
  if (!near.hasNextPage) return;
  const far = await fetch({ ...list, newestFirst: !list.newestFirst });
  const rest = { rows: newRows(options, far, near).toReversed() };
  // The two ends meet if they share rows; the very last row is never on a page that is followed by more.
  const meets = rest.rows.length < far.rows.length && rest.rows.at(-1) === far.rows[0];
  const isWhole = meets || !far.hasNextPage;
  const epochs = isWhole ? [] : epochsBetween(options, near.rows.at(-1), rest.rows[0]);
  if (epochs === undefined || (!isWhole && !hasEpochs(options, list))) {
    yield rest;
    throw unreachable(options, list, `${near.rows.length + rest.rows.length} rows of this list, from its two ends`);
  }
  for (const epochSeq of epochs) {
    const between = await fetch({ ...list, filters: { ...list.filters, epochSeq: [epochSeq] } });
    yield between;
    if (between.hasNextPage) throw unreachable(options, list, `${between.rows.length} rows of epoch ${epochSeq}`);
  }
  yield rest;
}

const hasEpochs = ({ resource }: WalkOptions, { filters }: PageRequest): boolean =>
  orderProblem(resource, filters) === undefined;

/** The largest page. A list of one epoch stays with that epoch even if a new one begins. */
function wholeList(options: WalkOptions, request: PageRequest, { rows }: RowPage): PageRequest {
  const list = { ...request, size: MAX_PAGE_SIZE };
  const epoch = epochOf(options, rows[0]);
  return hasEpochs(options, request) || epoch === ''
    ? list
    : { ...list, filters: { ...list.filters, epochSeq: [epoch] } };
}

/** The rows not on the other page. */
function newRows({ resource }: WalkOptions, { rows }: Rows, other: Rows): readonly Row[] {
  const known = new Set(other.rows.map(resource.keyOf));
  return rows.filter(row => !known.has(resource.keyOf(row)));
}

function epochOf({ resource }: WalkOptions, row: Row | undefined): string {
  const column = resource.columns.find(({ entity }) => entity === 'epoch');
  const epoch = row === undefined ? '' : (column?.value(row) ?? '');
  return /^\d{1,20}$/.test(epoch) ? epoch : '';
}

/** The epochs between those of two rows, in order; undefined if the range is unreasonable. */
function epochsBetween(options: WalkOptions, one?: Row, other?: Row): readonly string[] | undefined {
  const [from, to] = [epochOf(options, one), epochOf(options, other)];
  if (from === '' || to === '') return undefined;
  const distance = BigInt(to) - BigInt(from);
  const step = distance < 0n ? -1n : 1n;
  const count = distance * step - 1n;
  if (count > MAX_EPOCHS) return undefined;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) =>
    String(BigInt(from) + step * BigInt(index + 1)),
  );
}

const unreachable = ({ client, resource }: WalkOptions, list: PageRequest, shown: string): UndecodableError =>
  new UndecodableError(`the node shows ${shown}; the others cannot be loaded`, {
    url: requestUrl(client.base, pageRequest(resource, list)),
    hint: resource.filters.some(({ name }) => name === 'assetId')
      ? 'filter by market, or by market and asset'
      : 'another node may show them',
  });
