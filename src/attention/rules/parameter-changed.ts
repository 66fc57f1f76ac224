import { createHash } from 'node:crypto';
import { shortenName } from '../../base/text/shorten-name.ts';
import { jsonText } from '../../chain/api/json.ts';
import type { Kind } from '../../chain/insight/kind.ts';
import { isSameValue, valueMeaningKey } from '../../chain/resources/meaning.ts';
import { networkParameters, parameterKind } from '../../chain/resources/network-parameters.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { type MemoryRuleResult, type RuleFinding, unknownFinding } from './rule.ts';
import type { Loading } from './rule-input.ts';

export const PARAMETER_CHANGED = { id: 'parameter-changed', about: 'changed parameters' } as const;

/** The accepted value of each parameter; a long one by its digest. */
export type ParameterMemory = ReadonlyMap<string, string>;

/** Compares the parameters with the accepted ones. A partial list shows changes, but not removals. */
export function compareParameters(
  source: Loading<readonly Row[]>,
  accepted: ParameterMemory | null,
): MemoryRuleResult<ParameterMemory> {
  if (source.kind !== 'read')
    return {
      findings: [
        unknownFinding(
          `changed parameters: not known, because they could not be read: ${source.kind === 'unread' ? source.why : 'not asked'}`,
        ),
      ],
      memory: accepted,
    };
  const now = parametersToRemember(source.value);
  const partly =
    source.gap === '' ? [] : [unknownFinding(`changed parameters: only ${now.size} could be compared: ${source.gap}`)];
  if (now.size > MAX_PARAMETERS)
    return {
      findings: [unknownFinding(`changed parameters: not known, because there are more than ${MAX_PARAMETERS}`)],
      memory: accepted,
    };
  // An empty list would make every parameter new the next time.
  if (now.size === 0)
    return {
      findings: [unknownFinding('changed parameters: not known, because the node lists none')],
      memory: accepted,
    };
  if (accepted === null) return { findings: partly, memory: source.gap === '' ? now : null };
  const texts = new Map(source.value.map(({ key, value }) => [jsonText(key), jsonText(value)]));
  const changed = [...texts].flatMap(([name, text]) => {
    const key = shortenByDigest(name);
    const before = accepted.get(key);
    const value = shownValue(shortenByDigest(text));
    if (before === undefined) return [changeFinding(key, `parameter ${shortenName(key)} is new: ${value}`)];
    return isSameAsRemembered(before, text, parameterKind(name))
      ? []
      : [changeFinding(key, `parameter ${shortenName(key)} is ${value}, was ${shownValue(before)}`)];
  });
  const removed = [...accepted]
    .filter(([key]) => source.gap === '' && !now.has(key))
    .map(([key, value]) => changeFinding(key, `parameter ${shortenName(key)} is gone, was ${shownValue(value)}`));
  return { findings: [...changed, ...removed, ...partly], memory: accepted };
}

const changeFinding = (key: string, sentence: string): RuleFinding => ({
  severity: 'warning',
  sentence,
  resource: networkParameters.id,
  key,
});

/** The parameters in the form that is stored. */
export const parametersToRemember = (rows: readonly Row[]): ParameterMemory =>
  new Map(
    rows.map(({ key, value }) => [
      shortenByDigest(jsonText(key)),
      valueToRemember(jsonText(value), parameterKind(jsonText(key))),
    ]),
  );

/** Replaces a long value by the digest of its meaning, so that a document in another order is the same. */
const valueToRemember = (text: string, kind: Kind): string =>
  shortenByDigest(text) === text ? text : sha256Digest(valueMeaningKey(kind, text));

/** Whether a remembered value is still the same, as `diff` compares values. Earlier releases had digests of texts. */
function isSameAsRemembered(before: string, text: string, kind: Kind): boolean {
  if (!DIGEST.test(before)) return isSameValue(kind, before, text);
  return [valueMeaningKey(kind, text), text].some(one => sha256Digest(one) === before);
}

/** So that no node can fill the disk. */
const MAX_PARAMETERS = 10_000;
const MAX_VALUE_LENGTH = 200;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const shortenByDigest = (text: string): string =>
  text.length <= MAX_VALUE_LENGTH && !DIGEST.test(text) ? text : sha256Digest(text);

const sha256Digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const shownValue = (value: string): string =>
  DIGEST.test(value) ? 'a longer value' : value === '' ? 'empty' : shortenName(value);
