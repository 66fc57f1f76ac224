import * as v from 'valibot';
import description from '../fixtures/node-answers.json' with { type: 'json' };

// The interface of the embedded node as an OpenAPI document, made of what the official description says of its answers.

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Schema = { readonly [name: string]: Json };

const members = v.record(v.string(), v.string());
const types = v.parse(v.record(v.string(), members), description.types);
const scalars = new Map<string, string>(Object.entries(description.scalars));

/** Parameters of the query beside those of paging, by path. */
const PARAMETERS: { readonly [path: string]: readonly (readonly [name: string, schema: Schema])[] } = {
  '/api/v2/liquidity/provisions': provisionParameters(),
  '/api/v2/liquidity/all-provisions': provisionParameters(),
  '/api/v2/liquidity/providers': [ID('marketId'), ID('partyId')],
  '/api/v2/liquidity/paidfees': [ID('marketId'), ID('assetId'), UINT('epochSeq'), IDS('partyIds')],
  '/api/v2/erc20/multisigcontrol/signer/removed/bundles': [
    ID('nodeId'),
    ['submitter', { type: 'string', pattern: '^0x[0-9a-f]{40}$' }],
    UINT('epochSeq'),
  ],
  '/api/v2/oracle/data': [ID('oracleSpecId')],
  '/api/v2/markets': [['includeSettled', { type: 'boolean' }]],
  '/api/v2/assets': [ID('assetId')],
  '/api/v2/accounts': [
    ID('filter.assetId'),
    IDS('filter.partyIds'),
    IDS('filter.marketIds'),
    ['filter.accountTypes', { type: 'array', items: { enum: ['ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_BOND'] } }],
  ],
  '/api/v2/nodes': [UINT('epochSeq')],
  '/api/v2/epoch': [UINT('id'), UINT('block')],
};

function provisionParameters(): readonly (readonly [string, Schema])[] {
  return [ID('marketId'), ID('partyId'), ['reference', { type: 'string' }], ['live', { type: 'boolean' }]];
}

function ID(name: string): readonly [string, Schema] {
  return [name, { type: 'string', pattern: '^([0-9a-f]{64})$' }];
}

function IDS(name: string): readonly [string, Schema] {
  return [name, { type: 'array', items: { type: 'string', pattern: '^[0-9a-f]{64}$' } }];
}

function UINT(name: string): readonly [string, Schema] {
  return [name, { type: 'integer', minimum: 0, maximum: 100_000 }];
}

const PAGING: readonly (readonly [string, Schema])[] = [
  ['pagination.first', { type: 'integer', format: 'int32', minimum: 1, maximum: 5000 }],
  ['pagination.after', { type: 'string' }],
  ['pagination.last', { type: 'integer', format: 'int32', minimum: 1, maximum: 5000 }],
  ['pagination.before', { type: 'string' }],
  ['pagination.newestFirst', { type: 'boolean' }],
];

/** Exports of ranges that a node takes: others end one (node-behaviour.md), so they are not tried. */
const EXPORT: readonly (readonly [string, Schema])[] = [
  ['fromBlock', { enum: [1, 1001, 2001] }],
  ['toBlock', { enum: [3000, 4000] }],
  ['table', { enum: ['TABLE_DEPOSITS', 'TABLE_WITHDRAWALS', 'TABLE_REWARDS', 'TABLE_BLOCKS'] }],
];

export const EXPORT_PATH = '/api/v2/networkhistory/export';

/** Ids that the node knows, by the path that they follow. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

/** Without `lacking`, the description is as it should be. */
export const openApi = (known: KnownIds, lacking?: { readonly type: string; readonly member: string }): Schema => ({
  openapi: '3.1.0',
  info: { title: 'embedded data node', version: '2' },
  paths: {
    ...paths(description.lists, ([path, [wrapper = '', type = '']]) =>
      get([...PAGING, ...(PARAMETERS[path] ?? [])], object({ [wrapper]: page(type) })),
    ),
    ...paths(description.answers, ([path, answer]) => get(PARAMETERS[path] ?? [], objectOf(v.parse(members, answer)))),
    '/statistics': get([], { type: 'object' }),
    ...Object.fromEntries(
      Object.entries(description.singles).map(([path, [wrapper = '', type = '']]) => [
        `${path}{id}`,
        single(known.get(path) ?? [], object({ [wrapper]: ref(type) })),
      ]),
    ),
    [EXPORT_PATH]: exported(),
  },
  components: {
    schemas: {
      Refusal: REFUSAL,
      Fault: object({ code: { type: 'integer' }, message: { type: 'string' }, details: { ...DETAILS, minItems: 1 } }),
      ...Object.fromEntries(
        Object.entries(types).map(([name, type]) => [
          name,
          objectOf(name === lacking?.type ? without(type, lacking.member) : type),
        ]),
      ),
    },
  },
});

function paths<T>(all: { readonly [path: string]: T }, made: (entry: readonly [string, T]) => Schema): Schema {
  return Object.fromEntries(Object.entries(all).map(entry => [entry[0], made(entry)]));
}

const without = (type: { readonly [name: string]: string }, member: string) =>
  Object.fromEntries(Object.entries(type).filter(([name]) => name !== member));

const DETAILS: Schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['@type', 'code', 'message', 'inner'],
    properties: { '@type': { const: 'type.googleapis.com/vega.ErrorDetail' } },
  },
};

const REFUSAL = object({ code: { type: 'integer' }, message: { type: 'string', minLength: 1 }, details: DETAILS });

const refused = (schema: string): Schema => ({
  description: 'refused',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

/** A handler says what failed in a detail; a fault of the node itself has none. */
const REFUSALS: Schema = {
  '400': refused('Refusal'),
  '404': refused('Refusal'),
  '500': refused('Fault'),
  '501': refused('Refusal'),
};

function get(parameters: readonly (readonly [string, Schema])[], schema: Schema): Schema {
  return {
    get: {
      parameters: parameters.map(([name, of]) => ({ name, in: 'query', schema: of })),
      responses: { '200': { description: 'an answer', content: { 'application/json': { schema } } }, ...REFUSALS },
    },
  };
}

function single(ids: readonly string[], schema: Schema): Schema {
  const id = { anyOf: [{ enum: ids }, { type: 'string', pattern: '^[0-9a-f]{64}$' }] };
  return {
    get: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
      responses: { '200': { description: 'a record', content: { 'application/json': { schema } } }, ...REFUSALS },
    },
  };
}

const exported = (): Schema => ({
  get: {
    parameters: EXPORT.map(([name, schema]) => ({ name, in: 'query', required: true, schema })),
    responses: { '200': { description: 'an archive', content: { 'application/zip': {} } } },
  },
});

const page = (type: string): Schema =>
  object({
    edges: { type: 'array', items: object({ node: ref(type), cursor: { type: 'string', minLength: 1 } }) },
    pageInfo: object({
      hasNextPage: { type: 'boolean' },
      hasPreviousPage: { type: 'boolean' },
      startCursor: { type: 'string' },
      endCursor: { type: 'string' },
    }),
  });

/** With these members and no others. */
function object(properties: Schema): Schema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

/** As the description writes members: `name?` may be missing. */
function objectOf(of: { readonly [name: string]: string }): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(of).filter(name => !name.endsWith('?')),
    properties: Object.fromEntries(Object.entries(of).map(([name, type]) => [name.replace('?', ''), ref(type)])),
  };
}

/** As the description writes types. */
function ref(type: string): Schema {
  if (type.endsWith('|null')) return { anyOf: [{ type: 'null' }, ref(type.slice(0, -'|null'.length))] };
  if (type.startsWith('[')) return { type: 'array', items: ref(type.slice(1, -1)) };
  if (type === '*') return {};
  if (type === '#') return { type: 'number' };
  if (type === '!') return { type: 'boolean' };
  if (types[type] !== undefined) return { $ref: `#/components/schemas/${type}` };
  const form = type.startsWith('=') ? `^${type.slice(1)}[A-Z0-9_]+$` : scalars.get(type);
  if (form === undefined) throw new Error(`${type} is described nowhere`);
  // Any text is any text: the pattern would only cost time.
  return type === 'text' ? { type: 'string' } : { type: 'string', pattern: form };
}
