import { isId } from '../../base/text/ids.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { type Directory, plainNameOf } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { derivedParty } from '../../chain/insight/derived-party.ts';
import { witnessLines } from '../../chain/range/witnesses.ts';
import type { Dataset, ExportNamesFound, QuestionContext, QuestionValues } from '../index.ts';
import { type AuditInput, auditParty, listReportArchives } from './party-audit.ts';
import type { Coverage, Gap, PartyReport, ReportAudit, ReportSection } from './report.ts';
import { capitalize, figureNotes, missingTimeNotes, sectionNotes } from './report-texts.ts';
import { balancesSection, feesSection, moneySection, rewardsSection, tradesSection } from './sections.ts';

/** The tables that a report is made of. */
export const REPORTED_TABLES = ['ledger', 'balances', 'rewards', 'trades'] as const;

export interface ReportRequest {
  /** 64 hexadecimal digits. */
  readonly party: string;
  /** An id or a symbol. */
  readonly asset?: string;
  readonly from?: string;
  readonly to?: string;
  /** The requested range in words. */
  readonly asked: string;
}

export interface ReportInput extends AuditInput {
  readonly dataset: Dataset;
  readonly witnesses: ExportNamesFound['witnesses'];
  readonly program: string;
  readonly nowMs: number;
}

/** What the exports have of the party, without their audit. */
export interface PartyAnswers {
  readonly sections: readonly ReportSection[];
  /** What the exports have. */
  readonly covered: readonly Coverage[];
  /** What readers must know before they use a figure. */
  readonly warnings: readonly string[];
}

/** What sections are made of. */
type SectionInput = Pick<ReportInput, 'dataset' | 'names' | 'saved' | 'signal' | 'onProgress'>;

/** Asks the exports for the sections of a page. Throws AnswerError for a wrong request, and for exports that changed. */
export async function answerParty(request: ReportRequest, ground: SectionInput): Promise<PartyAnswers> {
  const { dataset, names, saved, signal, onProgress = () => {} } = ground;
  const { answerQuestion, missingTimes, partyHoldings, partyTotals, tablesOutsideRange } = await import('../index.ts');
  const context = (more: QuestionValues): QuestionContext => ({
    ...{ dataset, names, saved, signal },
    values: { parties: [request.party], ...rangeValues(request), ...more },
  });
  const outside = tablesOutsideRange(context({}), REPORTED_TABLES);
  const inside: Dataset = { ...dataset, tables: dataset.tables.filter(({ name }) => !outside.has(name)) };
  const ofAsset = request.asset === undefined ? {} : { asset: request.asset };
  const ask = async (name: string, values: QuestionValues) => {
    const { more, ...answer } = await answerQuestion(name, context(values));
    return more === undefined ? answer : { ...answer, notes: [more, ...answer.notes] };
  };
  const section = async (
    of: SectionHead,
    fill: () => Promise<Pick<ReportSection, 'figures' | 'notes'>>,
  ): Promise<ReportSection> => {
    onProgress(`adding up ${of.title.toLowerCase()}`);
    const made = outside.has(of.table)
      ? { figures: [], notes: [], gap: otherTimesGap(of.table, dataset, request) }
      : await fillSection(of.table, fill, dataset);
    return { ...of.head, ...made, notes: sectionNotes(made.notes).filter(note => !dataset.notes.includes(note)) };
  };
  const assetId = await requestedAssetId(request, ground);
  const received = runOnce(() => ask('received', { ...ofAsset, by: 'month', types: true }));
  const sections = [
    await section(MONEY, async () => moneySection(await received(), names)),
    await section(FEES, async () => feesSection(await received(), names)),
    await section(REWARDS, async () => rewardsSection(await ask('rewards', { ...ofAsset, types: true }), names)),
    await section(TRADES, async () => {
      const parties = [request.party, ...ammParties(request.party, names)];
      return tradesSection(await ask('fills', { parties, by: 'month' }), { party: request.party, asset: assetId });
    }),
    await section(BALANCES, async () => {
      const held = { ...context(ofAsset), dataset: inside };
      const hasLedger = inside.tables.some(({ name }) => name === 'ledger');
      const daily = await ask('balance', { ...ofAsset, by: 'day' });
      const totals = hasLedger ? await partyTotals(held) : undefined;
      return balancesSection(await partyHoldings(held), { daily, totals, names });
    }),
  ];
  await dataset.unchanged();
  // Other tables were read for the markets and assets that they name.
  const covered = dataset.tables
    .filter(({ name }) => REPORTED_TABLES.some(table => table === name))
    .map(reportCoverage);
  const missing = missingTimes(context({}), REPORTED_TABLES).filter(({ table }) => !outside.has(table));
  return { sections, covered, warnings: [...missingTimeNotes(missing), ...sectionWarnings({ covered, sections })] };
}

/** Asks the exports for everything on the page. Throws AnswerError for a wrong request, and for exports that changed. */
export async function makeReport(request: ReportRequest, ground: ReportInput): Promise<PartyReport> {
  const { dataset, names, signal } = ground;
  const { sections, covered, warnings } = await answerParty(request, ground);
  const made = await auditParty(request.party, ground);
  return {
    program: ground.program,
    made: new Date(ground.nowMs).toISOString(),
    chainId: dataset.chainId,
    party: request.party,
    partyName: plainNameOf(names, 'party', request.party) ?? null,
    asset: request.asset ?? null,
    asked: request.asked,
    covered,
    warnings: [...warnings, ...auditWarnings(made.audit), ...figureNotes(dataset.notes)],
    ...onceOnly(sections),
    excluded: EXCLUDED_NOTES,
    archives: await listReportArchives(dataset, made.archives, signal),
    audit: made.audit,
    witnesses: ground.witnesses.flatMap(witnessLines),
  };
}

/** Notes that several sections share are those of the whole page. */
function onceOnly(sections: readonly ReportSection[]): Pick<PartyReport, 'sections' | 'included'> {
  const all = sections.flatMap(({ notes }) => [...new Set(notes)]);
  const shared = new Set(all.filter((note, at) => all.indexOf(note) !== at));
  return {
    sections: sections.map(each => ({ ...each, notes: each.notes.filter(note => !shared.has(note)) })),
    included: [...shared, ...INCLUDED_NOTES],
  };
}

const rangeValues = ({ from, to }: ReportRequest): QuestionValues => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** Runs once, however often its result is used. */
function runOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The parties of the automated market makers that a party may have, one for each market. */
const ammParties = (party: string, { markets }: Directory): readonly string[] =>
  [...markets.keys()]
    .filter(isId)
    .slice(0, MAX_AMM_MARKETS)
    .map(market => derivedParty(party, market));

/** More would make the SQL longer than anyone reads. */
const MAX_AMM_MARKETS = 2000;

interface SectionHead {
  readonly table: string;
  readonly title: string;
  readonly head: Pick<ReportSection, 'id' | 'title' | 'about'>;
}

const sectionHead = (table: string, id: ReportSection['id'], title: string, about: string): SectionHead => ({
  ...{ table, title },
  head: { id, title, about },
});

const MONEY = sectionHead(
  'ledger',
  'money',
  'Money in and out',
  'Money received from others and sent to others. Transfers between own accounts are excluded.',
);
const FEES = sectionHead(
  'ledger',
  'fees',
  'Fees',
  'The same money again, only fees. Earned is what arrived. Allocated went into the fee accounts of a liquidity provider, before penalties; withheld was taken from there.',
);
const REWARDS = sectionHead(
  'rewards',
  'rewards',
  'Rewards',
  'Rewards as the node lists them. The ledger has their payouts, too.',
);
const TRADES = sectionHead(
  'trades',
  'trades',
  'Trades',
  'Trades and their fees. Volume and turnover exclude close-outs, which are counted separately.',
);
const BALANCES = sectionHead(
  'balances',
  'balances',
  'Balances',
  'Balances at both ends of the range, per asset with its inflow and outflow, and per account.',
);

const INCLUDED_NOTES: readonly string[] = [
  'amounts are exact, in units of each asset; months and days are UTC',
  "the party's own automated market makers count as the party",
];

const EXCLUDED_NOTES: readonly string[] = [
  'events outside the blocks that were read',
  'prices in a currency: no amount is converted, and no gain or loss is calculated for tax',
  'the value of open positions, and profits that are not settled',
  'money outside of the chain',
  'sections show the same money from different tables: do not add their sums to each other',
];

/** The figures of a section, or why there are none. */
async function fillSection(
  table: string,
  fill: () => Promise<Pick<ReportSection, 'figures' | 'notes'>>,
  dataset: Dataset,
): Promise<Pick<ReportSection, 'figures' | 'notes' | 'gap'>> {
  if (dataset.tables.every(({ name }) => name !== table))
    return { figures: [], notes: [], gap: missingTableGap(table, dataset) };
  try {
    return { ...(await fill()), gap: null };
  } catch (error) {
    if (!isUnanswerable(error)) throw error;
    return { figures: [], notes: [], gap: { why: sentences(error), command: '' } };
  }
}

/** Whether the exports cannot answer it. Data that cannot be trusted ends the report. */
const isUnanswerable = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'AnswerError' && 'because' in error && error.because === 'usage';

/** What happened, and what to do. */
const sentences = (error: Error): string =>
  [error.message, ...('hint' in error && typeof error.hint === 'string' ? [error.hint] : [])]
    .map(text => `${capitalize(text)}.`)
    .join(' ');

function missingTableGap(table: string, { tables }: Dataset): Gap {
  const heights = (of: 'fromBlock' | 'toBlock'): readonly bigint[] =>
    tables.flatMap(({ [of]: height }) => (height === null ? [] : [BigInt(height)]));
  const from = heights('fromBlock').reduce(
    (least, height) => (height < least ? height : least),
    heights('fromBlock')[0] ?? 1n,
  );
  const to = heights('toBlock').reduce((most, height) => (height > most ? height : most), 0n);
  return {
    why: `There is no table ${table}, so this is not known. Fetch it and make the report again.`,
    command: fetchCommand(table, tables, { from: String(from), to: String(to) }),
  };
}

/** Data of other times proves nothing about the range. */
const otherTimesGap = (table: string, { tables }: Dataset, { from, to }: ReportRequest): Gap => ({
  why: `Table ${table} has nothing of this range, so this is not known. Fetch it and make the report again.`,
  command: fetchCommand(table, tables, { from, to }),
});

/** The command that brings a table to where the others were read from. */
function fetchCommand(
  table: string,
  tables: Dataset['tables'],
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): string {
  const isHistory = tables.some(({ runs }) => runs !== undefined);
  const command = isHistory ? `blockglass fetch --tables ${table}` : `blockglass export --table ${table}`;
  return [command, ...optionalFlag('from', from), ...optionalFlag('to', to)].join(' ');
}

const optionalFlag = (name: string, place: string | undefined): readonly string[] =>
  place === undefined ? [] : [`--${name} ${shellWord(place)}`];

/** The id of the requested asset. */
async function requestedAssetId({ asset }: ReportRequest, { names }: SectionInput): Promise<string | undefined> {
  if (asset === undefined) return undefined;
  const { resolveAssetId } = await import('../index.ts');
  return resolveAssetId(names, asset);
}

const reportCoverage = ({
  name,
  fromBlock,
  toBlock,
  firstTime,
  lastTime,
  rows,
}: Dataset['tables'][number]): Coverage => ({
  ...{ table: name, fromBlock, toBlock, firstTime, lastTime },
  rows: String(rows),
});

function sectionWarnings({ covered, sections }: Omit<PartyAnswers, 'warnings'>): readonly string[] {
  const ranges = new Set(
    covered
      .filter(({ table }) => REPORTED_TABLES.some(name => name === table))
      .map(({ fromBlock, toBlock }) => `${fromBlock} ${toBlock}`),
  );
  const gaps = sections.filter(({ gap }) => gap !== null).map(({ title }) => title);
  const misfits = sections.flatMap(({ id, figures }) =>
    id === 'balances'
      ? figures.flatMap(({ records }) =>
          records.filter(({ account, agrees }) => account !== undefined && agrees === 'no'),
        )
      : [],
  );
  return [
    ...(gaps.length === 0 ? [] : [`Not known, because a table is missing or cannot be used: ${gaps.join(', ')}.`]),
    ...(ranges.size > 1 ? ['The tables cover different blocks, so sections do not fit each other.'] : []),
    ...(misfits.length === 0
      ? []
      : [`For ${countOf(misfits.length, 'account')} the start and the ledger do not give the end.`]),
  ];
}

const auditWarnings = (audit: ReportAudit): readonly string[] =>
  audit.kind === 'made' && audit.verdict === 'differs'
    ? ['The tables do not add up for this party: see the audit before you use a figure.']
    : [];
