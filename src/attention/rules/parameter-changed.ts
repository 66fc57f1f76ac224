import { createHash } from 'node:crypto';
import { shortName } from '../../base/text/short-name.ts';
import { jsonText } from '../../chain/api/json.ts';
import type { Kind } from '../../chain/insight/kind.ts';
import { isSameValue, meaningOfValue } from '../../chain/resources/meaning.ts';
import { kindOfParameter, networkParameters } from '../../chain/resources/network-parameters.ts';
import type { Row } from '../../chain/resources/resource.ts';
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
  const texts = new Map(source.value.map(({ key, value }) => [jsonText(key), jsonText(value)]));
  const changed = [...texts].flatMap(([name, text]) => {
    const key = cut(name);
    const before = accepted.get(key);
    const value = shown(cut(text));
    if (before === undefined) return [change(key, `parameter ${shortName(key)} is new: ${value}`)];
    return isStill(before, text, kindOfParameter(name))
      ? []
      : [change(key, `parameter ${shortName(key)} is ${value}, was ${shown(before)}`)];
  });
  const removed = [...accepted]
    .filter(([key]) => source.gap === '' && !now.has(key))
    .map(([key, value]) => change(key, `parameter ${shortName(key)} is gone, was ${shown(value)}`));
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
  new Map(
    rows.map(({ key, value }) => [cut(jsonText(key)), remembered(jsonText(value), kindOfParameter(jsonText(key)))]),
  );

/** A long value by the digest of what it means, so that a document in another order is the same. */
const remembered = (text: string, kind: Kind): string =>
  cut(text) === text ? text : digestOf(meaningOfValue(kind, text));

/** Whether a remembered value is still the same, as `diff` compares values. Earlier releases had digests of texts. */
function isStill(before: string, text: string, kind: Kind): boolean {
  if (!DIGEST.test(before)) return isSameValue(kind, before, text);
  return [meaningOfValue(kind, text), text].some(one => digestOf(one) === before);
}

/** So that no node can fill the disk. */
const MOST_PARAMETERS = 10_000;
const LONGEST = 200;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const cut = (text: string): string => (text.length <= LONGEST && !DIGEST.test(text) ? text : digestOf(text));

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const shown = (value: string): string =>
  DIGEST.test(value) ? 'a longer value' : value === '' ? 'empty' : shortName(value);
