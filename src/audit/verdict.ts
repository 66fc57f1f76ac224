import { countOf, countText } from '../insight/count-of.ts';
import type { Audit, CheckResult } from './result.ts';

interface About {
  /** `blocks 1 to 1000` */
  readonly blocks: string;
  readonly party: string | undefined;
}

/** The verdict on the results of all checks. What is worth a look never changes it. */
export function verdictOfChecks(results: readonly CheckResult[], about: About): Pick<Audit, 'verdict' | 'reason'> {
  const deciding = results.filter(({ kind }) => kind === 'differs');
  const differences = sum(deciding, ({ total }) => total);
  if (differences > 0) {
    const names = deciding.flatMap(({ name, total }) => (total > 0 ? [name] : []));
    return { verdict: 'differs', reason: `${countOf(differences, 'difference')}: ${names.join(', ')}` };
  }
  const unjudged = deciding.filter(result => result.unjudged !== undefined);
  if (unjudged.length > 0) {
    const first = unjudged[0];
    const others = unjudged.length === 1 ? '' : ` (and ${countOf(unjudged.length - 1, 'more check')})`;
    return { verdict: 'cannot-be-judged', reason: `${first?.name}: ${first?.unjudged}${others}` };
  }
  const values = sum(deciding, ({ compared }) => compared.values);
  const steps = sum(
    deciding.filter(({ name }) => BALANCES.includes(name)),
    ({ compared }) => compared.values,
  );
  if (about.party !== undefined && values === 0)
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
  return {
    verdict: 'adds-up',
    reason: `${whose} adds up in ${about.blocks}: ${countOf(values, 'value')} compared, ${values === 1 ? 'it agrees' : 'all agree'}${looks(results)}`,
  };
}

const BALANCES: readonly string[] = ['balance-steps', 'boundaries'];

function looks(results: readonly CheckResult[]): string {
  const total = sum(
    results.filter(({ kind }) => kind === 'look'),
    result => result.total,
  );
  return total === 0 ? '' : `; ${countText(total)} more ${total === 1 ? 'is' : 'are'} worth a look`;
}

const sum = (results: readonly CheckResult[], of: (result: CheckResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);
