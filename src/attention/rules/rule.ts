import type { Loading, RuleInput, SourceName, SourceValues } from './rule-input.ts';

export type Severity = 'info' | 'warning' | 'critical' | 'unknown';

/** Something that is wrong, waiting or not known. Its texts may hold words of the chain: sanitise them. */
export interface RuleFinding {
  readonly severity: Severity;
  readonly sentence: string;
  /** The list and the key of the record it leads to; null if there is none. */
  readonly resource: string | null;
  readonly key: string | null;
  /** What tells it from others, if that is more than the record of the key: it stays the same while another record stands for it. */
  readonly identity?: string;
}

/** A finding with a row in a table: subject and problem, each in a few words. */
export interface ListedFinding extends RuleFinding, TableTexts {}

interface TableTexts {
  /** `Oracle 90cc8..36fed`. */
  readonly subject: string;
  /** `2 h late: settles LINK/USDC-PERP`; the most important words first. */
  readonly fact: string;
  /** Meaning and remedy, in sentences below the row; left out if `sentence` is enough. */
  readonly details?: readonly string[];
}

/** A source a rule looked at. */
export interface CheckedSource {
  readonly source: SourceName;
  /** Number of its records; null if it is not a list. */
  readonly records: number | null;
  /** Why records may be missing; '' if these are all there are. */
  readonly gap: string;
  readonly atMs: number;
}

export interface RuleResult {
  readonly rule: string;
  readonly about: string;
  /** A source it needs has not been answered yet. */
  readonly isWaiting: boolean;
  /** Empty if nothing was found in the sources checked. */
  readonly findings: readonly ListedFinding[];
  readonly looked: readonly CheckedSource[];
}

/** A rule: a possible problem, judged only from the loaded data. */
export interface Rule {
  readonly id: string;
  /** The problem it looks for, as a noun: `overdue oracle specs`. */
  readonly about: string;
  readonly needs: readonly SourceName[];
  /** Each finding is about a record of its own; otherwise one finding sums up all records. */
  readonly isPerRecord: boolean;
  /** It judges data that still matters after the chain has ended; other rules judge only a live chain. */
  readonly outlivesChain: boolean;
  readonly judge: (seen: RuleInput) => RuleResult;
}

/** The findings of a rule with a memory, and the memory for the next run. */
export interface MemoryRuleResult<Memory> {
  readonly findings: readonly RuleFinding[];
  /** Null before anything was seen. */
  readonly memory: Memory | null;
}

/** Gives the value of a source that the rule needs. */
type ReadSourceValue<Name extends SourceName> = <N extends Name>(name: N) => SourceValues[N];

interface RuleDefinition<Name extends SourceName> {
  readonly id: string;
  readonly about: string;
  /** The subject of the row when the rule cannot judge: `Oracle specs`. */
  readonly subject: string;
  readonly needs: readonly Name[];
  /** Sources that may be missing or partial. It finds them in `sources`. */
  readonly mayLack?: readonly Name[];
  readonly isPerRecord?: true;
  readonly outlivesChain?: true;
  /** Called when everything it needs was read, maybe in part. */
  readonly find: (read: ReadSourceValue<Name>, seen: RuleInput) => readonly ListedFinding[];
}

/** Makes a rule: a source that was not read, or only in part, is reported as unknown. */
export const defineRule = <Name extends SourceName>(definition: RuleDefinition<Name>): Rule => ({
  id: definition.id,
  about: definition.about,
  needs: definition.needs,
  isPerRecord: definition.isPerRecord === true,
  outlivesChain: definition.outlivesChain === true,
  judge: seen => judgeRule(definition, seen),
});

function judgeRule<Name extends SourceName>(
  { id, about, subject, needs, mayLack = [], find }: RuleDefinition<Name>,
  seen: RuleInput,
): RuleResult {
  const sources = needs.map(name => ({ name, source: seen.sources[name] }));
  const looked = sources.flatMap(({ name, source }) => checkedSources(name, source));
  if (sources.some(({ source }) => source.kind === 'waiting'))
    return { rule: id, about, isWaiting: true, findings: [], looked };
  const isEssential = (name: SourceName): boolean => mayLack.every(lacked => lacked !== name);
  const unread = sources
    .filter(({ name }) => isEssential(name))
    .flatMap(({ name, source }) => (source.kind === 'unread' ? [{ name, why: source.why }] : []));
  const [first] = unread;
  if (first !== undefined) {
    const sentence = `${about}: not known, because ${SOURCE_TITLES[first.name]} could not be read: ${first.why}`;
    return { rule: id, about, isWaiting: false, findings: [listedUnknown(subject, sentence)], looked };
  }
  const read = <N extends Name>(name: N): SourceValues[N] => requireValue(seen.sources[name]);
  const partly = looked
    .filter(({ source, gap }) => gap !== '' && isEssential(source))
    .map(part => listedUnknown(subject, partlyReadText(about, part), partlyReadFact(part)));
  return { rule: id, about, isWaiting: false, findings: [...find(read, seen), ...partly], looked };
}

const partlyReadFact = ({ source, records }: CheckedSource): string =>
  `only ${records ?? 'a part'} of the ${SOURCE_TITLES[source]} checked`;

const partlyReadText = (about: string, { source, records, gap }: CheckedSource): string =>
  `${about}: only ${records ?? 'a part'} of the ${SOURCE_TITLES[source]} could be checked: ${gap}`;

const checkedSources = (name: SourceName, source: Loading<unknown>): readonly CheckedSource[] =>
  source.kind === 'read' ? [{ source: name, records: source.records, gap: source.gap, atMs: source.atMs }] : [];

function requireValue<Value>(source: Loading<Value>): Value {
  if (source.kind === 'read') return source.value;
  throw new Error('a rule reads only its own sources');
}

/** What each source is called in a sentence. */
export const SOURCE_TITLES: { readonly [name in SourceName]: string } = {
  node: 'the node',
  history: 'history segments',
  markets: 'markets',
  validators: 'validators',
  bundles: 'signer bundles',
  specs: 'oracle specs',
  arrivals: 'values of oracle specs',
  provisions: 'provisions of one market',
  bonds: 'bond accounts of that market',
};

/** A finding that leads to no record. */
export const createFinding = (severity: Severity, sentence: string): RuleFinding => ({
  severity,
  sentence,
  resource: null,
  key: null,
});

/** A finding for something that cannot be judged, with the reason. */
export const unknownFinding = (sentence: string): RuleFinding => createFinding('unknown', sentence);

/** The same with the texts of its row. */
export const listedFinding = (severity: Severity, sentence: string, texts: TableTexts): ListedFinding => ({
  ...createFinding(severity, sentence),
  ...texts,
});

/** The row of a rule that cannot judge. */
export const listedUnknown = (subject: string, sentence: string, fact = 'not known'): ListedFinding =>
  listedFinding('unknown', sentence, { subject, fact });
