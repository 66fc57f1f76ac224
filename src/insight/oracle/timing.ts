import type { Condition, DataSource } from './data-source.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { readSeconds } from './unix-seconds.ts';

/** When a source is due, as far as its record says; `since` is the Unix second from which the spec was there. */
export function schedulesOf(source: DataSource, since: bigint): readonly Schedule[] {
  switch (source.variant) {
    case 'eth-oracle':
      return source.triggers.map(trigger => scheduleOf(trigger, 'contract'));
    case 'time-trigger':
      return source.triggers.map(trigger => scheduleOf(trigger, 'chain'));
    case 'time':
      return chainTime(source.conditions[0], since);
    case 'oracle':
    case 'none':
      return [];
  }
}

// Of several conditions on its time the chain looks at the first (node-behaviour.md section 5), at each block.
function chainTime(condition: Condition | undefined, since: bigint): readonly Schedule[] {
  const wait =
    condition !== undefined && Object.hasOwn(WAITS, condition.operator) ? WAITS[condition.operator] : undefined;
  const seconds = condition === undefined ? undefined : readSeconds(condition.value);
  if (wait === undefined || seconds === undefined) return [];
  const at = seconds + wait;
  return [{ kind: 'once', at: at > since ? at : since }];
}

/** How many seconds behind its value a condition holds for the first time. */
const WAITS: { readonly [operator: string]: bigint | undefined } = {
  OPERATOR_EQUALS: 0n,
  OPERATOR_GREATER_THAN_OR_EQUAL: 0n,
  OPERATOR_GREATER_THAN: 1n,
};

/** How many seconds after it was due a value may come without being late. */
export function patienceFor(source: DataSource): bigint {
  if (source.variant !== 'eth-oracle') return A_MINUTE;
  const confirmations = readSeconds(source.requiredConfirmations) ?? 0n;
  return A_MINUTE + confirmations * SECONDS_A_BLOCK;
}

const A_MINUTE = 60n;

// Of Ethereum; the blocks of the other chains that are widely used follow each other faster.
const SECONDS_A_BLOCK = 12n;
