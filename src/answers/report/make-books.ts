import type { QuestionContext } from '../index.ts';
import { hledgerJournal } from './journal.ts';
import type { ReportGround, ReportRequest } from './make-report.ts';
import { auditOf } from './party-audit.ts';
import { rotkiEvents } from './rotki.ts';
import { auditSentence, missingTimeNotes, notesOfRows } from './words.ts';

type Ground = Omit<ReportGround, 'witnesses' | 'nowMs'>;

/** A file for another program. */
export interface Book {
  readonly text: string;
  /** What readers must know before they use it, and what is left out, a sentence each. */
  readonly notes: readonly string[];
}

/** The journal of a party for hledger. Throws AnswerError without a ledger. */
export async function makeJournal(request: ReportRequest, ground: Ground): Promise<Book> {
  const { partyBalances, partyHoldings, partyMoves, reasonWords, tablesOutside } = await import('../index.ts');
  const context = contextOf(request, ground);
  tablesOutside(context, ['ledger']);
  const outside = tablesOutside(context, ['ledger', 'balances']);
  const hasBalances = ground.dataset.tables.some(({ name }) => name === 'balances' && !outside.has(name));
  const moves = await partyMoves(context);
  const held = hasBalances
    ? { holdings: (await partyHoldings(context)).rows, held: await partyBalances(context) }
    : null;
  const isEmpty = moves.length === 0 && (held?.holdings ?? []).length === 0;
  const notes = await notesOn(request, ground, { tables: hasBalances ? ['ledger', 'balances'] : ['ledger'], isEmpty });
  const text = hledgerJournal({
    party: request.party,
    chainId: ground.dataset.chainId,
    program: ground.program,
    names: ground.names,
    notes,
    moves,
    reasonOf: reasonWords,
    balances: held,
  });
  return { text, notes };
}

/** The events of a party for rotki. Throws AnswerError without a ledger, and for assets whose decimals are not known. */
export async function makeEvents(
  request: ReportRequest,
  ground: Ground,
  identifiers: ReadonlyMap<string, string>,
): Promise<Book & { readonly unknown: readonly string[] }> {
  const { partyMoves, reasonWords, tablesOutside } = await import('../index.ts');
  const context = contextOf(request, ground);
  tablesOutside(context, ['ledger']);
  const moves = await partyMoves(context);
  const { csv, notes, unknown } = rotkiEvents({ moves, reasonOf: reasonWords, names: ground.names, identifiers });
  if (unknown.length > 0) return { text: csv, notes, unknown };
  const first = await notesOn(request, ground, { tables: ['ledger'], isEmpty: moves.length === 0 });
  return { text: csv, notes: [...first, ...notes], unknown };
}

interface Read {
  readonly tables: readonly string[];
  readonly isEmpty: boolean;
}

/** What is missing or wrong in the exports that a file is made of. */
async function notesOn(request: ReportRequest, ground: Ground, { tables, isEmpty }: Read): Promise<readonly string[]> {
  const { missingTimes } = await import('../index.ts');
  const { audit } = await auditOf(request.party, ground);
  return [
    ...(isEmpty
      ? [`No row of this party is in the ${tables.join(' or ')} of this range. Check the id and the range.`]
      : []),
    ...missingTimeNotes(missingTimes(contextOf(request, ground), tables)),
    ...notesOfRows(ground.dataset.notes),
    [auditSentence(audit), ...(audit.kind === 'made' ? [audit.commands.join(', ')] : [])].join(' ').trim(),
  ];
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
