import type { FilterValues } from '../../../chain/resources/filter.ts';
import type { LinkTarget } from '../../../chain/resources/links.ts';
import type { Loading } from '../../rules/rule-input.ts';

/**
 * One fact about a node and its chain, or why it is unknown. It is phrased only here: commands, screens and the screen
 * reader choose the form that they have room for. Texts may contain text of the chain: sanitise them.
 */
export interface Fact extends Phrases {
  readonly id: string;
  readonly label: string;
  /** It continues the previous fact. */
  readonly isBelow?: true;
  readonly status: 'waiting' | 'known' | 'unknown';
  /** When it was answered; null if it was not. */
  readonly atMs: number | null;
  /** The whole fact on a line of its own; '' where the previous fact already has it. */
  readonly line: string;
  /** The whole fact as a sentence. */
  readonly sentence: string;
  readonly lead: FactLead;
  /** Its member in JSON; left out where it is part of another fact's member. Members are stable. */
  readonly json?: () => object;
}

interface Phrases {
  /** Whole thoughts, the most important first: those that fit are drawn. */
  readonly parts: readonly string[];
  /** Shorter forms of the first part, the longest first. */
  readonly shorter?: readonly string[];
  /** The part that is over, 0 to 1, as a bar behind the first part. */
  readonly progress?: number;
  /** Drawn next to the parts. */
  readonly chart?: string;
  /** The sentence without ages and times, for a screen reader. */
  readonly steady?: string;
}

/** The phrases of a known fact. Without a line or a sentence, the parts are both. */
export interface KnownPhrases extends Phrases {
  readonly line?: string;
  readonly sentence?: string;
}

export type FactLead =
  | { readonly kind: 'record'; readonly resource: string; readonly key: string; readonly filters?: FilterValues }
  | { readonly kind: 'list'; readonly goal: LinkTarget }
  | { readonly kind: 'tab'; readonly tab: string }
  | { readonly kind: 'nodes' | 'changes' }
  /** It leads to no record: the whole sentence. */
  | { readonly kind: 'text' };

/** When facts are told. */
export interface FactContext {
  readonly nowMs: number;
  /** The node does not answer now. */
  readonly isSilent?: boolean;
}

export const NOT_ANSWERED = 'not answered yet';

export const notKnownText = (why: string): string => `not known: ${why}`;

/** What tells one fact from another. */
type FactIdentity = Pick<Fact, 'id' | 'label' | 'lead' | 'isBelow' | 'json'>;

/** The fact of a part of the overview. */
export function createFact<Value>(
  source: Loading<Value>,
  named: FactIdentity,
  say: (value: Value) => KnownPhrases,
): Fact {
  switch (source.kind) {
    case 'waiting':
      return waitingFact(named);
    case 'unread':
      return unknownFact(named, [notKnownText(source.why)]);
    case 'read': {
      const { line, sentence, ...said } = say(source.value);
      const whole = said.parts.join(', ');
      const gap = source.gap === '' ? '' : `in part: ${source.gap}`;
      return {
        ...{ ...named, ...said, status: 'known', atMs: source.atMs },
        parts: gap === '' ? said.parts : [...said.parts, gap],
        line: gap === '' ? (line ?? whole) : `${line ?? whole}; ${gap}`,
        sentence: gap === '' ? (sentence ?? whole) : `${sentence ?? whole}, ${gap}`,
      };
    }
  }
}

export const waitingFact = (named: FactIdentity): Fact => ({
  ...named,
  ...{ status: 'waiting', atMs: null, parts: [NOT_ANSWERED], line: NOT_ANSWERED, sentence: NOT_ANSWERED },
});

/** The reasons are all that there is to see. */
export const unknownFact = (named: FactIdentity, reasons: readonly string[], line = reasons.join(' | ')): Fact => ({
  ...{ ...named, status: 'unknown', atMs: null, parts: reasons, line, sentence: reasons.join(', ') },
  lead: { kind: 'text' },
});

/** The members of a part of the overview in JSON, with its time, any missing data, and the error if it failed. */
export function partJson<Value, Made extends object>(source: Loading<Value>, make: (value: Value) => Made) {
  switch (source.kind) {
    case 'waiting':
      return { at: null, partial: null, error: NOT_ANSWERED };
    case 'unread':
      return { at: null, partial: null, error: source.why };
    case 'read':
      return {
        ...make(source.value),
        at: isoText(source.atMs),
        partial: source.gap === '' ? null : source.gap,
        error: null,
      };
  }
}

/** 64-bit numbers are text in JSON, and times RFC 3339. */
export const isoText = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

export const numberText = (number: bigint | null): string | null => (number === null ? null : String(number));
