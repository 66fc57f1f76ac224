import type { Range } from '../../insight/range.ts';
import { clipSpans, createStatement, type Statement } from '../../insight/statement.ts';
import { type CurrentFeeEpoch, chosenEpochs, newestCompleteEpoch } from './current-fee-epoch.ts';
import type { EpochChoice, FeeQuery } from './fee-node.ts';
import type { AmmIncome, FetchedFees } from './fetch-fees.ts';

export interface FeeStatement extends Statement {
  readonly query: FeeQuery;
  /** Null if the newest epoch is unknown. */
  readonly epochs: Range | null;
  /** How the epochs were chosen, in words. */
  readonly span: string;
  /** What the amounts include. */
  readonly basis: string;
  readonly ammIncome: AmmIncome;
  readonly requests: number;
  /** Explains the words in the lines. */
  readonly notes: readonly string[];
}

/** Whether the fetched fees are enough for a statement of these epochs. */
export const covers = ({ head, spans }: FetchedFees, choice: EpochChoice): boolean => {
  const chosen = chosenEpochs(choice, head);
  return chosen === null || spans.some(({ from }) => from <= chosen.from);
};

/** The statement of the chosen epochs, which the fees must cover. */
export function feeStatement(fetched: FetchedFees, choice: EpochChoice): FeeStatement {
  const { query, head, rows, requests, ammIncome } = fetched;
  const { party, market, asset } = query;
  const epochs = chosenEpochs(choice, head);
  const spans = epochs === null ? [] : clipSpans(fetched.spans, epochs);
  const statement = createStatement({ party, market, asset, spans, rows });
  return {
    ...statement,
    problems: [...fetched.problems, ...statement.problems],
    query,
    epochs,
    span: spanText(epochs, choice, head),
    basis: `${ammText(ammIncome, head)}allocated, before penalties and bonuses`,
    ammIncome,
    requests,
    notes: [
      ...statementNotes(statement, query),
      ...(fetched.ofMarkets === undefined
        ? []
        : [`only the ${fetched.ofMarkets} markets that the node lists were asked`]),
    ],
  };
}

function spanText(epochs: Range | null, choice: EpochChoice, head: CurrentFeeEpoch): string {
  if (epochs === null)
    return head.open === 0n
      ? 'no epoch: epoch 0 is not over'
      : 'no epoch: the node has no fees and does not report its newest epoch';
  const { from, to } = epochs;
  const range = from === to ? `epoch ${from}` : `epochs ${from} to ${to}`;
  if (choice.kind === 'range') return to > (newestCompleteEpoch(head) ?? -1n) ? `${range}: ${newestText(head)}` : range;
  return `${range}, ${choice.kind === 'all' ? 'all' : `the last ${choice.count}`}: ${newestText(head)}`;
}

function newestText(head: CurrentFeeEpoch): string {
  const over = newestCompleteEpoch(head);
  return head.open !== undefined && (over ?? -1n) < head.open
    ? `epoch ${head.open} is not over`
    : `${over ?? 'none'} is the newest with fees`;
}

function ammText(income: AmmIncome, { version }: CurrentFeeEpoch): string {
  switch (income) {
    case 'all':
      return '';
    case 'included':
      return 'with AMM income; ';
    case 'not-offered':
      return `no AMM income (${version} has no AMMs); `;
    case 'refused':
      return 'without AMM income (the node refused it); ';
    case 'unknown':
      return 'AMM income unknown (no version stated); ';
  }
}

function statementNotes({ lines, totals }: Statement, { party }: FeeQuery): readonly string[] {
  const has = (kind: (typeof lines)[number]['kind']): boolean => lines.some(line => line.kind === kind);
  return [
    ...(has('none')
      ? [`none: the node has no fees ${party === '' ? 'of the market' : 'of the party'} in that epoch`]
      : []),
    ...(has('not-known') ? ['not known: the node did not show all fees of that epoch'] : []),
    ...(has('open') ? ['not over: fees are allocated at the end of an epoch'] : []),
    ...(party !== '' && totals.length > 0
      ? ['a share counts only the markets and epochs in which the party had an amount']
      : []),
  ];
}
