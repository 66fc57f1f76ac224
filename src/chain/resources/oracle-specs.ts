import * as v from 'valibot';
import { type Json, jsonText, printJson } from '../api/json.ts';
import type { Directory } from '../directory/directory.ts';
import { definitionKey, usesOfSpec } from '../directory/market-specs.ts';
import { statusKind } from '../insight/kind.ts';
import type { DataSource } from '../insight/oracle/data-source.ts';
import { sourceSentence } from '../insight/oracle/source-sentence.ts';
import { object, text } from './field.ts';
import { sources } from './oracle-source.ts';
import { type CsvForm, defineResource, type Row } from './resource.ts';

const spec = object({ id: text, createdAt: text, updatedAt: text, status: text, data: sources });

/** A spec as sent. */
export interface OracleSpec {
  readonly id: string;
  readonly status: string;
  /** Unix nanoseconds, when it was activated. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly data: Json;
  /** What the source delivers, as one line. */
  readonly delivers: string;
  /** The first source it defines; everything shown about a spec refers to this source. */
  readonly source: DataSource;
  /** Further sources; no node is known to send any. */
  readonly otherSources: readonly DataSource[];
}

/** A record of the list; it accepts anything. The long texts are made once, with the record. */
const oracleSpecSchema = v.pipe(
  v.object({ externalDataSourceSpec: object({ spec }) }),
  v.transform(({ externalDataSourceSpec }): OracleSpec => {
    const { data, ...rest } = externalDataSourceSpec.spec;
    const [source = NO_SOURCE, ...otherSources] = data.sources;
    return { ...rest, data: data.sent, source, otherSources, delivers: sourceSentence(source) };
  }),
);

const NO_SOURCE: DataSource = { variant: 'none' };

/** Reads a record of the list, whatever it holds. */
export const readOracleSpec = (row: Row): OracleSpec => v.parse(oracleSpecSchema, row);

/** One record per spec, with its definition as JSON, since each kind of source has other members. */
const oracleCsv: CsvForm = {
  columns: [
    { id: 'id', title: 'ID', kind: 'id', value: row => jsonText(row.id) },
    { id: 'status', title: 'STATUS', kind: 'text', value: row => jsonText(row.status) },
    { id: 'source', title: 'SOURCE', kind: 'text', value: row => jsonText(row.source) },
    { id: 'created', title: 'CREATED', kind: 'time', value: row => jsonText(row.created) },
    { id: 'delivers', title: 'DELIVERS', kind: 'text', value: row => jsonText(row.delivers) },
    { id: 'updated', title: 'UPDATED', kind: 'time', value: row => jsonText(row.updated) },
    { id: 'data', title: 'DATA', kind: 'json', value: row => jsonText(row.data) },
  ],
  rowsOf: row => [flat(row)],
};

// Reads the row once for all columns.
function flat(row: Row): Row {
  const { id, status, createdAt, updatedAt, source, delivers, data } = readOracleSpec(row);
  return {
    ...{ id, status, source: source.variant, created: createdAt, updated: updatedAt },
    delivers,
    data: printJson(data),
  };
}

const SPEC = 'externalDataSourceSpec.spec';
const ETH = `${SPEC}.data.external.ethOracle`;
const SIGNED = `${SPEC}.data.external.oracle`;
const INTERNAL = `${SPEC}.data.internal`;

const statuses = statusKind('STATUS_', { ACTIVE: 'good', DEACTIVATED: 'quiet', UNSPECIFIED: 'quiet' });
const types = statusKind('TYPE_');
const operators = statusKind('OPERATOR_');

export const oracleSpecs = defineResource({
  id: 'oracles',
  title: 'Oracle specs',
  shortTitle: 'Oracles',
  description: 'the data that markets settle with or end by',
  singular: 'oracle spec',
  path: 'api/v2/oracle/specs',
  wrapperKey: 'oracleSpecs',
  schema: oracleSpecSchema,
  filters: [],
  columns: [
    { id: 'id', title: 'ID', kind: 'id', entity: 'spec', isOwn: true, value: row => row.id },
    { id: 'status', title: 'STATUS', kind: statuses, isAnswer: true, value: row => row.status },
    { id: 'source', title: 'SOURCE', kind: 'text', value: row => row.source.variant },
    { id: 'created', title: 'CREATED', kind: 'time', value: row => row.createdAt },
    { id: 'delivers', title: 'DELIVERS', kind: 'text', isAnswer: true, value: row => row.delivers },
    { id: 'updated', title: 'UPDATED', kind: 'time', isExtra: true, value: row => row.updatedAt },
  ],
  csv: oracleCsv,
  sections: [
    {
      title: 'Spec',
      paths: [`${SPEC}.id`, `${SPEC}.status`, `${SPEC}.createdAt`, `${SPEC}.updatedAt`],
      notes: row => [row.delivers],
    },
    {
      title: 'Contract call',
      paths: [
        `${ETH}.address`,
        `${ETH}.method`,
        `${ETH}.args`,
        `${ETH}.sourceChainId`,
        `${ETH}.requiredConfirmations`,
        `${ETH}.abi`,
      ],
    },
    { title: 'Trigger', paths: [`${ETH}.trigger`, `${INTERNAL}.timeTrigger.triggers`] },
    { title: 'Signers', paths: [`${SIGNED}.signers`] },
    { title: 'Normalisers', paths: [`${ETH}.normalisers`] },
    { title: 'Filters', paths: [`${ETH}.filters`, `${SIGNED}.filters`] },
    { title: 'Conditions', paths: [`${INTERNAL}.time.conditions`, `${INTERNAL}.timeTrigger.conditions`] },
  ],
  kinds: {
    [`${SPEC}.id`]: 'id',
    [`${SPEC}.status`]: statuses,
    [`${SPEC}.createdAt`]: 'time',
    [`${SPEC}.updatedAt`]: 'time',
    [`${ETH}.abi`]: 'json',
    [`${ETH}.address`]: 'address',
    [`${ETH}.args.*`]: 'argument',
    [`${ETH}.requiredConfirmations`]: 'integer',
    [`${ETH}.trigger.timeTrigger.every`]: 'seconds',
    [`${ETH}.trigger.timeTrigger.initial`]: 'unix-time',
    [`${ETH}.trigger.timeTrigger.until`]: 'unix-time',
    [`${ETH}.filters.*.key.type`]: types,
    [`${ETH}.filters.*.conditions.*.operator`]: operators,
    [`${SIGNED}.filters.*.key.type`]: types,
    [`${SIGNED}.filters.*.conditions.*.operator`]: operators,
    [`${SIGNED}.signers.*.pubKey.key`]: 'id',
    [`${SIGNED}.signers.*.ethAddress.address`]: 'address',
    [`${INTERNAL}.time.conditions.*.operator`]: operators,
    [`${INTERNAL}.time.conditions.*.value`]: 'unix-time',
    [`${INTERNAL}.timeTrigger.conditions.*.operator`]: operators,
    [`${INTERNAL}.timeTrigger.conditions.*.value`]: 'unix-time',
    [`${INTERNAL}.timeTrigger.triggers.*.every`]: 'seconds',
    [`${INTERNAL}.timeTrigger.triggers.*.initial`]: 'unix-time',
  },
  // node-behaviour.md section 5: any other way than newest first and forward shows the oldest version of each spec.
  paging: {
    byCursor: true,
    backward: 'paged backwards, nodes show the oldest version of a spec',
    oldestFirst: 'nodes show the oldest version of specs then',
  },
  marketsOf: specMarkets,
  key: row => row.id,
});

function specMarkets(row: Row, { markets }: Directory): readonly string[] {
  const { id, data } = readOracleSpec(row);
  const known = { id, definition: definitionKey(data) };
  return [...markets].filter(([, { specs }]) => usesOfSpec(specs, known).length > 0).map(([market]) => market);
}
