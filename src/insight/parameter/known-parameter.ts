import { PARAMETER_FACTS } from './facts.ts';
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
  if (!/^\w+(?:\.\w+)+$/.test(key)) return undefined;
  const start = PARAMETER_FACTS.indexOf(`\n${key} | `);
  const line =
    start < 0 ? proposalLine(key) : PARAMETER_FACTS.slice(start + 1, PARAMETER_FACTS.indexOf('\n', start + 1));
  return line === undefined ? undefined : factOf(line);
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
