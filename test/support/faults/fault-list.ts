import type { NodeReply } from '../../../src/node/gateway/reply.ts';
import { EXPORT_FAULTS } from './export-faults.ts';
import type { Fault } from './fault.ts';

const proxyPage: NodeReply = {
  status: 502,
  headers: [['Content-Type', 'text/html']],
  body: [
    '<html>',
    '<head><title>502 Bad Gateway</title></head>',
    '<body><center><h1>502 Bad Gateway</h1></center></body>',
    '</html>',
    '',
  ].join('\r\n'),
};

/** Faults of any answer, by name. */
const ANSWER_FAULTS = {
  slow: {
    on: 'answer',
    about: 'delays every answer by so many milliseconds',
    value: { form: 'MS', unit: 1 },
    strike: { kind: 'wait' },
  },
  html: { on: 'answer', about: '502 with the error page of a proxy', strike: { kind: 'reply', reply: proxyPage } },
  'too-many': { on: 'unary', about: '429 for everything but exports', strike: { kind: 'limited' } },
  'message-limit': {
    on: 'body',
    about: '429 for answers with more bytes than this (normally 20971520)',
    value: { form: 'BYTES', unit: 1 },
    strike: { kind: 'message-limit' },
  },
  growing: {
    on: 'history',
    about: 'adds a segment every so many seconds and removes the oldest',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'growth' },
  },
  behind: {
    on: 'head',
    about: 'stays so many seconds behind its core',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'lag' },
  },
  deadly: {
    on: 'backwards',
    about: 'a backwards export range ends the node (normally a 400)',
    strike: { kind: 'death' },
  },
  down: { on: 'answer', about: 'resets every connection', strike: { kind: 'reset' } },
} as const satisfies Readonly<Record<string, Fault>>;

const FAULTS: ReadonlyMap<string, Fault> = new Map(Object.entries({ ...EXPORT_FAULTS, ...ANSWER_FAULTS }));

const FAULT_NAMES: readonly string[] = [...FAULTS].map(([name, fault]) => valueForm(name, fault));

/** The names, with the value that some of them need after a colon and a line of explanation each. */
export const FAULTS_EXPLAINED: readonly string[] = [...FAULTS].map(
  ([name, fault]) => `${valueForm(name, fault).padEnd(25)} ${fault.about}`,
);

/** A requested fault. */
export interface WantedFault {
  readonly fault: Fault;
  /** Milliseconds or bytes; 0 for a fault without a value. */
  readonly value: number;
  /** How often it happens; Infinity without a count. */
  readonly count: number;
}

/** Not the name of a fault; the message lists all names. */
export class FaultListError extends Error {
  override readonly name = 'FaultListError';
}

/** Reads `NAME` or `NAME:COUNT`, and `NAME:VALUE` or `NAME:VALUE:COUNT` for faults with a value. Throws FaultListError. */
export function readFault(text: string): WantedFault {
  const [name = '', ...values] = text.trim().split(':');
  const fault = FAULTS.get(name);
  if (!fault) throw new FaultListError(`there is no fault "${name}": there are ${FAULT_NAMES.join(', ')}`);
  const value = fault.value === undefined ? '0' : values.shift();
  const [count, ...more] = values;
  const isSound = /^\d{1,9}(\.\d{1,3})?$/.test(value ?? '') && /^[1-9]\d{0,8}$/.test(count ?? '1') && more.length === 0;
  if (!isSound) throw new FaultListError(`the fault "${text}" is not of the form ${formOf(name, fault)}`);
  return {
    fault,
    value: Number(value) * (fault.value?.unit ?? 0),
    count: count === undefined ? Number.POSITIVE_INFINITY : Number(count),
  };
}

function formOf(name: string, fault: Fault): string {
  const form = valueForm(name, fault);
  return `${form} or ${form}:COUNT`;
}

function valueForm(name: string, { value }: Fault): string {
  return value === undefined ? name : `${name}:${value.form}`;
}
