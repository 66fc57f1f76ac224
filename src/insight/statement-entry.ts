import { ammPartyOf } from './amm-party.ts';
import { epochNumber, type FeeRow, sharePercent, sumOf, topParty, wholeAmount } from './paid-fees.ts';
import type { AllocatedLine, UnreadableLine } from './statement-line.ts';

/** The entry of one row, before anything is added up. */
export interface Entry {
  readonly epoch: bigint;
  readonly line: AllocatedLine | UnreadableLine;
}

export interface ReadRows {
  /** At most one for each market, asset and epoch. */
  readonly entries: readonly Entry[];
  readonly problems: readonly ReadProblem[];
}

/** What is wrong with the rows of an epoch, or of none in particular (null). */
export interface ReadProblem {
  readonly epoch: bigint | null;
  readonly text: string;
}

/** What each row has for the party, or for everybody ('' as party). */
export function readEntries(rows: readonly FeeRow[], party: string): ReadRows {
  const problems: ReadProblem[] = [];
  const dated = rows.flatMap(row => {
    const epoch = epochNumber(row.epochSeq);
    return epoch === undefined ? [] : [{ epoch, row }];
  });
  const strays = rows.length - dated.length;
  if (strays > 0)
    problems.push({ epoch: null, text: `${strays === 1 ? '1 row' : `${strays} rows`} without an epoch: left out` });
  const groups = Map.groupBy(dated, ({ epoch, row }) => `${epoch}/${row.market}/${row.asset}`.toLowerCase());
  const entries = [...groups.values()].flatMap(same => {
    const [first] = same;
    if (first === undefined) return [];
    const report = (text: string): void =>
      void problems.push({ epoch: first.epoch, text: `epoch ${first.epoch}: ${text}` });
    return entryOf(first.epoch, { rows: same.map(({ row }) => row), party, report });
  });
  return { entries, problems };
}

interface Same {
  readonly rows: readonly FeeRow[];
  readonly party: string;
  readonly report: (problem: string) => void;
}

function entryOf(epoch: bigint, { rows, party, report }: Same): readonly Entry[] {
  const [row] = rows;
  if (row === undefined) return [];
  const place = { market: row.market, asset: row.asset, epoch: String(epoch) };
  const unreadable = (why: string): readonly Entry[] => {
    report(`${why}: not in any total`);
    return [{ epoch, line: { kind: 'unreadable', ...place, why } }];
  };
  // A market has one row per epoch: of two, neither can be trusted.
  if (rows.length > 1) return unreadable(`${rows.length} rows for one market and asset`);
  const found = party === '' ? { amount: row.totalFeesPaid, ammAmount: '0' } : partyAmount(row, party);
  if (found === undefined) return [];
  if ('why' in found) return unreadable(found.why);
  const amount = wholeAmount(found.amount);
  if (amount === undefined) return unreadable('the amount is not a whole number');
  for (const problem of doubtsAbout(row, party, amount)) report(problem);
  const line: AllocatedLine = {
    kind: 'allocated',
    ...place,
    amount: String(amount),
    ammAmount: found.ammAmount,
    marketTotal: row.totalFeesPaid,
    share: sharePercent(String(amount), row.totalFeesPaid) ?? '',
    running: '',
    ...peopleOf(row, party),
  };
  return [{ epoch, line }];
}

type PartyAmount = Pick<AllocatedLine, 'amount' | 'ammAmount'> | { readonly why: string };

/** What the row has for the party and its AMM; undefined if it names only others. */
function partyAmount(row: FeeRow, party: string): PartyAmount | undefined {
  const named = (id: string) => row.feesPaidPerParty.filter(other => other.party.toLowerCase() === id);
  const [own, amm] = [named(party.toLowerCase()), named(ammPartyOf(party, row.market))];
  if (own.length > 1) return { why: 'the party is in the row more than once' };
  if (amm.length > 1) return { why: 'the AMM of the party is in the row more than once' };
  if (own.length + amm.length > 0) {
    const amount = sumOf([...own, ...amm].map(paid => paid.amount));
    return amount === undefined
      ? { why: 'the amount is not a whole number' }
      : { amount, ammAmount: sumOf(amm.map(paid => paid.amount)) ?? '0' };
  }
  const isNameless = row.feesPaidPerParty.length === 0 || row.feesPaidPerParty.some(other => other.party === '');
  return isNameless ? { why: 'the row does not name the parties' } : undefined;
}

function doubtsAbout(row: FeeRow, party: string, amount: bigint): readonly string[] {
  const total = wholeAmount(row.totalFeesPaid);
  if (total === undefined) return ['the market total is not a whole number: no share'];
  if (party !== '') return amount > total ? ['the party has more than the whole market'] : [];
  const sum = sumOf(row.feesPaidPerParty.map(paid => paid.amount));
  if (sum === undefined) return ['the amount of a party is not a whole number'];
  return BigInt(sum) === total ? [] : [`the parties add up to ${sum}, the total is ${total}`];
}

function peopleOf(row: FeeRow, party: string): Pick<AllocatedLine, 'parties' | 'top'> {
  if (party !== '') return { parties: null, top: null };
  const top = topParty(row);
  const share = top === undefined ? undefined : sharePercent(top.amount, row.totalFeesPaid);
  return {
    parties: row.feesPaidPerParty.length,
    top: top === undefined ? null : { party: top.party, amount: top.amount, share: share ?? '' },
  };
}
