import { epochNumber, type FeeRow, sharePercent, sumOf, topParty, wholeAmount } from './paid-fees.ts';
import type { FeeList, PaidLine, UnreadableLine } from './statement-line.ts';

/** What one row says, before anything is added up. */
export interface Entry {
  readonly epoch: bigint;
  readonly line: PaidLine | UnreadableLine;
}

export interface ReadList {
  /** One for each epoch at most. */
  readonly entries: readonly Entry[];
  /** Epochs of all rows of this market and asset, also of those that have nothing for the party. */
  readonly epochs: readonly bigint[];
  /** A row whose epoch cannot be read may lie in any gap. */
  readonly hasStray: boolean;
  readonly problems: readonly ReadProblem[];
}

/** What is wrong with what came; of an epoch, or null. */
export interface ReadProblem {
  readonly epoch: bigint | null;
  readonly text: string;
}

/** The rows of one market and asset, each for itself. */
export function readEntries(list: FeeList, party: string): ReadList {
  const problems: ReadProblem[] = [];
  const tellOf = (epoch: bigint | null, text: string): void => void problems.push({ epoch, text });
  const own = list.rows.filter(row => isOf(list, row));
  if (own.length < list.rows.length)
    tellOf(null, `${counted(list.rows.length - own.length)} of other markets or assets came: left out`);
  const dated = own.flatMap(row => {
    const epoch = epochNumber(row.epochSeq);
    return epoch === undefined ? [] : [{ epoch, row }];
  });
  if (dated.length < own.length) tellOf(null, `${counted(own.length - dated.length)} without an epoch: left out`);
  const entries = [...Map.groupBy(dated, ({ epoch }) => epoch)].flatMap(([epoch, same]) =>
    entryOf(epoch, list, {
      rows: same.map(({ row }) => row),
      party,
      tell: text => tellOf(epoch, `epoch ${epoch}: ${text}`),
    }),
  );
  return { entries, epochs: dated.map(({ epoch }) => epoch), hasStray: dated.length < own.length, problems };
}

const isOf = ({ market, asset }: FeeList, row: FeeRow): boolean =>
  row.market.toLowerCase() === market.toLowerCase() && row.asset.toLowerCase() === asset.toLowerCase();

const counted = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`);

interface Same {
  readonly rows: readonly FeeRow[];
  readonly party: string;
  readonly tell: (problem: string) => void;
}

function entryOf(epoch: bigint, { market, asset }: FeeList, { rows, party, tell }: Same): readonly Entry[] {
  const place = { market, asset, epoch: String(epoch) };
  const unreadable = (why: string): readonly Entry[] => {
    tell(`${why}: in no sum`);
    return [{ epoch, line: { kind: 'unreadable', ...place, why } }];
  };
  const [row] = rows;
  if (row === undefined) return [];
  // A market pays once in an epoch: of two rows nobody can say which is right.
  if (rows.length > 1) return unreadable(`${rows.length} rows came for one market and asset`);
  const amount = party === '' ? row.totalFeesPaid : partyAmount(row, party);
  if (amount === undefined) return [];
  if (typeof amount !== 'string') return unreadable(amount.why);
  const whole = wholeAmount(amount);
  if (whole === undefined) return unreadable('the amount is no whole number');
  for (const problem of doubtsAbout(row, party, whole)) tell(problem);
  const share = sharePercent(String(whole), row.totalFeesPaid) ?? '';
  const line: PaidLine = {
    kind: 'paid',
    ...place,
    amount: String(whole),
    marketTotal: row.totalFeesPaid,
    share,
    running: '',
    ...peopleOf(row, party),
  };
  return [{ epoch, line }];
}

/** What the row has for the party; undefined when it names all that were paid and the party is not among them. */
function partyAmount(row: FeeRow, party: string): string | { readonly why: string } | undefined {
  const own = row.feesPaidPerParty.filter(paid => paid.party.toLowerCase() === party.toLowerCase());
  if (own.length > 1) return { why: 'the party is in the row more than once' };
  const [paid] = own;
  if (paid !== undefined) return paid.amount;
  const isNameless = row.feesPaidPerParty.length === 0 || row.feesPaidPerParty.some(other => other.party === '');
  return isNameless ? { why: 'the row does not say who was paid' } : undefined;
}

function doubtsAbout(row: FeeRow, party: string, amount: bigint): readonly string[] {
  const total = wholeAmount(row.totalFeesPaid);
  if (total === undefined) return ['the total of the market is no whole number: no share'];
  if (party !== '') return amount > total ? ['the party was paid more than the whole market'] : [];
  const sum = sumOf(row.feesPaidPerParty.map(paid => paid.amount));
  if (sum === undefined) return ['the amount of a party is no whole number'];
  return BigInt(sum) === total ? [] : [`the parties were paid ${sum} together, the total is ${total}`];
}

function peopleOf(row: FeeRow, party: string): Pick<PaidLine, 'parties' | 'top'> {
  if (party !== '') return { parties: null, top: null };
  const top = topParty(row);
  const share = top === undefined ? undefined : sharePercent(top.amount, row.totalFeesPaid);
  return {
    parties: row.feesPaidPerParty.length,
    top: top === undefined ? null : { party: top.party, amount: top.amount, share: share ?? '' },
  };
}
