import { PARAMETER_FACTS, proposalLine, REMOVED_PARAMETERS } from './parameter-facts.ts';
import { type ParameterUnit, parseUnit } from './parameter-unit.ts';

/** The known facts about a parameter of the public node releases. */
export interface ParameterFact {
  /** `uint`, `int`, `decimal`, `duration`, `json` or `string`. */
  readonly kind: string;
  readonly unit: ParameterUnit;
  readonly bounds: Bounds;
  /** The value compiled into the node, which genesis, a checkpoint or a vote replaces; '' if not worth showing. */
  readonly byDefault: string;
  /** The release that first had it: `v0.42.0`. */
  readonly since: string;
  readonly effect: 'deprecated' | 'unused' | 'locked' | 'usual';
  /** One sentence. */
  readonly meaning: string;
  /** A bound that depends on another parameter or on members of the value; '' for none. */
  readonly rule: string;
}

/** What a vote may set, in the node's notation; '' for no bound. */
export interface Bounds {
  readonly least: string;
  readonly most: string;
  /** The bound itself is not allowed. */
  readonly isAboveLeast: boolean;
  readonly isBelowMost: boolean;
}

/** The release of these bounds and defaults. */
export const FACTS_VERSION = 'v0.79.0';

/** The known facts about a parameter; undefined for a key in no public release. */
export function knownParameter(key: string): ParameterFact | undefined {
  const line = proposalLine(key) ?? findLine(PARAMETER_FACTS, key);
  return line === undefined ? undefined : readFact(line);
}

/** The first and last release with a removed parameter; undefined for other keys. */
export function removedParameter(key: string): { readonly since: string; readonly until: string } | undefined {
  const [, since, until] = findLine(REMOVED_PARAMETERS, key)?.split(' | ') ?? [];
  return since === undefined || until === undefined ? undefined : { since: `v${since}`, until: `v${until}` };
}

// Other text could match the middle of a line.
function findLine(text: string, key: string): string | undefined {
  const start = /^\w+(?:\.\w+)+$/.test(key) ? text.indexOf(`\n${key} | `) : -1;
  return start < 0 ? undefined : text.slice(start + 1, text.indexOf('\n', start + 1));
}

/** The known facts about a key without a meaning. */
export function describeUnknownKey(key: string): string {
  const removed = removedParameter(key);
  if (removed === undefined) return `no public release up to ${FACTS_VERSION} has this key`;
  const { since, until } = removed;
  return since === until ? `only release ${since} had this key` : `only the releases ${since} to ${until} had this key`;
}

function readFact(line: string): ParameterFact {
  const [, kinds = '', bounds = '', byDefault = '', since = '', meaning = '', rule = ''] = line.split(' | ');
  const [kind = '', unit = kind] = kinds.split(' ');
  const [release = '', effect] = since.split(' ');
  return {
    kind,
    unit: parseUnit(unit),
    bounds: readBounds(bounds),
    byDefault,
    since: `v${release}`,
    effect: effect === 'deprecated' || effect === 'unused' || effect === 'locked' ? effect : 'usual',
    meaning,
    rule,
  };
}

function readBounds(text: string): Bounds {
  const [least = '', most = ''] = text.split(/ ?\.\. ?/);
  return {
    least: least.replace('>', ''),
    most: most.replace('<', ''),
    isAboveLeast: least.startsWith('>'),
    isBelowMost: most.startsWith('<'),
  };
}
