/** What a request to the proxy means. */
export type ProxiedRequest =
  | {
      readonly kind: 'list';
      readonly path: string;
      readonly target: string;
      readonly freshMs: number;
      readonly cost: number;
    }
  | { readonly kind: 'export'; readonly path: string; readonly target: string; readonly cost: number }
  | { readonly kind: 'metrics' | 'health'; readonly path: string }
  | {
      readonly kind: 'rejected';
      readonly path: string;
      readonly status: number;
      readonly code: number;
      readonly message: string;
    };

/** The one path with a variable part, as logs and metrics name it. */
const ONE_PARAMETER = '/api/v2/network/parameters/:key';
const PARAMETER = /^\/api\/v2\/network\/parameters\/[\w.]{1,128}$/;

/**
 * The paths that are passed on, and how long an answer of each may be reused, in ms. `networkhistory` and its `bootstrap`
 * are left out on purpose: they show the keys of the node's swarm.
 */
export const FRESH_MS: { readonly [path: string]: number } = {
  '/statistics': 1_000,
  '/api/v2/vega/time': 1_000,
  '/api/v2/accounts': 3_000,
  '/api/v2/liquidity/provisions': 3_000,
  '/api/v2/liquidity/all-provisions': 3_000,
  '/api/v2/liquidity/providers': 3_000,
  '/api/v2/oracle/data': 3_000,
  '/api/v2/epoch': 5_000,
  '/api/v2/markets': 5_000,
  '/api/v2/liquidity/paidfees': 10_000,
  '/api/v2/networkhistory/segments': 10_000,
  '/api/v2/network/parameters': 10_000,
  [ONE_PARAMETER]: 10_000,
  '/api/v2/erc20/multisigcontrol/signer/removed/bundles': 10_000,
  '/api/v2/oracle/specs': 10_000,
  '/api/v2/nodes': 10_000,
  '/api/v2/assets': 30_000,
  '/api/v2/info': 60_000,
};

const EXPORT_PATH = '/api/v2/networkhistory/export';

/** Reads the request line. Nothing of it reaches the node but a known path and a query in one spelling. */
export function readProxied(method: string, url: string): ProxiedRequest {
  const mark = url.indexOf('?');
  const asked = mark < 0 ? url : url.slice(0, mark);
  const path = PARAMETER.test(asked) ? ONE_PARAMETER : asked;
  const freshMs = asked !== ONE_PARAMETER && Object.hasOwn(FRESH_MS, path) ? FRESH_MS[path] : undefined;
  const isOwn = path === '/metrics' || path === '/health';
  // A path that is not known may hold anything, so it is named nowhere.
  if (freshMs === undefined && path !== EXPORT_PATH && !isOwn) return rejected('', 404, 5, 'Not Found');
  if (method !== 'GET') return rejected(path, 405, 12, 'Method Not Allowed');
  if (isOwn) return { kind: path === '/metrics' ? 'metrics' : 'health', path };
  const query = canonicalQuery(mark < 0 ? '' : url.slice(mark + 1));
  if (query === undefined) return rejected(path, 400, 3, 'the query is not valid percent-encoded UTF-8');
  const target = query === '' ? asked : `${asked}?${query}`;
  if (freshMs !== undefined) return { kind: 'list', path, target, freshMs, cost: costOf(query) };
  const problem = exportProblem(query);
  return problem === undefined ? { kind: 'export', path, target, cost: MOST_COST } : rejected(path, 400, 3, problem);
}

const rejected = (path: string, status: number, code: number, message: string): ProxiedRequest => ({
  kind: 'rejected',
  path,
  status,
  code,
  message,
});

/** One spelling of a query: names in order, values of one name as given. Undefined when it cannot be decoded. */
export function canonicalQuery(text: string): string | undefined {
  try {
    decodeURIComponent(text);
  } catch {
    return undefined;
  }
  const query = new URLSearchParams(text);
  query.sort();
  return query.toString();
}

/** The largest cost of a request, of an export and of a page of 5,000 rows. */
export const MOST_COST = 6;

/** What a request takes from the share of its client: a large page more than a small one. */
function costOf(query: string): number {
  const asked = new URLSearchParams(query);
  const rows = asked.get('pagination.first') ?? asked.get('pagination.last') ?? '1000';
  return /^\d{1,4}$/.test(rows) ? 1 + Math.min(MOST_COST - 1, Math.floor(Number(rows) / 1000)) : 1;
}

const EXPORT_NAMES: ReadonlySet<string> = new Set(['fromBlock', 'from_block', 'toBlock', 'to_block', 'table']);

/**
 * Why an export is not passed on. A deployed node dies of fromBlock > toBlock (export-behaviour.md section 1.8), so only
 * plain numbers in the right order leave the proxy, whichever spelling the node prefers.
 */
function exportProblem(query: string): string | undefined {
  const asked = new URLSearchParams(query);
  const unknown = [...asked.keys()].find(name => !EXPORT_NAMES.has(name));
  if (unknown !== undefined) return 'an export takes fromBlock, toBlock and table only';
  const heights = (...names: readonly string[]): readonly string[] => names.flatMap(name => asked.getAll(name));
  const [from, to] = [heights('fromBlock', 'from_block'), heights('toBlock', 'to_block')];
  if (from.length !== 1 || to.length !== 1) return 'an export needs one fromBlock and one toBlock';
  if (![...from, ...to].every(height => /^\d{1,18}$/.test(height)))
    return 'fromBlock and toBlock must be block heights';
  return BigInt(from.join()) > BigInt(to.join()) ? 'fromBlock must not be after toBlock' : undefined;
}
