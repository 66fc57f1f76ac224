import * as v from 'valibot';
import { type Json, jsonText, member } from '../api/json.ts';
import { type DataSource, sourceSentence } from '../insight/data-source.ts';
import { statusKind } from '../insight/kind.ts';
import { json, listOf, object, text, variant } from './field.ts';
import { defineResource } from './resource.ts';

const condition = object({ operator: text, value: text });
const filter = object({
  key: object({ name: text, numberDecimalPlaces: text, type: text }),
  conditions: listOf(condition),
});

const spec = object({
  id: text,
  createdAt: text,
  updatedAt: text,
  status: text,
  data: object({
    external: variant(
      object({
        ethOracle: variant(
          object({
            abi: text,
            address: text,
            args: listOf(json),
            method: text,
            requiredConfirmations: text,
            sourceChainId: text,
            filters: listOf(filter),
            normalisers: listOf(object({ name: text, expression: text })),
            trigger: object({ timeTrigger: object({ every: text, initial: text, until: text }) }),
          }),
        ),
        oracle: variant(object({ filters: listOf(filter), signers: listOf(json) })),
      }),
    ),
    internal: variant(
      object({
        time: variant(object({ conditions: listOf(condition) })),
        timeTrigger: variant(
          object({ conditions: listOf(condition), triggers: listOf(object({ every: text, initial: text })) }),
        ),
      }),
    ),
  }),
});

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

export const oracleSpecs = defineResource({
  id: 'oracles',
  title: 'Oracle specs',
  singular: 'oracle spec',
  path: 'api/v2/oracle/specs',
  wrapperKey: 'oracleSpecs',
  schema,
  filters: [],
  columns: [
    { id: 'id', title: 'ID', kind: 'id', value: row => specOf(row).id },
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

function sourceOf({ data: { external, internal } }: Spec): DataSource {
  if (external?.ethOracle) {
    const { method, address, trigger, filters } = external.ethOracle;
    return { variant: 'eth-oracle', method, address, every: trigger.timeTrigger.every, filters: named(filters) };
  }
  if (external?.oracle) {
    const { signers, filters } = external.oracle;
    return { variant: 'oracle', signers: signers.map(signerKey), filters: named(filters) };
  }
  if (internal?.timeTrigger) {
    const { conditions, triggers } = internal.timeTrigger;
    return { variant: 'time-trigger', every: triggers[0]?.every ?? '', conditions };
  }
  return internal?.time ? { variant: 'time', conditions: internal.time.conditions } : { variant: 'none' };
}

const named = (filters: readonly v.InferOutput<typeof filter>[]) =>
  filters.map(({ key, conditions }) => ({ name: key.name, conditions }));

const signerKey = (signer: Json): string =>
  jsonText(member(member(signer, 'pubKey'), 'key')) || jsonText(member(member(signer, 'ethAddress'), 'address'));
