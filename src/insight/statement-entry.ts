import { ammPartyOf } from './amm-party.ts';
import { epochNumber, type FeeRow, sharePercent, sumOf, topParty, wholeAmount } from './paid-fees.ts';
import type { AllocatedLine, UnreadableLine } from './statement-line.ts';

/** What one row says, before anything is added up. */
export interface Entry {
  readonly epoch: bigint;
  readonly line: AllocatedLine | UnreadableLine;
}

export interface ReadRows {
  /** One for each market, asset and epoch at most. */
  readonly entries: readonly Entry[];
  readonly problems: readonly ReadProblem[];
}

/** What is wrong with what came; of an epoch, or null. */
export interface ReadProblem {
  readonly epoch: bigint | null;
  readonly text: string;
}

/** What the rows have for the party, each for itself; '': for everybody. */
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
    const tell = (text: string): void =>
      void problems.push({ epoch: first.epoch, text: `epoch ${first.epoch}: ${text}` });
    return entryOf(first.epoch, { rows: same.map(({ row }) => row), party, tell });
  });
  return { entries, problems };
}

interface Same {
  readonly rows: readonly FeeRow[];
  readonly party: string;
  readonly tell: (problem: string) => void;
}

function entryOf(epoch: bigint, { rows, party, tell }: Same): readonly Entry[] {
  const [row] = rows;
  if (row === undefined) return [];
  const place = { market: row.market, asset: row.asset, epoch: String(epoch) };
  const unreadable = (why: string): readonly Entry[] => {
    tell(`${why}: in no sum`);
    return [{ epoch, line: { kind: 'unreadable', ...place, why } }];
  };
  // A market has one row for an epoch: of two nobody can say which is right.
  if (rows.length > 1) return unreadable(`${rows.length} rows came for one market and asset`);
  const found = party === '' ? { amount: row.totalFeesPaid, ammAmount: '0' } : partyAmount(row, party);
  if (found === undefined) return [];
  if ('why' in found) return unreadable(found.why);
  const amount = wholeAmount(found.amount);
  if (amount === undefined) return unreadable('the amount is no whole number');
  for (const problem of doubtsAbout(row, party, amount)) tell(problem);
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

/** What the row has for the party and its AMM; undefined when it names others and neither of these. */
function partyAmount(row: FeeRow, party: string): PartyAmount | undefined {
  const named = (id: string) => row.feesPaidPerParty.filter(other => other.party.toLowerCase() === id);
  const [own, amm] = [named(party.toLowerCase()), named(ammPartyOf(party, row.market))];
  if (own.length > 1) return { why: 'the party is in the row more than once' };
  if (amm.length > 1) return { why: 'the AMM of the party is in the row more than once' };
  if (own.length + amm.length > 0) {
    const amount = sumOf([...own, ...amm].map(paid => paid.amount));
    return amount === undefined
      ? { why: 'the amount is no whole number' }
      : { amount, ammAmount: sumOf(amm.map(paid => paid.amount)) ?? '0' };
  }
  const isNameless = row.feesPaidPerParty.length === 0 || row.feesPaidPerParty.some(other => other.party === '');
  return isNameless ? { why: 'the row does not name the parties' } : undefined;
}

function doubtsAbout(row: FeeRow, party: string, amount: bigint): readonly string[] {
  const total = wholeAmount(row.totalFeesPaid);
  if (total === undefined) return ['the total of the market is no whole number: no share'];
  if (party !== '') return amount > total ? ['the party has more than the whole market'] : [];
  const sum = sumOf(row.feesPaidPerParty.map(paid => paid.amount));
  if (sum === undefined) return ['the amount of a party is no whole number'];
  return BigInt(sum) === total ? [] : [`the parties have ${sum} together, the total is ${total}`];
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
