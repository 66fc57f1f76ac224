import { type Directory, plainNameOf, unitOfAsset } from '../../chain/directory/directory.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { groupDigits, toWholeUnits } from '../../chain/insight/decimal.ts';
import type { Audit, CheckResult, NamedDifference } from './result.ts';

/** Differences of a check that are printed; -o json has more. */
const MAX_SHOWN_DIFFERENCES = 10;

/** An audit for people. Lines may hold names that nodes gave. */
interface AuditText {
  /** The verdict, and a table with a line for each check: those that need a look come first. */
  readonly summary: readonly string[];
  /** The differences, and what the checks cannot detect. */
  readonly details: readonly string[];
}

export function auditText({ verdict, reason, checks }: Audit, names: Directory): AuditText {
  const ordered = STATES.flatMap(state => checks.filter(check => stateOf(check) === state));
  const blind = ordered.filter(({ unjudged }) => unjudged === undefined);
  const isSaid = checks.every(({ unjudged }) => unjudged !== undefined && unjudged === checks[0]?.unjudged);
  return {
    summary: [
      `${verdict}: ${countsText(checks, isSaid)}`,
      reason,
      '',
      tableLine('RESULT', 'COMPARED', 'CHECK'),
      ...ordered.map(check => tableLine(stateOf(check), valuesText(check), checkText(check, isSaid))),
    ],
    details: [
      ...ordered.flatMap(check => detailLines(check, names)),
      '',
      'The checks cannot detect:',
      ...blind.flatMap(({ name, blindSpots }) => blindSpots.map(spot => `  ${name}: ${spot}`)),
    ],
  };
}

/** How a check ended, what needs a look first. */
const STATES = ['differs', 'look', 'not made', 'ok', 'nothing to compare'] as const;

/** `16 ok · 0 differ · 4 not made (orders not exported) · 1 had nothing to compare` */
function countsText(checks: readonly CheckResult[], isSaid: boolean): string {
  const count = (state: (typeof STATES)[number]): number => checks.filter(check => stateOf(check) === state).length;
  const why = [...new Set(checks.flatMap(({ unjudged }) => unjudged ?? []))].join('; ');
  const isShort = !isSaid && why.length <= MAX_WHY_LENGTH;
  const [looks, notMade, empty] = [count('look'), count('not made'), count('nothing to compare')];
  return [
    `${count('ok')} ok`,
    `${count('differs')} differ`,
    ...(looks === 0 ? [] : [`${looks} worth a look`]),
    ...(notMade === 0 ? [] : [`${notMade} not made${isShort ? ` (${why})` : ''}`]),
    ...(empty === 0 ? [] : [`${empty} had nothing to compare`]),
  ].join(' \u00b7 ');
}

/** Longer reasons stand in the rows alone. */
const MAX_WHY_LENGTH = 60;

/** A reason that all checks share is in the sentence above them. */
const checkText = ({ name, title, unjudged }: CheckResult, isSaid: boolean): string =>
  `${name}: ${title}${unjudged === undefined || isSaid ? '' : ` (${unjudged})`}`;

function stateOf({ unjudged, total, kind, compared }: CheckResult): (typeof STATES)[number] {
  if (unjudged !== undefined) return 'not made';
  if (total > 0) return kind === 'look' ? 'look' : 'differs';
  return compared.values === 0 ? 'nothing to compare' : 'ok';
}

/** The values that were compared. */
const valuesText = ({ unjudged, compared }: CheckResult): string =>
  unjudged === undefined ? countText(compared.values) : '-';

const STATE_CELLS = Math.max(...STATES.map(state => state.length));

const tableLine = (state: string, values: string, check: string): string =>
  `${state.padEnd(STATE_CELLS)} ${values.padStart(9)}  ${check}`;

/** The differences of a check. One that agrees, or was not made, has none. */
function detailLines(check: CheckResult, names: Directory): readonly string[] {
  const { name, differences, total } = check;
  if (total === 0) return [];
  const shown = differences.slice(0, MAX_SHOWN_DIFFERENCES);
  const more = total - shown.length;
  return [
    '',
    `${name}: ${countOf(total, 'difference')}${check.kind === 'look' ? ', worth a look' : ''}; compared ${comparedText(check)}`,
    ...shown.map(difference => `  ${differenceText(difference, names)}`),
    ...(more > 0 ? [`  and ${countText(more)} more, ${countText(total)} in all`] : []),
  ];
}

function comparedText({ compared, agreed }: CheckResult): string {
  const { values, accounts, blocks, rows } = compared;
  if (values === 0) return `nothing: there was nothing to compare in ${countOf(rows, 'row')}`;
  const among = [
    ...(accounts > 0 ? [countOf(accounts, 'account')] : []),
    ...(blocks > 0 ? [countOf(blocks, 'block')] : []),
  ];
  const of = among.length === 0 ? '' : ` of ${among.join(' in ')}`;
  return `${countOf(values, 'value')}${of}, from ${countOf(rows, 'row')}: ${values === agreed ? 'all agree' : `${countText(agreed)} ${agreed === 1 ? 'agrees' : 'agree'}`}`;
}

function differenceText(difference: NamedDifference, names: Directory): string {
  const { what, amount, amounts, block, time, account, party, asset, market, type } = difference;
  const unit = asset === null ? undefined : unitOfAsset(names, asset);
  const inUnits = (exact: string): string => {
    const scaledText = unit === undefined ? undefined : toWholeUnits(exact, unit.decimals);
    return scaledText === undefined ? groupDigits(exact) : `${groupDigits(scaledText)} ${unit?.symbol}`;
  };
  const parts = [
    block === null ? time : `block ${block}`,
    party === null ? null : `party ${party}`,
    type === null ? null : `${type} account`,
    market === null ? null : `market ${plainNameOf(names, 'market', market) ?? market}`,
    asset === null ? null : `asset ${plainNameOf(names, 'asset', asset) ?? asset}`,
    party === null && account !== null ? `account ${account}` : null,
    ...Object.entries(amounts ?? (amount === null ? {} : { amount })).map(([of, exact]) => `${of} ${inUnits(exact)}`),
  ].filter(part => part !== null);
  return [what, ...parts].join(', ');
}

interface FetchFrom {
  /** Of the node. */
  readonly nodeFlags?: readonly string[];
  /** The audit was of the history on disk. */
  readonly isHistory?: boolean;
}

/** The commands that fetch the rows missing for a verdict. */
export function fetchLines(
  { verdict, missing }: Audit,
  { nodeFlags = [], isHistory = false }: FetchFrom = {},
): readonly string[] {
  if (missing.length === 0) return [];
  const command = isHistory
    ? ['blockglass fetch', ...nodeFlags, '--tables']
    : ['blockglass export', ...nodeFlags, '--table'];
  const commands = missing.map(
    ({ table, blocks }) =>
      `  ${command.join(' ')} ${table}${blocks === undefined ? '' : ` --from ${blocks.from} --to ${blocks.to}`}`,
  );
  const why = verdict === 'cannot-be-judged' ? 'Fetch the missing tables, then audit again:' : 'Missing tables:';
  return [why, ...commands];
}
