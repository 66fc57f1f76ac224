import { ANSWER_FAULTS } from './answer-faults.ts';
import { EXPORT_FAULTS } from './export-faults.ts';
import type { Fault } from './fault.ts';

const FAULTS: ReadonlyMap<string, Fault> = new Map(Object.entries({ ...EXPORT_FAULTS, ...ANSWER_FAULTS }));

/** The names that `faults` accepts, with the value that some of them need after a colon. */
export const FAULT_NAMES: readonly string[] = [...FAULTS].map(([name, fault]) => valueForm(name, fault));

/** The same names with a line of explanation each. */
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
