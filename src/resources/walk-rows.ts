import { UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { MAX_PAGE_SIZE, orderProblem, type PageRequest, pageRequest } from './page-request.ts';
import type { Row, RowPage } from './resource.ts';
import { fetchSoundPage, patiently, type WalkOptions, walkPages } from './walk.ts';

/** The rows of a list from this page on, so many, by cursor, or without one where the node fails on every cursor. */
export const walkRows = (
  options: WalkOptions,
  first: PageRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<Rows> =>
  options.resource.paging.byCursor === true
    ? walkPages(options, first, limit)
    : upTo(limit, walkWithoutCursors(options, first));

async function* upTo(limit: number, pages: AsyncIterable<Rows>): AsyncGenerator<Rows> {
  let left = limit;
  for await (const { rows } of pages) {
    yield { rows: rows.slice(0, left) };
    left -= rows.length;
    if (left <= 0) return;
  }
}

/** Epochs asked for one by one, at most. */
const MOST_EPOCHS = 100_000n;

interface Rows {
  readonly rows: readonly Row[];
}

/**
 * The first page, then what the same list shows from its other end, then the epochs between the two, each by its
 * number (node-lists.md section 6). Throws when rows between the ends cannot be had by any request.
 */
async function* walkWithoutCursors(options: WalkOptions, request: PageRequest): AsyncGenerator<Rows> {
  const patient = patiently(options);
  const fetch = (asked: PageRequest) => patient(() => fetchSoundPage(options, asked));
  const page = await fetch(request);
  yield page;
  if (!page.hasNextPage) return;
  const list = wholeList(options, request, page);
  const near = request.size < MAX_PAGE_SIZE ? await fetch(list) : page;
  yield { rows: newRows(options, near, page) };
  if (!near.hasNextPage) return;
  const far = await fetch({ ...list, newestFirst: !list.newestFirst });
  const rest = { rows: newRows(options, far, near).toReversed() };
  // Where they meet; but the row at the far end is on no page that more rows follow.
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

/** As many rows as a request gives. A list of one epoch stays with that one, also when another begins meanwhile. */
function wholeList(options: WalkOptions, request: PageRequest, { rows }: RowPage): PageRequest {
  const list = { ...request, size: MAX_PAGE_SIZE };
  const epoch = epochOf(options, rows[0]);
  return hasEpochs(options, request) || epoch === ''
    ? list
    : { ...list, filters: { ...list.filters, epochSeq: [epoch] } };
}

/** The rows that are not on the other page. */
function newRows({ resource }: WalkOptions, { rows }: Rows, other: Rows): readonly Row[] {
  const known = new Set(other.rows.map(resource.keyOf));
  return rows.filter(row => !known.has(resource.keyOf(row)));
}

function epochOf({ resource }: WalkOptions, row: Row | undefined): string {
  const column = resource.columns.find(({ entity }) => entity === 'epoch');
  const epoch = row === undefined ? '' : (column?.value(row) ?? '');
  return /^\d{1,20}$/.test(epoch) ? epoch : '';
}

/** The numbers between the epochs of two rows, from the one towards the other; undefined when they are no sane range. */
function epochsBetween(options: WalkOptions, one?: Row, other?: Row): readonly string[] | undefined {
  const [from, to] = [epochOf(options, one), epochOf(options, other)];
  if (from === '' || to === '') return undefined;
  const distance = BigInt(to) - BigInt(from);
  const step = distance < 0n ? -1n : 1n;
  const count = distance * step - 1n;
  if (count > MOST_EPOCHS) return undefined;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) =>
    String(BigInt(from) + step * BigInt(index + 1)),
  );
}

const unreachable = ({ client, resource }: WalkOptions, list: PageRequest, shown: string): UndecodableError =>
  new UndecodableError(`the node shows ${shown}; the others cannot be had`, {
    url: requestUrl(client.base, pageRequest(resource, list)),
    hint: resource.filters.some(({ name }) => name === 'assetId')
      ? 'name a market, or a market and an asset'
      : 'another node may show them',
  });
