import { epochNumber } from '../../insight/paid-fees.ts';
import { type Statement, statementOf } from '../../insight/statement.ts';
import type { EpochRange, StatementLine } from '../../insight/statement-line.ts';
import type { FeeQuestion } from './fee-question.ts';
import type { FetchedFees } from './fetch-fees.ts';

/** Which epochs a statement is of. */
export type EpochChoice =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'range' } & EpochRange)
  | { readonly kind: 'last'; readonly count: number };

export interface FeeStatement extends Statement {
  readonly question: FeeQuestion;
  /** Null: all that came. */
  readonly epochs: EpochRange | null;
  /** How the epochs were chosen, in words. */
  readonly span: string;
  readonly requests: number;
  /** What is known, and what is not, in sentences. */
  readonly notes: readonly string[];
}

/** What was paid in the epochs of that choice. */
export function feeStatement(fetched: FetchedFees, choice: EpochChoice): FeeStatement {
  const { question, lists, requests } = fetched;
  const { epochs, span } = spanOf(fetched, choice);
  const statement = statementOf({ party: question.party, epochs, lists });
  return {
    ...statement,
    question,
    epochs,
    span,
    requests,
    notes: [...fetched.notes, ...gapNotes(statement.lines, question), ...shareNotes(statement, question)],
  };
}

function spanOf(fetched: FetchedFees, choice: EpochChoice): Pick<FeeStatement, 'epochs' | 'span'> {
  switch (choice.kind) {
    case 'all':
      return { epochs: null, span: 'every epoch that the node shows' };
    case 'range':
      return { epochs: { from: choice.from, to: choice.to }, span: `epochs ${choice.from} to ${choice.to}` };
    case 'last':
      return lastEpochs(fetched, choice.count);
  }
}

/** Fees of an epoch are paid when it is over: the newest that can have any is the one before that of the node. */
function lastEpochs({ epochNow, newestPaid }: FetchedFees, count: number): Pick<FeeStatement, 'epochs' | 'span'> {
  const ended = epochNow === undefined || epochNow === 0n ? undefined : epochNow - 1n;
  const isEnded = ended !== undefined && (newestPaid === undefined || ended >= newestPaid);
  const to = isEnded ? ended : newestPaid;
  if (to === undefined)
    return { epochs: null, span: 'no epoch: neither the node nor its rows say which is the newest' };
  const from = to - BigInt(count) + 1n;
  const epochs = { from: from < 0n ? 0n : from, to };
  const why = isEnded ? `epoch ${epochNow} is not over` : `${to} is the newest with fees that came`;
  return { epochs, span: `epochs ${epochs.from} to ${to}, the last ${count}: ${why}` };
}

function gapNotes(lines: readonly StatementLine[], { party }: FeeQuestion): readonly string[] {
  const whom = party === '' ? 'on the market' : 'to the party';
  const hasGaps = lines.some(({ kind }) => kind === 'no-payment');
  const unknown = lines.filter(({ kind }) => kind === 'not-known').map(({ epoch }) => epochNumber(epoch) ?? 0n);
  return [
    ...(hasGaps ? [`no payment: the node has no row of that epoch that pays ${whom}`] : []),
    ...(unknown.length > 0
      ? ['not known: the node shows no more rows of this list, rows in no order, or one whose epoch cannot be read']
      : []),
  ];
}

const shareNotes = ({ totals }: Statement, { party }: FeeQuestion): readonly string[] =>
  party === '' || totals.length === 0 ? [] : ['shares are of what the market paid in the epochs with a payment'];
