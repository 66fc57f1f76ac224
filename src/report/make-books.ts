import type { QuestionContext } from '../answers/index.ts';
import { hledgerJournal } from './journal.ts';
import type { ReportGround, ReportRequest } from './make-report.ts';
import { type Events, rotkiEvents } from './rotki.ts';

type Ground = Pick<ReportGround, 'dataset' | 'names' | 'saved' | 'program' | 'signal'>;

/** The journal of a party for hledger. Throws AnswerError without a ledger. */
export async function makeJournal(request: ReportRequest, ground: Ground): Promise<string> {
  const { partyBalances, partyHoldings, partyMoves, reasonWords, tablesOutside } = await import('../answers/index.ts');
  const context = contextOf(request, ground);
  tablesOutside(context, ['ledger']);
  const outside = tablesOutside(context, ['ledger', 'balances']);
  const hasBalances = ground.dataset.tables.some(({ name }) => name === 'balances' && !outside.has(name));
  return hledgerJournal({
    party: request.party,
    chainId: ground.dataset.chainId,
    program: ground.program,
    names: ground.names,
    moves: await partyMoves(context),
    reasonOf: reasonWords,
    balances: hasBalances
      ? { holdings: (await partyHoldings(context)).rows, held: await partyBalances(context) }
      : null,
  });
}

/** The events of a party for rotki. Throws AnswerError without a ledger. */
export async function makeEvents(
  request: ReportRequest,
  ground: Ground,
  identifiers: ReadonlyMap<string, string>,
): Promise<Events> {
  const { partyMoves, reasonWords, tablesOutside } = await import('../answers/index.ts');
  const context = contextOf(request, ground);
  tablesOutside(context, ['ledger']);
  const moves = await partyMoves(context);
  return rotkiEvents({ moves, reasonOf: reasonWords, names: ground.names, identifiers });
}

function contextOf(
  { party, asset, from, to }: ReportRequest,
  { dataset, names, saved, signal }: Ground,
): QuestionContext {
  return {
    ...{ dataset, names, saved, signal },
    values: {
      parties: [party],
      ...(asset !== undefined && { asset }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    },
  };
}
