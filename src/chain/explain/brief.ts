import { compareText } from '../insight/decimal.ts';
import type { ExplainedLine, Explanation } from './explanation.ts';

/** What of an explanation is told of a record that is only passed by. */
interface BriefOutline {
  /** Labels of lines of the first part, most important first. */
  readonly facts: readonly string[];
  /** How the title of the part begins that has what one would open or compare next; the first that is there. */
  readonly next: readonly string[];
  /** What of it has its place also while nothing is known, and its labels where all records have the same. */
  readonly usual?: { readonly title: string; readonly labels: readonly string[] };
  /** Its lines stand in the order of their labels, those with a problem first: other orders say nothing in passing. */
  readonly isByName?: true;
  /** Columns of the list that are left out: the rest says as much, or nobody looks for them in passing. */
  readonly without?: readonly string[];
}

const titled = (title: string) => ({ title, labels: [] });

const FEE_SHARES = {
  title: 'How fees are shared',
  labels: ['share of fees', 'after penalties', 'equity-like share', 'liquidity score'],
};

// biome-ignore format: a table, a row a list
const OUTLINES: { readonly [resource: string]: BriefOutline } = {
  parameters: { facts: ['value'], next: ['Fields of the value', 'Details'], without: ['value'] },
  provisions: { facts: ['share of commitment', 'bond', 'takes effect'], next: ['How fees are shared'], usual: FEE_SHARES, without: ['share'] },
  fees: { facts: ['total'], next: ['Allocated to'], usual: titled('Allocated to'), without: ['top', 'top-share', 'asset'] },
  bundles: { facts: [], next: ['Signed by'], usual: titled('Signed by'), isByName: true, without: ['nonce'] },
  oracles: { facts: ['fires', 'next', 'last value', 'overdue since', 'markets'], next: [], without: ['source', 'created'] },
  markets: { facts: ['product'], next: ['How fees are shared', 'Oracle specs it uses'], usual: titled('How fees are shared'), without: ['name'] },
  validators: { facts: ['voting power', 'delegations'], next: ['Why the multisig score is 0'], without: ['power'] },
};

/** An explanation in brief. */
export interface Brief {
  /** The sentences that it begins with, or its others if it begins with none. */
  readonly sentences: readonly ExplainedLine[];
  /** The same labels for all records of a list; the line is undefined where the record has none. */
  readonly facts: readonly { readonly label: string; readonly line: ExplainedLine | undefined }[];
  /** Columns of the list that are left out. */
  readonly without: readonly string[];
  /** What one would open or compare next. */
  readonly next: { readonly title: string; readonly lines: Brief['facts'] };
}

/** What the record of a list means in brief; undefined while that is not known. */
export function briefOf(resource: string, explanation: Explanation | undefined): Brief {
  const {
    facts,
    next,
    usual = titled(''),
    isByName = false,
    without = [],
  } = (Object.hasOwn(OUTLINES, resource) ? OUTLINES[resource] : undefined) ?? NO_OUTLINE;
  const parts = explanation?.parts ?? [];
  const lines = parts[0]?.title === '' ? parts[0].lines : [];
  const part = next.flatMap(title => parts.filter(part => part.title.startsWith(title)))[0];
  const told = briefLines(part?.lines ?? [], isByName);
  return {
    sentences: sentencesOf(lines),
    without,
    facts: facts.map(lineOf(lines)),
    next: {
      title: part?.title ?? (explanation === undefined || usual.labels.length > 0 ? usual.title : ''),
      lines: usual.labels.length > 0 ? usual.labels.map(lineOf(told)) : told.map(line => ({ label: line.label, line })),
    },
  };
}

const lineOf = (lines: readonly ExplainedLine[]) => (label: string) => ({
  label,
  line: lines.find(line => line.label === label),
});

const NO_OUTLINE: BriefOutline = { facts: [], next: [] };

function sentencesOf(lines: readonly ExplainedLine[]): readonly ExplainedLine[] {
  const labelled = lines.findIndex(({ label }) => label !== '');
  return labelled === 0
    ? lines.filter(({ label }) => label === '')
    : lines.slice(0, labelled < 0 ? undefined : labelled);
}

function briefLines(lines: readonly ExplainedLine[], isByName: boolean): readonly ExplainedLine[] {
  const told = joinEqualLabels(comparable(lines));
  const isBad = ({ tone }: ExplainedLine): boolean => tone === 'bad';
  return isByName
    ? told.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)) || compareText(one.label, other.label))
    : told;
}

/** `can be removed  Gannet, Farolito`: what is said of several is said once. */
const joinEqualLabels = (lines: readonly ExplainedLine[]): readonly ExplainedLine[] =>
  [...Map.groupBy(lines, line => (line.bar === undefined ? line.label : line)).values()].flatMap(
    ([first, ...others]) =>
      first === undefined || others.length === 0
        ? (first ?? [])
        : { ...first, short: [first, ...others].map(({ text, short }) => short ?? text).join(', ') },
  );

/** Lines with a figure, if there are any, without those that explain it; else all that have a label. */
function comparable(lines: readonly ExplainedLine[]): readonly ExplainedLine[] {
  const figures = lines.filter(({ short }) => short !== undefined);
  return figures.length > 0 ? figures : lines.filter(({ label }) => label !== '');
}
