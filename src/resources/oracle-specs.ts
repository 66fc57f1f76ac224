import { statusKind } from '../insight/kind.ts';
import { oracleCsv } from './oracle-csv.ts';
import { oracleSpecSchema } from './oracle-spec.ts';
import { defineResource } from './resource.ts';

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
  // node-lists.md section 5: any other way than newest first and forward shows the oldest version of each spec.
  paging: {
    byCursor: true,
    backward: 'paged backwards, deployed nodes show the oldest version of each spec, so ended ones look active',
    oldestFirst: 'in that order deployed nodes show the oldest version of each spec, so ended ones look active',
  },
  key: row => row.id,
});
