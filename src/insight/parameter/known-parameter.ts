import { PARAMETER_FACTS, REMOVED_PARAMETERS } from './facts.ts';
import { type ParameterUnit, unitNamed } from './parameter-unit.ts';
import { proposalLine } from './proposal.ts';

/** What public releases of the node know of one of their parameters. */
export interface ParameterFact {
  /** `uint`, `int`, `decimal`, `duration`, `json` or `string`. */
  readonly kind: string;
  readonly unit: ParameterUnit;
  readonly bounds: Bounds;
  /** The value compiled into the node, which genesis, a checkpoint or a vote replaces; '' when there is none worth a word. */
  readonly byDefault: string;
  /** The release that first had it: `v0.42.0`. */
  readonly since: string;
  readonly effect: 'deprecated' | 'unused' | 'locked' | 'usual';
  /** A sentence. */
  readonly meaning: string;
  /** A bound that depends on another parameter or on members; '' for none. */
  readonly rule: string;
}

/** What a vote may set, in the node's own notation; '' where there is no bound. */
export interface Bounds {
  readonly least: string;
  readonly most: string;
  /** The bound itself is not allowed either. */
  readonly isAboveLeast: boolean;
  readonly isBelowMost: boolean;
}

/** The release whose bounds and defaults these are. */
export const FACTS_OF = 'v0.79.0';

/** What is known of a parameter; undefined for a key that no public release has. */
export function knownParameter(key: string): ParameterFact | undefined {
  const line = proposalLine(key) ?? lineIn(PARAMETER_FACTS, key);
  return line === undefined ? undefined : factOf(line);
}

/** The first and the last release that had a parameter which is gone; undefined for every other key. */
export function removedParameter(key: string): { readonly since: string; readonly until: string } | undefined {
  const [, since, until] = lineIn(REMOVED_PARAMETERS, key)?.split(' | ') ?? [];
  return since === undefined || until === undefined ? undefined : { since: `v${since}`, until: `v${until}` };
}

// What is no key could lead into the middle of a line.
function lineIn(text: string, key: string): string | undefined {
  const start = /^\w+(?:\.\w+)+$/.test(key) ? text.indexOf(`\n${key} | `) : -1;
  return start < 0 ? undefined : text.slice(start + 1, text.indexOf('\n', start + 1));
}

/** Of a key without a meaning: what is known of that. */
export function unknownInWords(key: string): string {
  const removed = removedParameter(key);
  if (removed === undefined) return `no public release up to ${FACTS_OF} has this key`;
  const { since, until } = removed;
  return since === until ? `only release ${since} had this key` : `only the releases ${since} to ${until} had this key`;
}

function factOf(line: string): ParameterFact {
  const [, kinds = '', bounds = '', byDefault = '', since = '', meaning = '', rule = ''] = line.split(' | ');
  const [kind = '', unit = kind] = kinds.split(' ');
  const [release = '', effect] = since.split(' ');
  return {
    kind,
    unit: unitNamed(unit),
    bounds: boundsOf(bounds),
    byDefault,
    since: `v${release}`,
    effect: effect === 'deprecated' || effect === 'unused' || effect === 'locked' ? effect : 'usual',
    meaning,
    rule,
  };
}

function boundsOf(text: string): Bounds {
  const [least = '', most = ''] = text.split(/ ?\.\. ?/);
  return {
    least: least.replace('>', ''),
    most: most.replace('<', ''),
    isAboveLeast: least.startsWith('>'),
    isBelowMost: most.startsWith('<'),
  };
}
