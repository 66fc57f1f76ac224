import { answeredChainState, answeredRows } from '../../attention/overview/answers.ts';
import { collectRuleInput } from '../../attention/overview/collect-rule-input.ts';
import { describeNode, type NodeDescription } from '../../attention/overview/facts/node.ts';
import { CHAIN_CHANGED, compareChain } from '../../attention/rules/chain-changed.ts';
import { compareIncome, INCOME, type IncomeBound } from '../../attention/rules/income.ts';
import { isAboutRecords, narrowToMine } from '../../attention/rules/narrow-to-mine.ts';
import { compareHeight, NODE_STALLED } from '../../attention/rules/node-stalled.ts';
import {
  compareParameters,
  PARAMETER_CHANGED,
  type ParameterMemory,
  parametersToRemember,
} from '../../attention/rules/parameter-changed.ts';
import { RULES, rulesFor } from '../../attention/rules/registry.ts';
import { type MemoryRuleResult, type RuleFinding, type Severity, unknownFinding } from '../../attention/rules/rule.ts';
import type { RuleInput } from '../../attention/rules/rule-input.ts';
import {
  compareValidators,
  consensusSet,
  VALIDATOR_LEFT,
  type ValidatorMemory,
} from '../../attention/rules/validator-left.ts';
import { unreachableSentence } from '../../chain/api/errors.ts';
import { isArchive } from '../../chain/directory/chain-state.ts';
import { type Mine, NOTHING_MINE } from '../../chain/directory/mine.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { type Alarm, type RuleSightings, type Sighting, severityRank, stepAlarms, UNKNOWN_KEY } from './alarms.ts';
import {
  type CheckEntry,
  checkEntries,
  mineRuleName,
  NODE_RULE,
  pendingSentences,
  ruleWithoutScope,
} from './check-entries.ts';
import { type ChainMemory, type CheckMemoryContent, newChain, withChain } from './check-state.ts';
import { type CheckAnswers, type CheckPart, PARTS_OF_SOURCE } from './request-check.ts';

/** Rules that compare with earlier observations. */
const MEMORY_RULES = [NODE_STALLED, CHAIN_CHANGED, PARAMETER_CHANGED, VALIDATOR_LEFT, INCOME] as const;

/** Every rule of a check. */
export const CHECK_RULES: readonly { readonly id: string; readonly about: string }[] = [...RULES, ...MEMORY_RULES];

/** What the memory rules read. */
const PARTS_OF_MEMORY: { readonly [rule: string]: readonly CheckPart[] } = {
  [NODE_STALLED.id]: ['statistics'],
  [CHAIN_CHANGED.id]: ['statistics'],
  [PARAMETER_CHANGED.id]: ['parameters'],
  [VALIDATOR_LEFT.id]: ['validators'],
  [INCOME.id]: ['fees', 'assets', 'markets'],
};

export const neededParts = (rules: readonly string[]): ReadonlySet<CheckPart> =>
  new Set(
    rules.flatMap(
      id =>
        PARTS_OF_MEMORY[id] ??
        RULES.filter(rule => rule.id === id).flatMap(({ needs }) => needs.flatMap(name => PARTS_OF_SOURCE[name])),
    ),
  );

/** What earlier checks have left on disk. */
export const MEMORY_FILE_RULE = 'memory';

export interface CheckSettings {
  /** The rules that were asked for. */
  readonly rules: readonly string[];
  /** The user listed them, and expects a verdict for each. */
  readonly isNamed: boolean;
  /** Only the user's own entities. */
  readonly isMine: boolean;
  readonly limit: LagLimit;
  readonly stalledAfterMs: number;
  readonly holdMs: number;
  readonly bounds: readonly IncomeBound[];
  /** A severity of the user's own, by rule. */
  readonly severities: ReadonlyMap<string, Severity>;
  /** The current state is accepted as right from this check on. */
  readonly isAccepting: boolean;
  readonly threshold?: number | undefined;
  readonly aliases?: ReadonlyMap<string, string>;
  readonly mineOn?: (chainId: string) => Mine;
  /** Why the user's own entities cannot be read. */
  readonly mineProblem?: string | undefined;
  /** Lists of a chain stored by a recorder, for the chain's first check. */
  readonly stored?: (chainId: string) => StoredBaseline | undefined;
}

/** Lists of an earlier time; null for one that was not stored. */
export interface StoredBaseline {
  readonly parameters: readonly Row[] | null;
  readonly validators: readonly Row[] | null;
}

export interface CheckJudgement {
  readonly entries: readonly CheckEntry[];
  /** Rules that were judged, all or in part. */
  readonly rules: readonly string[];
  /** The same with their limitations, as used in alarms. */
  readonly looked: readonly string[];
  /** Findings that have not lasted long enough to count. */
  readonly held: readonly string[];
  /** Rules that compare with the current state from this check on. */
  readonly accepted: readonly string[];
  /** Rules that compare from the next check on. */
  readonly beginning: readonly string[];
  /** Why the node did not answer at all; undefined if it did. */
  readonly silence: string | undefined;
  readonly chainId: string | null;
  readonly node: NodeDescription;
  /** The rules that therefore had nothing to judge. */
  readonly leftOut: readonly string[];
  readonly requests: number;
  /** With --mine: nothing is the user's on this chain. */
  readonly isNothingMine: boolean;
}

/** Judges the node's answers with the memory of earlier checks. */
export function judgeCheck(
  asked: CheckAnswers,
  before: CheckMemoryContent,
  settings: CheckSettings & { readonly nowMs: number },
): { readonly state: CheckMemoryContent; readonly value: CheckJudgement } {
  return new CheckJudge(asked, before, settings).judge();
}

class CheckJudge {
  readonly #asked: CheckAnswers;
  readonly #before: CheckMemoryContent;
  readonly #settings: CheckSettings & { readonly nowMs: number };
  readonly #seen: RuleInput;
  readonly #chainId: string | null;
  /** According to its current answers. */
  readonly #isArchive: boolean;
  readonly #mine: Mine;
  readonly #beginning: string[] = [];
  readonly #silence: string | undefined;

  constructor(asked: CheckAnswers, before: CheckMemoryContent, settings: CheckSettings & { readonly nowMs: number }) {
    this.#asked = asked;
    this.#before = before;
    this.#settings = settings;
    const chain = answeredChainState(asked.answers);
    this.#chainId = chain.chainId?.slice(0, MAX_CHAIN_NAME_LENGTH).toWellFormed() ?? null;
    this.#isArchive = isArchive(chain);
    const { nowMs, threshold, aliases, mineOn } = settings;
    const chainId = this.#chainId;
    const mine = (chainId === null ? undefined : mineOn?.(chainId)) ?? NOTHING_MINE;
    this.#mine = mine;
    this.#seen = collectRuleInput(asked.answers, {
      ...{ nowMs, limit: this.#limit(), threshold, mineOn: () => mine },
      ...(aliases !== undefined && { aliases }),
    });
    this.#silence = this.#whySilent();
  }

  judge(): { readonly state: CheckMemoryContent; readonly value: CheckJudgement } {
    const { nowMs, holdMs, isAccepting } = this.#settings;
    const known = this.#knownChain();
    const { chain, looked } = this.#looked(known);
    const earlier = [...this.#before.alarms, ...chain.alarms];
    const accepted = isAccepting ? acceptableRules(looked) : [];
    const left = earlier.map(alarm =>
      accepted.includes(alarm.rule) ? { ...alarm, severity: 'ok' as const, pending: null } : alarm,
    );
    const node: RuleSightings = { rule: NODE_RULE, found: [], unknown: this.#silence };
    const alarms = stepAlarms(left, [node, ...looked], { nowMs, holdMs });
    const home = accepted.includes(CHAIN_CHANGED.id) ? this.#chainId : null;
    const [ofNode, ofChain] = [alarms.filter(isNodeAlarm), alarms.filter(alarm => !isNodeAlarm(alarm))];
    const state = withChain(
      { ...this.#before, home: home ?? this.#before.home ?? this.#chainId, alarms: ofNode },
      { ...chain, alarms: ofChain },
    );
    return {
      state,
      value: {
        entries: checkEntries([node, ...looked], alarms, nowMs),
        rules: looked.map(({ rule }) => ruleWithoutScope(rule)),
        looked: looked.map(({ rule }) => rule),
        held: pendingSentences(looked, alarms),
        accepted,
        ...{ beginning: this.#beginning, silence: this.#silence, chainId: this.#chainId },
        node: describeNode(this.#asked.answers, { limit: this.#limit() }),
        leftOut: this.#leftOut(),
        requests: this.#asked.requests,
        isNothingMine: this.#chainId !== null && Object.values(this.#mine).every(ids => ids.size === 0),
      },
    };
  }

  /** A chain that was live at an earlier check is not treated as ended. */
  #limit(): LagLimit {
    const { limit, isAccepting, rules } = this.#settings;
    const isForgotten = isAccepting && rules.includes(NODE_STALLED.id);
    const wasLive = !isForgotten && this.#knownChain().height?.isLive === true;
    return wasLive ? { ...limit, isLive: true } : limit;
  }

  /** The memory of this chain; that of the last one while the node does not report its chain. */
  #knownChain(): ChainMemory {
    const { current, chains } = this.#before;
    const chainId = this.#chainId ?? current ?? '';
    return chains.find(chain => chain.chainId === chainId) ?? newChain(chainId);
  }

  #looked(chain: ChainMemory): { readonly chain: ChainMemory; readonly looked: readonly RuleSightings[] } {
    const { rules, isMine, isNamed } = this.#settings;
    const silence = this.#silence ?? (isMine && this.#chainId === null ? UNKNOWN_CHAIN_PROBLEM : undefined);
    if (silence !== undefined)
      return {
        chain,
        looked: rules.map(id => ({ rule: this.#scoped(id), found: [], unknown: silence, isUnseen: true })),
      };
    const looked: RuleSightings[] = [];
    for (const rule of rulesFor(this.#seen)) {
      if (!rules.includes(rule.id)) continue;
      const own = isMine ? narrowToMine(rule.id, this.#seen, this.#asked.own) : { seens: [this.#seen], missing: '' };
      if (own === undefined) continue;
      const judged = own.seens.flatMap(seen => rule.judge(seen).findings);
      const findings = isSilent(this.#seen, rule.id) ? judged.map(({ sentence }) => unknownFinding(sentence)) : judged;
      const missing = own.missing === '' ? [] : [unknownFinding(own.missing)];
      looked.push(this.#sighted(rule.id, [...findings, ...missing], rule.isPerRecord));
    }
    const next = this.#compared(chain, (id, findings) => {
      if (rules.includes(id)) looked.push(this.#sighted(id, findings, true));
    });
    const { mineProblem, bounds } = this.#settings;
    const isExpected = (id: string): boolean =>
      isNamed || (id === INCOME.id && (bounds.length > 0 || mineProblem !== undefined));
    const leftOut = this.#leftOut();
    const unjudged = rules.filter(
      id => isExpected(id) && !leftOut.includes(id) && !looked.some(({ rule }) => rule === this.#scoped(id)),
    );
    return {
      chain: next,
      looked: [
        ...looked,
        ...unjudged.map(id => ({ rule: this.#scoped(id), found: [], unknown: mineProblem ?? nothingToCheckText(id) })),
      ],
    };
  }

  /** The chosen rules that have nothing to judge, as the chain has ended. */
  #leftOut(): readonly string[] {
    if (!this.#seen.hasEnded) return [];
    const kept = new Set(rulesFor(this.#seen).map(({ id }) => id));
    const isMoot = (id: string): boolean =>
      LIVE_CHAIN_RULES.has(id) || RULES.some(rule => rule.id === id && !kept.has(id));
    return this.#settings.rules.filter(isMoot);
  }

  #compared(before: ChainMemory, say: (id: string, findings: readonly RuleFinding[]) => void): ChainMemory {
    const { nowMs, stalledAfterMs, isAccepting, rules } = this.#settings;
    const isChosen = ({ id }: { readonly id: string }): boolean => rules.includes(id);
    const baselineOf = <Memory>(rule: { readonly id: string }, memory: Memory): Memory | null =>
      isAccepting && isChosen(rule) ? null : memory;
    const leftOut = this.#leftOut();
    const compare = <Memory>(
      rule: { readonly id: string },
      memory: Memory | null,
      run: (memory: Memory | null) => MemoryRuleResult<Memory>,
    ): Memory | null => {
      // Without being asked for, nothing was requested for it.
      if (!isChosen(rule)) return memory;
      const compared = run(baselineOf(rule, memory));
      if (!leftOut.includes(rule.id)) say(rule.id, compared.findings);
      if (!leftOut.includes(rule.id) && memory === null && compared.memory !== null) this.#beginning.push(rule.id);
      return compared.memory ?? memory;
    };
    const { height } = this.#asked.answers.block;
    const why = 'the node does not give its newest block';
    compare(CHAIN_CHANGED, this.#before.home, home => compareChain(this.#chainId, home));
    const baseline = this.#baseline(before);
    return {
      ...before,
      height: compare(NODE_STALLED, before.height, memory =>
        compareHeight(height, memory, {
          ...{ nowMs, stalledAfterMs, why },
          isArchive: this.#isArchive && !this.#settings.limit.isLive,
          genesisTime: answeredChainState(this.#asked.answers).genesisTime?.slice(0, 100) ?? null,
        }),
      ),
      parameters: compare(PARAMETER_CHANGED, baseline.parameters, memory =>
        compareParameters(answeredRows(this.#asked.parameters), memory),
      ),
      validators: compare(VALIDATOR_LEFT, baseline.validators, memory =>
        compareValidators(this.#seen.sources.validators, memory, {
          directory: this.#seen.directory,
          only: this.#settings.isMine ? this.#mine.node : undefined,
        }),
      ),
      income:
        this.#mine.party.size === 0
          ? before.income
          : compare(INCOME, before.income, memory =>
              compareIncome(answeredRows(this.#asked.answers.fees), memory, this.#earning()),
            ),
    };
  }

  /** The accepted state, else the state stored by a recorder. */
  #baseline({ chainId, parameters, validators }: ChainMemory): {
    readonly parameters: ParameterMemory | null;
    readonly validators: ValidatorMemory | null;
  } {
    const isNeeded = parameters === null || validators === null;
    const stored = isNeeded && this.#chainId !== null ? this.#settings.stored?.(chainId) : undefined;
    const storedSet = stored?.validators == null ? null : consensusSet(stored.validators);
    return {
      parameters:
        parameters ??
        (stored?.parameters == null || stored.parameters.length === 0 ? null : parametersToRemember(stored.parameters)),
      validators: validators ?? (storedSet === null || storedSet.size === 0 ? null : storedSet),
    };
  }

  #earning() {
    const { directory, epoch, blockTimeMs } = this.#seen;
    const startMs = answeredChainState(this.#asked.answers).epoch?.startMs ?? null;
    const isPastEnd = startMs !== null && blockTimeMs !== null && blockTimeMs > startMs;
    return { parties: this.#mine.party, bounds: this.#settings.bounds, directory, epoch, isPastEnd };
  }

  /** What rules with and without --mine find are two things. */
  #scoped = (rule: string): string => (this.#settings.isMine && isAboutRecords(rule) ? mineRuleName(rule) : rule);

  #sighted(id: string, findings: readonly RuleFinding[], isPerRecord: boolean): RuleSightings {
    const rule = this.#scoped(id);
    const own = this.#settings.severities.get(id);
    const yours = rule === id ? '' : 'yours: ';
    const isUnknown = ({ severity }: RuleFinding): boolean => severity === 'unknown';
    const known = findings.filter(one => !isUnknown(one));
    const groups = isPerRecord
      ? Map.groupBy(known, ({ key, identity }) => cutKey(identity ?? key ?? ''))
      : new Map(known.length === 0 ? [] : [['', known]]);
    const all = [...groups].map(([key, found]): Sighting => {
      const worst = found.reduce((one, other) =>
        severityRank(other.severity) > severityRank(one.severity) ? other : one,
      );
      const sentences = found
        .toSorted((one, other) => severityRank(other.severity) - severityRank(one.severity))
        .map(({ sentence }) => sentence);
      return { rule, key, severity: own ?? worst.severity, sentence: cutSentence(`${yours}${sentences.join('; ')}`) };
    });
    const unknowns = findings.filter(isUnknown).map(({ sentence }) => sentence);
    return {
      rule,
      found: foldRemainder(all),
      unknown: unknowns.length === 0 ? undefined : cutSentence(`${yours}${unknowns.join('; ')}`),
    };
  }

  /** Why nothing was answered; undefined if anything was. */
  #whySilent(): string | undefined {
    if (this.#asked.parameters.kind === 'answered') return undefined;
    const { node } = this.#seen.sources;
    if (node.kind !== 'read' || node.value.kind !== 'silent') return undefined;
    const { why, isUnreached } = node.value;
    return isUnreached ? unreachableSentence(why) : `the node did not answer: ${why}`;
  }
}

/** A node that did not report its state, whatever else it answered. */
const isSilent = ({ sources: { node } }: RuleInput, rule: string): boolean =>
  rule === 'node-behind' && node.kind === 'read' && node.value.kind === 'silent';

/** Rules with a memory that could compare everything, so that the observed state can be accepted. */
const acceptableRules = (looked: readonly RuleSightings[]): readonly string[] =>
  looked
    .filter(({ rule, unknown: why }) => why === undefined && MEMORY_RULES.some(({ id }) => id === rule))
    .map(({ rule }) => rule);

/** Alarms that outlast a change of the chain. */
const isNodeAlarm = ({ rule }: Alarm): boolean => rule === NODE_RULE || rule === CHAIN_CHANGED.id;

/** Rules with a memory that judge a live chain. */
const LIVE_CHAIN_RULES: ReadonlySet<string> = new Set([NODE_STALLED.id, INCOME.id]);

const UNKNOWN_CHAIN_PROBLEM = 'your ids are not known: the node does not report a chain id';

const nothingToCheckText = (rule: string): string =>
  `this rule has nothing to check: add ${rule === INCOME.id ? 'your party' : 'your ids'} on this chain with blockglass mine add ID`;

/** How many subjects of a rule have an alarm of their own. */
const MAX_SUBJECTS = 50;

/** The rest of very many findings as one. */
function foldRemainder(all: readonly Sighting[]): readonly Sighting[] {
  const [first, ...rest] = all.slice(MAX_SUBJECTS);
  if (first === undefined) return all;
  const worst = rest.reduce(
    (one, other) => (severityRank(other.severity) > severityRank(one.severity) ? other : one),
    first,
  );
  return [
    ...all.slice(0, MAX_SUBJECTS),
    { ...worst, key: REMAINDER_KEY, sentence: `${rest.length + 1} more of this kind` },
  ];
}

const REMAINDER_KEY = '(more)';

/** Of a chain, in the memory of checks. */
const MAX_CHAIN_NAME_LENGTH = 200;

const MAX_KEY_LENGTH = 200;
const MAX_SENTENCE_LENGTH = 500;

const cutKey = (key: string): string => (key === UNKNOWN_KEY ? ' ?' : key.slice(0, MAX_KEY_LENGTH).toWellFormed());

const cutSentence = (sentence: string): string =>
  sentence.length <= MAX_SENTENCE_LENGTH ? sentence : `${sentence.slice(0, MAX_SENTENCE_LENGTH).toWellFormed()}...`;
