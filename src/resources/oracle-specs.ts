import * as v from 'valibot';
import { statusKind } from '../insight/kind.ts';
import type { DataSource } from '../insight/oracle/data-source.ts';
import { sourceSentence } from '../insight/oracle/sentence.ts';
import { object, text } from './field.ts';
import { sources } from './oracle-source.ts';
import { defineResource, type Row } from './resource.ts';

const spec = object({ id: text, createdAt: text, updatedAt: text, status: text, data: sources });
const schema = v.object({ externalDataSourceSpec: object({ spec }) });
type Spec = v.InferOutput<typeof spec>;
type Fields = v.InferOutput<typeof schema>;

const specOf = (row: Fields): Spec => row.externalDataSourceSpec.spec;
const SPEC = 'externalDataSourceSpec.spec';
const ETH = `${SPEC}.data.external.ethOracle`;
const SIGNED = `${SPEC}.data.external.oracle`;
const INTERNAL = `${SPEC}.data.internal`;

const statuses = statusKind('STATUS_', { ACTIVE: 'good', DEACTIVATED: 'quiet', UNSPECIFIED: 'quiet' });
const types = statusKind('TYPE_');
const operators = statusKind('OPERATOR_');

/** A spec as it was sent. */
export interface OracleSpec {
  readonly id: string;
  readonly status: string;
  /** Unix nanoseconds, when it was activated. */
  readonly createdAt: string;
  /** Nodes send one, or none. */
  readonly sources: readonly DataSource[];
}

/** What a record of the list says; whatever it holds. */
export function readOracleSpec(row: Row): OracleSpec {
  const { id, status, createdAt, data } = specOf(v.parse(schema, row));
  return { id, status, createdAt, sources: data.sources };
}

export const oracleSpecs = defineResource({
  id: 'oracles',
  title: 'Oracle specs',
  singular: 'oracle spec',
  path: 'api/v2/oracle/specs',
  wrapperKey: 'oracleSpecs',
  schema,
  filters: [],
  columns: [
    { id: 'id', title: 'ID', kind: 'id', entity: 'spec', isOwn: true, value: row => specOf(row).id },
    { id: 'status', title: 'STATUS', kind: statuses, value: row => specOf(row).status },
    { id: 'source', title: 'SOURCE', kind: 'text', value: row => sourceOf(specOf(row)).variant },
    { id: 'created', title: 'CREATED', kind: 'time', value: row => specOf(row).createdAt },
    { id: 'delivers', title: 'DELIVERS', kind: 'text', value: row => sourceSentence(sourceOf(specOf(row))) },
    { id: 'updated', title: 'UPDATED', kind: 'time', isExtra: true, value: row => specOf(row).updatedAt },
  ],
  sections: [
    {
      title: 'Spec',
      paths: [`${SPEC}.id`, `${SPEC}.status`, `${SPEC}.createdAt`, `${SPEC}.updatedAt`],
      notes: row => [sourceSentence(sourceOf(specOf(row)))],
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
    backward: 'paged backwards, deployed nodes show the oldest version of each spec, so ended ones look active',
    oldestFirst: 'in that order deployed nodes show the oldest version of each spec, so ended ones look active',
  },
  key: row => specOf(row).id,
});

/** What is told of a spec in one line is the first source that it defines. */
const sourceOf = ({ data }: Spec): DataSource => data.sources[0] ?? { variant: 'none' };
