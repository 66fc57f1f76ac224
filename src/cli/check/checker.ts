import { isAboutProvisions } from '../../attention/rules/narrow-to-mine.ts';
import { sanitize } from '../../base/text/safe-text.ts';
import type { Client } from '../../chain/api/client.ts';
import { type AlarmChange, announceChanges } from './alarms.ts';
import { type CheckEntry, NODE_RULE } from './check-entries.ts';
import type { CheckMemory } from './check-state.ts';
import {
  CHECK_RULES,
  type CheckJudgement,
  type CheckSettings,
  judgeCheck,
  MEMORY_FILE_RULE,
  neededParts,
} from './judge-check.ts';
import { type CheckPart, fetchCheckAnswers } from './request-check.ts';

interface NodeCheckerOptions {
  readonly client: Client;
  readonly memory: CheckMemory;
  readonly settings: CheckSettings & { readonly signerCount?: number | undefined };
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** For all requests of a check together. */
  readonly timeoutMs: number;
}

export interface CheckOutcome extends CheckJudgement {
  readonly atMs: number;
  /** Since the last announcement; none unless asked for. */
  readonly changes: readonly AlarmChange[];
}

export interface AlarmRepetition {
  /** After how long a standing alarm is repeated; undefined for never. */
  readonly remindMs: number | undefined;
}

/** Checks one node, once or again and again. */
export class NodeChecker {
  readonly #options: NodeCheckerOptions;
  readonly #needed: ReadonlySet<CheckPart> | undefined;

  constructor(options: NodeCheckerOptions) {
    this.#options = options;
    const { rules } = options.settings;
    this.#needed = CHECK_RULES.every(({ id }) => rules.includes(id)) ? undefined : neededParts(rules);
  }

  /** Asks the node and judges. Changes are given, and remembered as announced, if `announcing`. Throws only when aborted. */
  async check(announcing?: AlarmRepetition): Promise<CheckOutcome> {
    const { client, memory, settings, signal, nowMs, timeoutMs } = this.#options;
    const { threshold, signerCount, isMine, rules, mineOn } = settings;
    const ownOf = isMine && rules.some(isAboutProvisions) ? mineOn : undefined;
    const asked = await fetchCheckAnswers(client, this.#needed, {
      signal,
      nowMs,
      timeoutMs,
      threshold,
      signerCount,
      ownOf,
    });
    const atMs = nowMs();
    const { value, problem } = await memory.update(before => {
      const { state, value: judged } = judgeCheck(asked, before, { ...settings, nowMs: atMs });
      if (announcing === undefined) return { state, value: { ...judged, changes: [] } };
      const isWanted = (rule: string): boolean => rule === NODE_RULE || judged.looked.includes(rule);
      const [chain] = state.chains;
      const ofNode = announceChanges(state.alarms, { ...announcing, nowMs: atMs, isWanted });
      const ofChain = announceChanges(chain?.alarms ?? [], { ...announcing, nowMs: atMs, isWanted });
      const chains = state.chains.map((one, index) => (index === 0 ? { ...one, alarms: ofChain.alarms } : one));
      return {
        state: { ...state, alarms: ofNode.alarms, chains },
        value: { ...judged, changes: [...ofNode.changes, ...ofChain.changes] },
      };
    });
    const lost: readonly CheckEntry[] =
      problem === undefined
        ? []
        : [{ rule: MEMORY_FILE_RULE, severity: 'unknown', sentence: sanitize(problem), sinceMs: atMs }];
    return { ...value, entries: [...value.entries, ...lost], atMs };
  }
}
