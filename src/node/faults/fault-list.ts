import { answerFaults } from './answer-faults.ts';
import { exportFaults } from './export-faults.ts';
import type { Fault } from './fault.ts';

const faults: ReadonlyMap<string, Fault> = new Map(Object.entries({ ...exportFaults, ...answerFaults }));

/** The names that `faults` takes, with what follows the colon where something must. */
export const faultNames: readonly string[] = [...faults].map(([name, { strike }]) =>
  strike.kind === 'wait' ? `${name}:${strike.unitMs === 1 ? 'MS' : 'SECONDS'}` : name,
);

/** A fault that was asked for. */
export interface WantedFault {
  readonly fault: Fault;
  /** Milliseconds of a delay, else 0. */
  readonly waitMs: number;
  /** How often it strikes; Infinity without a count. */
  readonly count: number;
}

/** A fault that is none; the message lists those there are. */
export class FaultListError extends Error {
  override readonly name = 'FaultListError';
}

/** Reads `NAME`, `NAME:COUNT`, and for a delay `NAME:TIME` and `NAME:TIME:COUNT`. Throws FaultListError. */
export function readFault(text: string): WantedFault {
  const [name = '', ...values] = text.trim().split(':');
  const fault = faults.get(name);
  if (!fault) throw new FaultListError(`there is no fault "${name}": there are ${faultNames.join(', ')}`);
  const { strike } = fault;
  const time = strike.kind === 'wait' ? values.shift() : '0';
  const [count, ...more] = values;
  const isSound = /^\d{1,9}(\.\d{1,3})?$/.test(time ?? '') && /^[1-9]\d{0,8}$/.test(count ?? '1') && more.length === 0;
  if (!isSound) throw new FaultListError(`the fault "${text}" is not of the form ${formOf(name, fault)}`);
  return {
    fault,
    waitMs: strike.kind === 'wait' ? Number(time) * strike.unitMs : 0,
    count: count === undefined ? Number.POSITIVE_INFINITY : Number(count),
  };
}

function formOf(name: string, { strike }: Fault): string {
  if (strike.kind !== 'wait') return `${name} or ${name}:COUNT`;
  const form = `${name}:${strike.unitMs === 1 ? 'MS' : 'SECONDS'}`;
  return `${form} or ${form}:COUNT`;
}
