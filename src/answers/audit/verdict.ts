import { countOf, countText } from '../../chain/insight/count-of.ts';
import type { Audit, AuditCounts, CheckResult } from './result.ts';

interface VerdictSubject {
  /** `blocks 1 to 1000` */
  readonly blocks: string;
  readonly party: string | undefined;
  readonly lastRows: Audit['lastRows'];
}

/** The verdict on the results of all checks. Values worth a look never change it. */
export function verdictOfChecks(
  results: readonly CheckResult[],
  about: VerdictSubject,
): Pick<Audit, 'verdict' | 'reason'> {
  const { verdict, reason } = decideVerdict(results, about);
  return { verdict, reason: `${reason}${endsText(about)}` };
}

/** How much the checks that decide compared: amounts of money apart from numbers of blocks and rows. */
export function countCompared(results: readonly CheckResult[]): AuditCounts {
  const decided = decidingChecks(results);
  const valuesOf = (of: readonly CheckResult[]): number => sum(of, ({ compared }) => compared.values);
  const money = decided.filter(({ isMoney }) => isMoney);
  const blocks = decided.filter(({ name }) => name === BLOCK_NUMBERS);
  return {
    amounts: valuesOf(money),
    amountsAgreeing: sum(money, ({ agreed }) => agreed),
    blockNumbers: valuesOf(blocks),
    others: valuesOf(decided) - valuesOf(money) - valuesOf(blocks),
  };
}

function decideVerdict(results: readonly CheckResult[], about: VerdictSubject): Pick<Audit, 'verdict' | 'reason'> {
  const decided = decidingChecks(results);
  const differences = sum(decided, ({ total }) => total);
  if (differences > 0) {
    const names = decided.flatMap(({ name, total }) => (total > 0 ? [name] : []));
    const covers = decided.filter(({ name, total }) => total > 0 && COVERS.includes(name));
    const why = covers.flatMap(({ differences: found }) => found.slice(0, 1).map(({ what }) => `: ${what}`))[0] ?? '';
    return { verdict: 'differs', reason: `${countOf(differences, 'difference')} (${names.join(', ')})${why}` };
  }
  const unjudged = decided.filter(result => result.unjudged !== undefined && !result.isOptional);
  const { amounts, blockNumbers } = countCompared(results);
  if (unjudged.length > 0) {
    const first = unjudged[0];
    const others = unjudged.length === 1 ? '' : ` (and ${countOf(unjudged.length - 1, 'more check')})`;
    const agreeing = results.filter(({ compared, total }) => compared.values > 0 && total === 0).length;
    const rest = agreeing === 0 ? '' : `; ${countOf(agreeing, 'other check')} ${agreeing === 1 ? 'agrees' : 'agree'}`;
    return { verdict: 'cannot-be-judged', reason: `${first?.name}: ${first?.unjudged}${others}${rest}` };
  }
  const steps = sum(
    decided.filter(({ name }) => BALANCES.includes(name)),
    ({ compared }) => compared.values,
  );
  if (about.party !== undefined && amounts === 0)
    return {
      verdict: 'cannot-be-judged',
      reason: 'no row that was compared is about an account of this party',
    };
  if (about.party === undefined && steps === 0)
    return {
      verdict: 'cannot-be-judged',
      reason: 'no balance was known before it moved, so no movement can be compared',
    };
  const whose = about.party === undefined ? 'the money' : 'the money of this party';
  const blocks = blockNumbers === 0 ? '' : `; all ${countOf(blockNumbers, 'block number')} in order`;
  return {
    verdict: 'adds-up',
    reason: `${whose} adds up in ${about.blocks}: ${countOf(amounts, 'amount')} compared, ${amounts === 1 ? 'it agrees' : 'all agree'}${worthALookText(results)}${blocks}`,
  };
}

const decidingChecks = (results: readonly CheckResult[]): readonly CheckResult[] =>
  results.filter(({ kind }) => kind === 'differs');

const BLOCK_NUMBERS = 'block-numbers';
const BALANCES: readonly string[] = ['balance-steps', 'boundaries'];
/** Their differences are self-explanatory sentences. */
const COVERS: readonly string[] = ['rewards-in-ledger', 'fees-in-ledger'];

/** The last rows of ledger and balances: a range may extend far beyond them. */
function endsText({ lastRows }: VerdictSubject): string {
  const ends = (['ledger', 'balances'] as const).flatMap(table => {
    const last = lastRows[table];
    if (last === undefined) return [];
    const row = table === 'ledger' ? 'ledger row' : 'balance row';
    if (last === null) return [`there is no ${row}`];
    return [`the last ${row} is ${last.block === null ? `of ${last.time}` : `in block ${last.block}`}`];
  });
  return ends.length === 0 ? '' : `; ${ends.join(', ')}`;
}

function worthALookText(results: readonly CheckResult[]): string {
  const total = sum(
    results.filter(({ kind }) => kind === 'look'),
    result => result.total,
  );
  return total === 0 ? '' : `; ${countText(total)} more ${total === 1 ? 'is' : 'are'} worth a look`;
}

const sum = (results: readonly CheckResult[], of: (result: CheckResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);
