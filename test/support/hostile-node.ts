import { createServer, type ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json } from '../../src/chain/api/json.ts';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import { FULL_RECORDS } from '../chain/resources/full-records.ts';
import { type Listening, listening } from './loopback.ts';
import { zipArchive } from './zip-writer.ts';

/** How it answers: with good pages, refusals, bodies that are no JSON; the texts in them are hostile each time. */
export type Manner = 'answers' | 'refuses' | 'garbles';

export interface HostileNode extends Listening {
  manner: Manner;
}

/**
 * A node whose every text is one of `strings`: names of members, values, cursors, messages, headers, names in archives.
 * A page has a row for each string, and its first row holds all of them.
 */
export async function startHostileNode(strings: readonly string[]): Promise<HostileNode> {
  const server = createServer((request, response) => {
    const path = new URL(`http://node${request.url}`).pathname.slice(1);
    if (node.manner === 'answers') answer(response, path, strings);
    else if (node.manner === 'refuses') send(response, 400, JSON.stringify(refusal(strings)));
    else send(response, 200, `<html><title>${strings.join(' ')}</title></html>`, strings);
  });
  const node: HostileNode = {
    ...(await listening(server)),
    manner: 'answers',
  };
  return node;
}

function answer(response: ServerResponse, path: string, strings: readonly string[]): void {
  const resource = RESOURCES.find(candidate => candidate.path === path);
  if (resource !== undefined) send(response, 200, JSON.stringify(page(resource.id, resource.wrapperKey, strings)));
  else if (path.endsWith('/segments')) send(response, 200, JSON.stringify(segments(strings)));
  else if (path.endsWith('/export')) {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': header(strings) });
    response.end(
      zipArchive(strings.slice(0, 40).map(text => ({ name: `${text}.csv`, text: `${text},a\n${text},b\n` }))),
    );
  } else send(response, 404, JSON.stringify(refusal(strings)));
}

function page(id: string, wrapperKey: string, strings: readonly string[]) {
  const records = FULL_RECORDS.filter(([resource]) => resource === id).map(([, record]) => record);
  const all = { all: strings, named: Object.fromEntries(strings.map(text => [text, text])) };
  const long = strings.slice(0, 50).join('');
  const cursorOf = (index: number) => (index === 0 || index === strings.length - 1 ? long : strings[index]);
  const edges = strings.map((text, index) => {
    const record = withText(records[index % records.length] ?? {}, text);
    const more = index === 0 ? all : { [text]: text };
    return { cursor: cursorOf(index), node: isJsonObject(record) ? { ...record, ...more } : record };
  });
  const pageInfo = { startCursor: long, endCursor: long, hasNextPage: true, hasPreviousPage: false };
  return { [wrapperKey]: { edges, pageInfo } };
}

/** The record with this text in place of every text and every number. */
function withText(value: Json, text: string): Json {
  if (isJsonArray(value)) return value.map(item => withText(item, text));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withText(member, text)]));
  return text;
}

const segments = (strings: readonly string[]) => ({
  segments: strings.map((text, index) => ({
    fromHeight: `${index * 1000 + 1}`,
    toHeight: `${index * 1000 + 1000}`,
    historySegmentId: text,
    previousHistorySegmentId: text,
    databaseVersion: text,
    chainId: text,
  })),
});

const refusal = (strings: readonly string[]) => ({
  code: 3,
  message: strings.join(' '),
  details: strings.map(text => ({ '@type': text, code: text, message: text, inner: text, [text]: text })),
});

// What HTTP allows in a value: the control characters between 0x80 and 0x9f, which some terminals obey.
const header = (strings: readonly string[]): string =>
  strings
    .join(' ')
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4000);

function send(response: ServerResponse, status: number, body: string, strings: readonly string[] = []): void {
  response.writeHead(status, { 'content-type': `application/json;${header(strings)}`, 'retry-after': header(strings) });
  response.end(body);
}
