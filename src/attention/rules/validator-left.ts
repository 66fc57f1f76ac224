import { sanitize } from '../../base/text/safe-text.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { type Directory, subjectName } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { type MemoryRuleResult, type RuleFinding, unknownFinding } from './rule.ts';
import type { Loading } from './rule-input.ts';
import { consensusRole } from './validator-outside.ts';

export const VALIDATOR_LEFT = { id: 'validator-left', about: 'validators that left the consensus set' } as const;

/** The accepted consensus set: names by id in lower case. */
export type ValidatorMemory = ReadonlyMap<string, string>;

interface ValidatorOptions {
  readonly directory: Directory;
  /** Only these matter; undefined for all. */
  readonly only: ReadonlySet<string> | undefined;
}

/** Compares the consensus set with the accepted one. Who joins is accepted. */
export function compareValidators(
  source: Loading<readonly Row[]>,
  accepted: ValidatorMemory | null,
  { directory, only }: ValidatorOptions,
): MemoryRuleResult<ValidatorMemory> {
  if (source.kind !== 'read')
    return { findings: [notKnownFinding(source.kind === 'unread' ? source.why : 'not asked')], memory: accepted };
  const now = new Map(source.value.map(readValidator).map(one => [one.id.toLowerCase(), one]));
  const inside = consensusSet(source.value);
  // Without a set there is nothing to compare with: a node that lists none does not prove that all have left.
  if (inside.size === 0)
    return { findings: [notKnownFinding('the node lists no validator as part of consensus')], memory: accepted };
  const partly =
    source.gap === ''
      ? []
      : [unknownFinding(`${VALIDATOR_LEFT.about}: only ${now.size} could be compared: ${source.gap}`)];
  if (accepted === null) return { findings: partly, memory: source.gap === '' ? inside : null };
  const unclear: string[] = [];
  const left = [...accepted].flatMap(([id, name]): readonly RuleFinding[] => {
    const row = now.get(id);
    const role = row === undefined ? undefined : consensusRole(row.rankingScore.status);
    if (role === 'inside' || (only !== undefined && !only.has(id))) return [];
    if (row === undefined && source.gap !== '') return [];
    if (row !== undefined && role === undefined) unclear.push(id);
    if (row !== undefined && role === undefined) return [];
    const who =
      subjectName(directory, 'node', id) ?? (name === '' ? truncateMiddle(sanitize(id), 12) : shortenName(name));
    const where = row === undefined ? 'the node no longer lists it' : 'it is on standby';
    return [
      {
        severity: 'warning',
        sentence: `validator ${who} left the consensus set: ${where}`,
        resource: validators.id,
        key: id,
      },
    ];
  });
  const roles =
    unclear.length === 0
      ? []
      : [unknownFinding(`the role of ${countOf(unclear.length, 'validator')} is not reported by the node`)];
  return { findings: [...left, ...roles, ...partly], memory: new Map([...inside, ...accepted]) };
}

const notKnownFinding = (why: string): RuleFinding => unknownFinding(`${VALIDATOR_LEFT.about}: not known: ${why}`);

/** The consensus set of a list. */
export const consensusSet = (rows: readonly Row[]): ValidatorMemory =>
  new Map(
    rows
      .map(readValidator)
      .filter(({ id, rankingScore }) => consensusRole(rankingScore.status) === 'inside' && id.length <= MAX_NAME_LENGTH)
      .slice(0, MAX_VALIDATORS)
      .map(({ id, name }) => [id.toLowerCase(), name.slice(0, MAX_NAME_LENGTH).toWellFormed()]),
  );

/** So that no node can fill the disk. */
const MAX_VALIDATORS = 5000;
const MAX_NAME_LENGTH = 100;
