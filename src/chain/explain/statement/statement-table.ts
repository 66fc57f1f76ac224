import { EMPTY, joinSafe, type SafeText, safeLine } from '../../../base/text/safe-text.ts';
import { formatTable } from '../../../base/text/text-table.ts';
import { type Directory, nameOrEnds, type Unit, unitOfAsset } from '../../directory/directory.ts';
import { bar } from '../../insight/bar.ts';
import { countOf } from '../../insight/count-of.ts';
import { groupDigits, roundDecimal, toWholeUnits } from '../../insight/decimal.ts';
import { shareText } from '../../insight/paid-fees.ts';
import type { AllocatedFeesLine, AssetTotal, Statement, StatementLine } from '../../insight/statement.ts';
import { incompleteIdProblem } from './fee-page.ts';
import type { FeeStatement } from './fee-statement.ts';

/** A statement as a table for people; texts may come from the chain, so sanitise them. */
export interface StatementTable {
  readonly title: string;
  readonly columns: readonly StatementColumn[];
  readonly rows: readonly StatementRow[];
  /** One sentence per asset: its total, its share, and its largest amount. */
  readonly totals: readonly string[];
  /** The amount of the longest bar, which starts at 0; empty where bars are of several assets, each with its own. */
  readonly longestBar: string;
  /** Why amounts are in smallest units or do not add up by eye, if some do not. */
  readonly units: readonly string[];
}

export interface StatementColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Columns are dropped for lack of room in this order, the largest first; 0 stays. */
  readonly yields: number;
}

export interface StatementRow {
  readonly kind: StatementLine['kind'];
  /** One for each column. */
  readonly cells: readonly string[];
  /** How much of the bar is filled; null without an amount. */
  readonly bar: { readonly part: bigint; readonly of: bigint } | null;
}

interface Spec extends StatementColumn {
  readonly text: (line: AllocatedFeesLine) => string;
  /** The text for a line without an amount; '' by default. */
  readonly otherwise?: (line: Exclude<StatementLine, AllocatedFeesLine>) => string;
}

export function statementTable(statement: FeeStatement, directory: Directory): StatementTable {
  const naming: Naming = { statement, directory, forms: amountForms(statement, directory) };
  const columns = columnSpecs(naming);
  const largest = new Map(statement.totals.map(total => [total.asset, BigInt(total.largest?.amount ?? '0')]));
  return {
    title: tableTitle(naming),
    columns: columns.map(({ title, align, yields }) => ({ title, align, yields })),
    rows: statement.lines.map(line => ({
      kind: line.kind,
      cells: columns.map(({ text, otherwise }) => (line.kind === 'allocated' ? text(line) : (otherwise?.(line) ?? ''))),
      bar: line.kind === 'allocated' ? { part: BigInt(line.amount), of: largest.get(line.asset) ?? 0n } : null,
    })),
    totals: statement.lines.every(({ kind }) => kind === 'none')
      ? [incompleteIdProblem(statement.query) ?? 'no fees in these epochs']
      : statement.totals.map(total => totalText(total, naming)),
    longestBar: longestBarText(statement.totals, naming),
    units: [...smallestUnits(naming), ...roundingNote(naming)],
  };
}

interface Naming {
  readonly statement: FeeStatement;
  readonly directory: Directory;
  readonly forms: ReadonlyMap<string, AmountForm>;
}

function columnSpecs(naming: Naming): readonly Spec[] {
  const { statement, forms } = naming;
  const { party } = statement.query;
  const amount = (raw: string, { asset }: AllocatedFeesLine): string => amountText(raw, forms.get(asset));
  const shown = statement.lines.filter(line => line.kind === 'allocated' || line.kind === 'unreadable');
  const isOneAsset = new Set(shown.map(({ asset }) => asset)).size <= 1;
  const isOneMarket = new Set(shown.map(({ market }) => market)).size <= 1;
  const hasMixedUnits = [...forms.values()].some(({ unit }) => unit !== undefined);
  const market = (line: StatementLine): string => nameOrEnds(naming.directory, 'market', line.market);
  const asset = (line: StatementLine): string =>
    line.asset === ''
      ? ''
      : `${nameOrEnds(naming.directory, 'asset', line.asset)}${hasMixedUnits && forms.get(line.asset)?.unit === undefined ? ', smallest unit' : ''}`;
  return [
    { title: 'EPOCH', align: 'right', yields: 0, text: ({ epoch }) => epoch, otherwise: epochsText },
    ...(isOneMarket ? [] : [wordSpec('MARKET', market)]),
    ...(isOneAsset ? [] : [{ ...wordSpec('ASSET', asset), yields: 1 }]),
    {
      title: amountTitle(naming, isOneAsset),
      align: 'right',
      yields: 0,
      text: line => amount(line.amount, line),
      otherwise: ({ kind }) => WITHOUT_AMOUNT[kind],
    },
    ...(party === '' ? marketSpecs(naming) : []),
    ...(party === '' ? [] : [percentSpec('SHARE', ({ amount }) => amount)]),
    { title: 'RUNNING TOTAL', align: 'right', yields: 1, text: line => amount(line.running, line) },
    ...(party === ''
      ? []
      : [
          {
            title: 'MARKET TOTAL',
            align: 'right',
            yields: 4,
            text: (line: AllocatedFeesLine) => amount(line.marketTotal, line),
          } as const,
        ]),
  ];
}

/** A column that is the same for lines with and without an amount. */
const wordSpec = (title: string, text: (line: StatementLine) => string): Spec => ({
  title,
  align: 'left',
  yields: 0,
  text,
  otherwise: text,
});

const marketSpecs = (naming: Naming): readonly Spec[] => [
  { title: 'PARTIES', align: 'right', yields: 3, text: ({ parties }) => String(parties ?? '') },
  {
    title: 'TOP PARTY',
    align: 'left',
    yields: 2,
    text: ({ top }) => (top === null ? '' : nameOrEnds(naming.directory, 'party', top.party)),
  },
  percentSpec('TOP SHARE', ({ top }) => top?.amount ?? ''),
];

const percentSpec = (title: string, part: (line: AllocatedFeesLine) => string): Spec => ({
  title,
  align: 'right',
  yields: 0,
  text: line => {
    const share = shareText(part(line), line.marketTotal);
    return share === undefined ? '' : `${share} %`;
  },
});

const WITHOUT_AMOUNT = {
  none: 'none',
  'not-known': 'not known',
  open: 'not over',
  future: 'not begun',
  unreadable: 'unreadable',
} as const;

function epochsText(line: Exclude<StatementLine, AllocatedFeesLine>): string {
  return line.kind === 'unreadable' || line.epoch === line.toEpoch ? line.epoch : `${line.epoch}-${line.toEpoch}`;
}

/** Includes the unit if all amounts share one; with several assets, the asset column shows it. */
function amountTitle({ forms }: Naming, isOneAsset: boolean): string {
  const all = [...forms.values()];
  const symbol = isOneAsset && all[0]?.unit !== undefined ? ` ${all[0].unit.symbol}` : '';
  const isSmallest = all.length > 0 && all.every(({ unit }) => unit === undefined);
  const isRounded = all.some(form => form.isRounded);
  return `AMOUNT${symbol}${isSmallest ? ', smallest unit' : ''}${isRounded ? ', rounded' : ''}`;
}

function tableTitle(naming: Naming): string {
  const { party, market, asset } = naming.statement.query;
  const markets = new Set(naming.statement.lines.flatMap(line => line.market || []));
  const [only = market] = markets.size === 1 ? markets : [];
  return [
    'fees allocated',
    ...(party === '' ? [] : [`to ${nameOrEnds(naming.directory, 'party', party)}`]),
    ...(only === '' ? [] : [`on ${nameOrEnds(naming.directory, 'market', only)}`]),
    ...(asset === '' ? [] : [`in ${nameOrEnds(naming.directory, 'asset', asset)}`]),
  ].join(' ');
}

function smallestUnits(naming: Naming): readonly string[] {
  const assets = naming.statement.totals.filter(({ asset }) => naming.forms.get(asset)?.unit === undefined);
  if (assets.length === 0) return [];
  const names = assets.map(({ asset }) => nameOrEnds(naming.directory, 'asset', asset)).join(', ');
  return [`in smallest units, because the decimals of ${names} are not known`];
}

/** Said once, for whoever adds up what is shown. */
const roundingNote = ({ forms }: Naming): readonly string[] =>
  [...forms.values()].some(({ isRounded }) => isRounded)
    ? ['amounts are rounded here; totals are sums of the exact amounts']
    : [];

function totalText(total: AssetTotal, naming: Naming): string {
  const { party } = naming.statement.query;
  const form = naming.forms.get(total.asset);
  const unit =
    form?.unit === undefined
      ? `smallest units of ${nameOrEnds(naming.directory, 'asset', total.asset)}`
      : form.unit.symbol;
  const epochs = new Set(naming.statement.lines.flatMap(line => (isAllocated(line, total.asset) ? line.epoch : [])));
  const times = ` in ${countOf(epochs.size, 'epoch')}`;
  const amm = total.ammAmount === '0' ? '' : `, ${amountText(total.ammAmount, form)} by AMM`;
  const percent = party === '' ? undefined : shareText(total.amount, total.marketTotal);
  const share = percent === undefined ? '' : `, ${percent} % of ${amountText(total.marketTotal, form)}`;
  const odd = total.unreadable === 0 ? '' : `, ${total.unreadable} unreadable, not counted`;
  const most =
    total.largest === null ? '' : `; largest ${amountText(total.largest.amount, form)} in epoch ${total.largest.epoch}`;
  return `total ${amountText(total.amount, form)} ${unit}${times}${amm}${share}${odd}${most}`;
}

function longestBarText([total, ...others]: readonly AssetTotal[], { forms }: Naming): string {
  if (total === undefined || total.largest === null || others.length > 0) return '';
  const form = forms.get(total.asset);
  const amount = amountText(total.largest.amount, form);
  return form?.unit === undefined ? amount : `${amount} ${form.unit.symbol}`;
}

/** How the amounts of one asset are written in a table. */
interface AmountForm {
  readonly unit: Unit | undefined;
  /** Decimal places. */
  readonly places: number;
  readonly isRounded: boolean;
}

/** The form of each asset's amounts: all amounts of one asset have the same number of decimal places. */
const amountForms = (statement: Statement, directory: Directory): ReadonlyMap<string, AmountForm> =>
  new Map(statement.totals.map(({ asset }) => [asset, amountFormOfAsset(asset, statement, directory)]));

function amountFormOfAsset(asset: string, { lines }: Statement, directory: Directory): AmountForm {
  const unit = unitOfAsset(directory, asset);
  if (unit === undefined) return { unit, places: 0, isRounded: false };
  const amounts = lines.flatMap(line =>
    isAllocated(line, asset)
      ? [line.amount, line.marketTotal].flatMap(raw => toWholeUnits(raw, unit.decimals) ?? [])
      : [],
  );
  return { unit, ...amountPlaces(amounts) };
}

const isAllocated = (line: StatementLine, asset: string): line is AllocatedFeesLine =>
  line.kind === 'allocated' && line.asset === asset;

function amountPlaces(amounts: readonly string[]): Pick<AmountForm, 'places' | 'isRounded'> {
  const fractions = amounts.map(amount => amount.split('.')[1] ?? '');
  const needed = fractions.reduce((most, { length }) => Math.max(most, length), 0);
  const isBelowOne = amounts.every(amount => amount.startsWith('0'));
  const zeros = Math.min(
    ...fractions.filter(digits => digits !== '').map(digits => /^0*/.exec(digits)?.[0].length ?? 0),
  );
  const enough = isBelowOne && Number.isFinite(zeros) ? zeros + SIGNIFICANT : USUAL;
  return { places: Math.min(needed, enough), isRounded: needed > enough };
}

const USUAL = 2;
const SIGNIFICANT = 4;

/** An amount for a cell with grouped digits; other text is not changed. */
function amountText(raw: string, form: AmountForm | undefined): string {
  const whole = form?.unit === undefined ? raw : toWholeUnits(raw, form.unit.decimals);
  const text = roundDecimal(whole ?? '', form?.places ?? 0);
  if (text === undefined) return raw;
  // A tiny amount must not look like 0.
  if (/[1-9]/.test(raw) && !/[1-9]/.test(text)) return `< ${text.replace(/0$/, '1')}`;
  return groupDigits(text);
}

const BAR_CELLS = 10;

/** A statement as text: heading, lines and totals, uncut. */
export function statementText(statement: FeeStatement, directory: Directory): SafeText {
  const { title, columns, rows, totals, units, longestBar } = statementTable(statement, directory);
  const lines = rows.map(({ cells, bar: of }) => [...cells, of === null ? '' : bar(of.part, of.of, BAR_CELLS)]);
  const titles = columns.map(column => column.title);
  const aligns = columns.map(({ align }) => align);
  return joinSafe([
    safeLine(title),
    safeLine(statement.basis),
    rows.length === 0 ? EMPTY : formatTable([...titles, longestBar === '' ? '' : `0 TO ${longestBar}`], lines, aligns),
    ...[...totals, ...units].map(safeLine),
  ]);
}
