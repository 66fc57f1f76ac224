import { createServer, type ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json, type JsonObject, printJson } from '../../../src/chain/api/json.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { FULL_RECORDS } from '../../chain/resources/full-records.ts';
import { listening } from '../../support/loopback.ts';
import { zipArchive } from '../../support/zip-writer.ts';

/** How it answers: pages, refusals, or what is no JSON. */
export type Manner = 'answers' | 'refuses' | 'garbles';

const GENEROUS = { 'ratelimit-limit': '1000000', 'ratelimit-remaining': '1000000' };

/**
 * A node that puts one text wherever a node may put a text. A page holds a record with the text in every place, and
 * records that are sound but for one place.
 */
export async function startMutatedNode(text: string) {
  const node: { manner: Manner } = { manner: 'answers' };
  const server = createServer((request, response) => {
    const path = new URL(`http://node${request.url}`).pathname.slice(1);
    if (node.manner === 'answers') answer(response, path, text);
    else if (node.manner === 'refuses') send(response, text, 400, refusal(text));
    else send(response, text, 200, `<html><title>${text}</title></html>`);
  });
  return {
    ...(await listening(server)),
    behave: (manner: Manner): void => {
      node.manner = manner;
    },
  };
}

/** Records on a page with the text in one place. Markets have over a thousand places: other texts take the others. */
const MAX_PLACES = 40;

/** The records of a page: with the text everywhere, and in one place each. */
export function mutatedRecords(resource: string, text: string): readonly JsonObject[] {
  const records = FULL_RECORDS.filter(([id]) => id === resource).map(([, record]) => record);
  const places = records.flatMap(record => Array.from({ length: placesIn(record) }, (_, place) => ({ record, place })));
  const stride = Math.ceil(places.length / MAX_PLACES);
  const start = Buffer.from(text).reduce((sum, byte) => sum + byte, 0) % Math.max(1, stride);
  return [
    ...records.map(record => ({ ...objectOf(withText(record, () => text)), [text]: text })),
    ...places
      .filter((_, index) => index % stride === start)
      .map(({ record, place }) => objectOf(withText(record, (old, at) => (at === place ? text : old)))),
  ];
}

/** The value with its texts and numbers replaced, each by what is made of it and of its place. */
function withText(value: Json, replaced: (old: Json, place: number) => Json): Json {
  let place = 0;
  const visit = (inner: Json): Json => {
    if (isJsonArray(inner)) return inner.map(visit);
    if (isJsonObject(inner))
      return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, visit(each)]));
    return replaced(inner, place++);
  };
  return visit(value);
}

function placesIn(value: Json): number {
  let places = 0;
  withText(value, old => {
    places++;
    return old;
  });
  return places;
}

function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Error('a record is an object');
  return value;
}

function answer(response: ServerResponse, path: string, text: string): void {
  const list = recordsAt(path, text);
  if (list !== undefined) {
    const last = list.records.length - 1;
    const edges = list.records.map((node, index) => ({
      cursor: index === last ? `${text}e` : `${text}${index}`,
      node,
    }));
    const startCursor = edges[0]?.cursor ?? '';
    const pageInfo = { startCursor, endCursor: last < 0 ? '' : `${text}e`, hasNextPage: last >= 0 };
    send(response, text, 200, printJson({ [list.wrapperKey]: { edges, pageInfo } }));
  } else if (path.startsWith('api/v2/network/parameters/'))
    send(response, text, 200, printJson({ networkParameter: { key: text, value: text } }));
  else if (path.endsWith('/segments')) send(response, text, 200, JSON.stringify(segments(text)));
  else if (path === 'statistics') send(response, text, 200, JSON.stringify({ statistics: { chainId: text } }));
  else if (path.endsWith('/export')) {
    response.writeHead(200, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${headerText(text)}"`,
    });
    response.end(archive(text));
  } else send(response, text, 404, refusal(text));
}

/** The lists, and what explains their records. */
function recordsAt(path: string, text: string) {
  if (path === 'api/v2/assets')
    return { wrapperKey: 'assets', records: [{ id: text, details: { name: text, symbol: text, decimals: '6' } }] };
  if (path === 'api/v2/oracle/data') {
    const data = { data: [{ name: text, value: text }], signers: [text], metaData: [{ name: text, value: text }] };
    return { wrapperKey: 'oracleData', records: [{ externalData: { data: { ...data, broadcastAt: text } } }] };
  }
  const resource = RESOURCES.find(candidate => candidate.path === path);
  if (resource !== undefined) return { ...resource, records: mutatedRecords(resource.id, text) };
  const better = RESOURCES.find(candidate => candidate.better?.path === path);
  if (better === undefined) return undefined;
  return { ...better, records: mutatedRecords(better.id, text).map(current => ({ current, pending: current })) };
}

// Names that say nothing, and a name that says what was asked for: its header and its rows hold the text then.
const archive = (text: string): Buffer =>
  zipArchive([
    { name: `${text}-blocks-093-000001-001000.csv`, text: `vega_time,${text},hash\n${text},1,${text}\n` },
    { name: `${text}.csv`, text: `${text}\n${text}\n` },
  ]);

// A schema version that is no number makes the whole list junk, and then no export is asked for.
const segments = (text: string) => ({
  segments: ['93', '94'].map((databaseVersion, index) => ({
    fromHeight: `${index * 1000 + 1}`,
    toHeight: `${index * 1000 + 1000}`,
    historySegmentId: text,
    previousHistorySegmentId: text,
    databaseVersion,
    chainId: text,
  })),
});

const refusal = (text: string): string =>
  JSON.stringify({
    code: 3,
    message: text,
    details: [
      { '@type': text, code: text, message: text, inner: text, [text]: text },
      { message: text, deep: { [text]: [text] } },
    ],
  });

// What HTTP lets pass in a value: the controls between 0x80 and 0x9f too, which some terminals obey.
const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '').slice(0, 2000);

function send(response: ServerResponse, text: string, status: number, body: string): void {
  const value = headerText(text);
  response.writeHead(status, {
    ...GENEROUS,
    'content-type': `application/json;${value}`,
    'x-block-height': value,
    'x-block-timestamp': value,
    'retry-after': value,
  });
  response.end(body);
}
