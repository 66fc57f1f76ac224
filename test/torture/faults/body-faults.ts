import { hostileStrings } from '../hostile-strings.ts';
import { answerBytes, type NetworkFault, type PrintedStatus, type SoundAnswer, soundHeaders } from './answer.ts';

/** Another body with the headers of the sound one. */
const withBody = (name: string, body: (sound: SoundAnswer) => string | Buffer): NetworkFault => ({
  name,
  isJson: true,
  steps: sound => [answerBytes(Buffer.from(body(sound)), soundHeaders(sound)), 'end'],
});

const always = (name: string, body: string | Buffer): NetworkFault => withBody(name, () => body);

/** The sound body with what it holds changed; a body that is no list stays as it is. */
const withPage = (name: string, change: (page: Page) => unknown): NetworkFault =>
  withBody(name, ({ body }) => {
    const answer: unknown = JSON.parse(String(body));
    if (typeof answer !== 'object' || answer === null) return body;
    const [wrapper = '', page] = Object.entries(answer)[0] ?? [];
    return JSON.stringify({ [wrapper]: isPage(page) ? change(page) : changedList(page, name) });
  });

interface Page {
  readonly edges: readonly Edge[];
  readonly pageInfo: { readonly [name: string]: unknown };
}

interface Edge {
  readonly node: unknown;
  readonly cursor: unknown;
}

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'edges' in value && Array.isArray(value.edges) && 'pageInfo' in value;

// A list without pages, as that of the segments: one item of it is what no item may be.
const changedList = (list: unknown, name: string): unknown =>
  Array.isArray(list) ? list.with(list.length >> 1, name) : list;

const edgesOf = (name: string, change: (edges: readonly Edge[]) => unknown): NetworkFault =>
  withPage(name, page => ({ ...page, edges: change(page.edges) }));
const infoOf = (name: string, info: { readonly [name: string]: unknown }): NetworkFault =>
  withPage(name, page => ({ ...page, pageInfo: { ...page.pageInfo, ...info } }));
const secondNode = (name: string, node: unknown): NetworkFault =>
  edgesOf(name, edges => edges.map((edge, index) => (index === 1 ? { ...edge, node } : edge)));

/** The segments of a node, changed to what a node may have as well. */
const historyOf = (
  name: string,
  change: (segments: readonly { readonly [member: string]: unknown }[]) => unknown,
): NetworkFault => ({
  ...withBody(name, ({ body }) => {
    const answer: unknown = JSON.parse(String(body));
    const isHistory = typeof answer === 'object' && answer !== null && 'segments' in answer;
    return isHistory && Array.isArray(answer.segments) ? JSON.stringify({ segments: change(answer.segments) }) : body;
  }),
  isHistory: true,
});

/** The first record has members that nobody knows, so many and so large. */
const membersOf = (name: string, count: number, value: unknown): NetworkFault => ({
  ...edgesOf(name, edges =>
    edges.map(({ node, cursor }, index) => ({
      cursor,
      node:
        index === 0 && typeof node === 'object'
          ? { ...node, ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, value])) }
          : node,
    })),
  ),
  isRecord: true,
});

/** What the core behind the node says, changed; undefined takes a member away. */
const statisticsOf = (
  name: string,
  changes: { readonly [member: string]: unknown },
  isNoticed: (printed: PrintedStatus) => boolean,
): NetworkFault => ({
  ...withBody(`statistics: ${name}`, ({ body }) => {
    const answer: unknown = JSON.parse(String(body));
    const isSound = typeof answer === 'object' && answer !== null && 'statistics' in answer;
    return isSound && typeof answer.statistics === 'object'
      ? JSON.stringify({ statistics: { ...answer.statistics, ...changes } })
      : body;
  }),
  paths: /\/statistics/,
  isNoticed,
});

const [UNTRUSTED, BEHIND] = [5, 6];

/** Without the name of a chain there is only that of its history. */
const isNamed = (chainId: unknown): boolean => typeof chainId === 'string' && chainId !== '';

/** A time that is told is that of the core, and none other. */
function isTimeNoticed(time: unknown, { exitCode, core }: PrintedStatus): boolean {
  const timeMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (timeMs > Date.now()) return exitCode === BEHIND;
  return core?.blockTime === null || Date.parse(core?.blockTime ?? '') === timeMs;
}

/** The names of a chain: markets, assets and validators. */
const namesOf = (name: string, change: (edges: readonly Edge[]) => unknown): NetworkFault => ({
  ...edgesOf(`names: ${name}`, change),
  paths: /\/api\/v2\/(?:markets|assets|nodes)\b/,
  isDirectory: true,
});

/** Every text in a record but its id. */
const textsIn = (value: unknown, text: string): unknown =>
  JSON.parse(JSON.stringify(value), (member, was: unknown) =>
    typeof was === 'string' && /^(?:symbol|name|code|state|status)$/.test(member) ? text : was,
  );

// Enough of them: every other section of texts has more.
const HOSTILE = hostileStrings(1, 12);
const shown = (value: unknown): string => `${JSON.stringify(value)}`.slice(0, 40);

const DEEP = 100_000;
const MANY = 200_000;
const HEIGHTS = ['0', '-5', '99999999999999999999', '9'.repeat(400), 'x', '', 7, 1e300, null, undefined, {}];
const TIMES = [
  '2126-01-01T00:00:00Z',
  '+275761-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  'yesterday',
  7,
  null,
  undefined,
];
const STATUS_WORDS = [
  'CHAIN_STATUS_DISCONNECTED',
  'CHAIN_STATUS_REPLAYING',
  'CHAIN_STATUS_',
  'GONE',
  7,
  null,
  undefined,
];
const NUMBERS = ['1e400', 'NaN', '-', '01', '1.', '.5', '0x10', 'Infinity'];

/** Bodies that are no answer of this interface, though each comes whole. */
export const bodyFaults: readonly NetworkFault[] = [
  ...['', ' \r\n', 'null', 'true', '[]', '{}', '"text"', '0', '{', '}', ',', '\0', '<html>busy</html>'].map(text =>
    always(`the body ${JSON.stringify(text)}`, text),
  ),
  ...NUMBERS.map(text => always(`a record with the number ${text}`, `{"networkParameters":{"edges":[${text}]}}`)),
  always('an error with status 200', '{"code":13,"message":"Internal error","details":[]}'),
  always('an error of a stream', '{"error":{"code":13,"message":"Internal error","details":[]}}'),
  always('bare JSON nested deep', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  always('unfinished JSON nested deep', '{"a":'.repeat(DEEP)),
  always('a string of 40 MiB', `"${'x'.repeat(40 * 2 ** 20)}"`),
  always('lines of JSON', '{"result":{}}\n{"result":{}}\n'),
  always('prototypes', '{"__proto__":{"edges":[]},"constructor":{"edges":[]}}'),
  withBody('a mark of byte order', ({ body }) => Buffer.concat([Buffer.from('\ufeff'), body])),
  withBody('UTF-16', ({ body }) => Buffer.from(String(body), 'utf16le')),
  withBody('bytes that are no UTF-8', ({ body }) =>
    Buffer.concat([body.subarray(0, -2), Buffer.from([0xff, 0xfe]), body.subarray(-2)]),
  ),
  withBody('half of it', ({ body }) => body.subarray(0, body.length >> 1)),
  withBody('all but the last byte', ({ body }) => body.subarray(0, -1)),
  withBody('a brace too many', ({ body }) => `${body}}`),
  withBody('twice', ({ body }) => `${body}${body}`),
  withBody('a zero byte behind it', ({ body }) => `${body}\0`),
  withBody('wrapped in a list', ({ body }) => `[${body}]`),
  withBody('wrapped in a result', ({ body }) => `{"result":${body}}`),
  ...[null, [], {}, 'text', 7, false].map(value => withPage(`the list is ${JSON.stringify(value)}`, () => value)),
  ...[null, {}, 'text', 7, [null], [[]], [7], ['text']].map(value =>
    edgesOf(`edges are ${JSON.stringify(value)}`, () => value),
  ),
  withPage('no edges', ({ pageInfo }) => ({ pageInfo })),
  withPage('no page info', ({ edges }) => ({ edges })),
  ...[null, [], 'text', 7].map(value =>
    withPage(`page info ${JSON.stringify(value)}`, page => ({ ...page, pageInfo: value })),
  ),
  ...[null, [], 'text', 7, true].map(value => secondNode(`a node that is ${JSON.stringify(value)}`, value)),
  edgesOf('an edge without a node', edges =>
    edges.map((edge, index) => (index === 1 ? { cursor: edge.cursor } : edge)),
  ),
  edgesOf('an edge that is null', edges => edges.map((edge, index) => (index === 1 ? null : edge))),
  infoOf('more behind a cursor that is null', { hasNextPage: true, endCursor: null }),
  infoOf('more behind a cursor that is empty', { hasNextPage: true, endCursor: '' }),
  infoOf('more behind a cursor that is a number', { hasNextPage: true, endCursor: 7 }),
  infoOf('more behind the same cursor for ever', { hasNextPage: true, endCursor: 'again' }),
  infoOf('an end that is another row', { endCursor: 'far.behind' }),
  infoOf('a start that is another row', { startCursor: 'far.before' }),
  infoOf('no ends', { startCursor: '', endCursor: '' }),
  withPage('an end inside of the page', page => ({
    ...page,
    pageInfo: { ...page.pageInfo, hasNextPage: true, endCursor: page.edges[1]?.cursor },
  })),
  edgesOf('edges without cursors', edges => edges.map(({ node }) => ({ node }))),
  edgesOf('every row twice', edges => edges.flatMap(edge => [edge, edge])),
  edgesOf('the rows the other way round', edges => edges.toReversed()),
  historyOf('segments that overlap', segments => [...segments, ...segments.slice(0, 2)]),
  historyOf('segments of two chains', segments =>
    segments.map((segment, index) => (index === 0 ? { ...segment, chainId: 'another-chain' } : segment)),
  ),
  historyOf('no segments', () => []),
  historyOf('segments that cannot be read', segments => segments.map(() => ({ fromHeight: 'x' }))),
  membersOf('a record of 200,000 members', 200_000, 'x'),
  membersOf('a record of 200,000 numbers', 200_000, 7),
  membersOf('a value of 2 MB', 1, 'v'.repeat(2e6)),
  membersOf('an answer of 15 MiB', 15, 'v'.repeat(2 ** 20)),
  {
    name: 'an answer of 15 MiB that comes slowly',
    isJson: true,
    steps: sound => {
      const all = answerBytes(Buffer.from(`${' '.repeat(15 * 2 ** 20)}${sound.body}`), soundHeaders(sound));
      return [0, 1, 2, 3].flatMap(part => [
        all.subarray((part * all.length) >> 2, ((part + 1) * all.length) >> 2),
        { silentMs: 100 },
      ]);
    },
  },
  withBody('a page of HTML that says it is the answer', () => '<!doctype html><html><title>Wallet</title></html>'),
  infoOf('"true" for more', { hasNextPage: 'true' }),
  infoOf('null for more', { hasNextPage: null }),
  {
    ...withPage('an empty page with more behind it', page => ({
      edges: [],
      pageInfo: { ...page.pageInfo, hasNextPage: true },
    })),
    isPage: true,
  },
  ...['another-chain', '', 7, null, undefined, ...HOSTILE].map(chainId =>
    statisticsOf(
      `chain ${shown(chainId)}`,
      { chainId },
      ({ exitCode }) => exitCode === (isNamed(chainId) ? UNTRUSTED : 0),
    ),
  ),
  ...HEIGHTS.map(height =>
    statisticsOf(
      `height ${shown(height)}`,
      { blockHeight: height, epochSeq: height },
      ({ core }) => core?.blockHeight === null || core?.blockHeight === String(height),
    ),
  ),
  ...TIMES.map(time =>
    statisticsOf(
      `time ${shown(time)}`,
      { vegaTime: time, currentTime: time, epochExpiryTime: time, epochStartTime: time },
      printed => isTimeNoticed(time, printed),
    ),
  ),
  ...[...STATUS_WORDS, ...HOSTILE].map(status =>
    statisticsOf(`status ${shown(status)}`, { status, appVersion: status }, ({ core }) => core?.state !== 'connected'),
  ),
  namesOf('200,000 of each', edges =>
    Array.from({ length: MANY }, (_, at) => ({
      node: { id: at.toString(16).padStart(64, '0') },
      cursor: edges[0]?.cursor,
    })),
  ),
  namesOf('each twice', edges => [...edges, ...edges]),
  namesOf('each twice, with other words', edges => [
    ...edges,
    ...edges.map(({ node, cursor }) => ({ cursor, node: textsIn(node, 'another') })),
  ]),
  namesOf('of 1 MB', edges => edges.map(({ node, cursor }) => ({ cursor, node: textsIn(node, 'n'.repeat(1e6)) }))),
  ...HOSTILE.map(text =>
    namesOf(shown(text), edges => edges.map(({ node, cursor }) => ({ cursor, node: textsIn(node, text) }))),
  ),
];
