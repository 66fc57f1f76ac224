import type { QuestionContext } from '../index.ts';
import { hledgerJournal } from './journal.ts';
import type { ReportInput, ReportRequest } from './make-report.ts';
import { auditParty } from './party-audit.ts';
import { auditSentence, figureNotes, missingTimeNotes } from './report-texts.ts';
import { rotkiEvents } from './rotki.ts';

type BookInput = Omit<ReportInput, 'witnesses' | 'nowMs'>;

/** A file for another program. */
export interface Book {
  readonly text: string;
  /** Notes to read before using the book, and its omissions, a sentence each. */
  readonly notes: readonly string[];
}

/** The journal of a party for hledger. Throws AnswerError without a ledger. */
export async function makeJournal(request: ReportRequest, ground: BookInput): Promise<Book> {
  const { partyBalances, partyHoldings, partyMoves, moveReason, tablesOutsideRange } = await import('../index.ts');
  const context = questionContext(request, ground);
  tablesOutsideRange(context, ['ledger']);
  const outside = tablesOutsideRange(context, ['ledger', 'balances']);
  const hasBalances = ground.dataset.tables.some(({ name }) => name === 'balances' && !outside.has(name));
  const moves = await partyMoves(context);
  const held = hasBalances
    ? { holdings: (await partyHoldings(context)).rows, held: await partyBalances(context) }
    : null;
  const isEmpty = moves.length === 0 && (held?.holdings ?? []).length === 0;
  const notes = await bookNotes(request, ground, {
    tables: hasBalances ? ['ledger', 'balances'] : ['ledger'],
    isEmpty,
  });
  const text = hledgerJournal({
    party: request.party,
    chainId: ground.dataset.chainId,
    program: ground.program,
    names: ground.names,
    notes,
    moves,
    reasonOf: moveReason,
    balances: held,
  });
  return { text, notes };
}

/** The events of a party for rotki. Throws AnswerError without a ledger, and for assets whose decimals are not known. */
export async function makeEvents(
  request: ReportRequest,
  ground: BookInput,
  identifiers: ReadonlyMap<string, string>,
): Promise<Book & { readonly unknown: readonly string[] }> {
  const { partyMoves, moveReason, tablesOutsideRange } = await import('../index.ts');
  const context = questionContext(request, ground);
  tablesOutsideRange(context, ['ledger']);
  const moves = await partyMoves(context);
  const { csv, notes, unknown } = rotkiEvents({ moves, reasonOf: moveReason, names: ground.names, identifiers });
  if (unknown.length > 0) return { text: csv, notes, unknown };
  const first = await bookNotes(request, ground, { tables: ['ledger'], isEmpty: moves.length === 0 });
  return { text: csv, notes: [...first, ...notes], unknown };
}

interface ReadTables {
  readonly tables: readonly string[];
  readonly isEmpty: boolean;
}

/** The gaps and errors in the exports behind a file. */
async function bookNotes(
  request: ReportRequest,
  ground: BookInput,
  { tables, isEmpty }: ReadTables,
): Promise<readonly string[]> {
  const { missingTimes } = await import('../index.ts');
  const { audit } = await auditParty(request.party, ground);
  return [
    ...(isEmpty
      ? [`No row of this party is in the ${tables.join(' or ')} of this range. Check the id and the range.`]
      : []),
    ...missingTimeNotes(missingTimes(questionContext(request, ground), tables)),
    ...figureNotes(ground.dataset.notes),
    [auditSentence(audit), ...(audit.kind === 'made' ? [audit.commands.join(', ')] : [])].join(' ').trim(),
  ];
}

function questionContext(
  { party, asset, from, to }: ReportRequest,
  { dataset, names, saved, signal }: BookInput,
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
