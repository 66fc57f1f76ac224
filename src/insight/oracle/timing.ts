import type { Condition, DataSource } from './data-source.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { readSeconds } from './unix-seconds.ts';

/** The schedules of a source, as its record gives them; `since` is when the spec was created, in Unix seconds. */
export function schedulesOf(source: DataSource, since: bigint): readonly Schedule[] {
  switch (source.variant) {
    case 'eth-oracle': {
      const clock = source.sourceChainId === MAINNET ? 'mainnet' : 'contract';
      return source.triggers.map(trigger => scheduleOf(trigger, clock));
    }
    case 'time-trigger':
      return source.triggers.slice(0, 1).map(trigger => scheduleOf(trigger, 'chain'));
    case 'time':
      return chainTime(source.conditions[0], since);
    case 'oracle':
    case 'none':
      return [];
  }
}

const MAINNET = '1';

// The chain checks only the first time condition (protocol.md section 5.2), at each block.
function chainTime(condition: Condition | undefined, since: bigint): readonly Schedule[] {
  const seconds = condition === undefined ? undefined : readSeconds(condition.value);
  if (condition === undefined || seconds === undefined) return [];
  switch (condition.operator) {
    case 'OPERATOR_EQUALS':
      return [{ kind: 'exactly', at: seconds }];
    case 'OPERATOR_GREATER_THAN_OR_EQUAL':
      return [{ kind: 'once', at: seconds > since ? seconds : since }];
    case 'OPERATOR_GREATER_THAN':
      return [{ kind: 'once', at: seconds + 1n > since ? seconds + 1n : since }];
  }
  return [];
}

/** Conditions and triggers that the core ignores, because only the first counts (protocol.md section 5.2). */
export function ignoredParts(source: DataSource): {
  readonly conditions: readonly Condition[];
  readonly triggers: number;
} {
  return {
    conditions: source.variant === 'time' ? source.conditions.slice(1) : [],
    triggers: source.variant === 'time-trigger' ? Math.max(0, source.triggers.length - 1) : 0,
  };
}

/** How many seconds after its due time a value may arrive without being late. */
export function patienceFor(source: DataSource): bigint {
  if (source.variant !== 'eth-oracle') return A_MINUTE;
  const confirmations = readSeconds(source.requiredConfirmations) ?? 0n;
  return A_MINUTE + confirmations * SECONDS_A_BLOCK;
}

const A_MINUTE = 60n;

// On Ethereum; other widely used chains are faster.
const SECONDS_A_BLOCK = 12n;
