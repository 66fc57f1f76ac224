import { createHash } from 'node:crypto';
import { jsonText } from '../api/json.ts';
import { plainDecimal } from '../insight/decimal.ts';
import { readDuration } from '../insight/duration.ts';
import { networkParameters } from '../resources/network-parameters.ts';
import type { Row } from '../resources/resource.ts';
import { shortName } from '../text/short-name.ts';
import { type Compared, type RuleFinding, unknown } from './rule.ts';
import type { Loading } from './seen.ts';

export const PARAMETER_CHANGED = { id: 'parameter-changed', about: 'changed parameters' } as const;

/** The accepted value of each parameter; a long one by its digest. */
export type ParameterMemory = ReadonlyMap<string, string>;

/** Compares the parameters with the accepted ones. A list in part shows what changed, but not what was removed. */
export function compareParameters(
  source: Loading<readonly Row[]>,
  accepted: ParameterMemory | null,
): Compared<ParameterMemory> {
  if (source.kind !== 'read')
    return {
      findings: [
        unknown(
          `changed parameters: not known, because they could not be read: ${source.kind === 'unread' ? source.why : 'not asked'}`,
        ),
      ],
      memory: accepted,
    };
  const now = parametersIn(source.value);
  const partly =
    source.gap === '' ? [] : [unknown(`changed parameters: only ${now.size} could be compared: ${source.gap}`)];
  if (now.size > MOST_PARAMETERS)
    return {
      findings: [unknown(`changed parameters: not known, because there are more than ${MOST_PARAMETERS}`)],
      memory: accepted,
    };
  // An empty list would make every parameter new the next time.
  if (now.size === 0)
    return { findings: [unknown('changed parameters: not known, because the node lists none')], memory: accepted };
  if (accepted === null) return { findings: partly, memory: source.gap === '' ? now : null };
  const changed = [...now].flatMap(([key, value]) => {
    const before = accepted.get(key);
    if (before === undefined) return [change(key, `parameter ${shortName(key)} is new: ${shown(value)}`)];
    return isSame(before, value)
      ? []
      : [change(key, `parameter ${shortName(key)} is ${shown(value)}, before ${shown(before)}`)];
  });
  const removed = [...accepted]
    .filter(([key]) => source.gap === '' && !now.has(key))
    .map(([key, value]) => change(key, `parameter ${shortName(key)} is gone, before ${shown(value)}`));
  return { findings: [...changed, ...removed, ...partly], memory: accepted };
}

const change = (key: string, sentence: string): RuleFinding => ({
  severity: 'warning',
  sentence,
  resource: networkParameters.id,
  key,
});

/** The parameters as they are remembered. */
export const parametersIn = (rows: readonly Row[]): ParameterMemory =>
  new Map(rows.map(({ key, value }) => [cut(jsonText(key)), cut(jsonText(value))]));

/** So that no node can fill the disk. */
const MOST_PARAMETERS = 10_000;
const LONGEST = 200;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const cut = (text: string): string =>
  text.length <= LONGEST && !DIGEST.test(text) ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;

const shown = (value: string): string =>
  DIGEST.test(value) ? 'a longer value' : value === '' ? 'empty' : shortName(value);

/** `24h` and `24h0m0s`, `0.5` and `0.50` are the same value. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [left, right] = [meaningOf(one), meaningOf(other)];
  return left !== undefined && left === right;
}

function meaningOf(value: string): string | undefined {
  const decimal = plainDecimal(value);
  if (decimal !== undefined) return `number ${decimal}`;
  const ns = readDuration(value);
  return ns === undefined ? undefined : `duration ${ns}`;
}
