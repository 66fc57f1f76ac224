import type { Fact } from '../../../attention/overview/facts/fact.ts';
import type { Area } from '../../core/screen.ts';
import { TABS } from '../../tabs.ts';

/** Rows of the body, from the top: the same for as long as the screen has this size, whatever is answered. */
export interface OverviewRows {
  /** The lines about the chain that have room. */
  readonly facts: readonly Fact[];
  /** Blank rows before a section. */
  readonly gap: 0 | 1;
  /** Rows of findings below their heading. */
  readonly findings: number;
  /** Lines of the user's own below their heading; 0 if nothing is marked, null without room for the heading. */
  readonly mine: number | null;
  /** Rows on where to begin. */
  readonly begin: number;
  /** Where the fees of the last epochs have a bar each. */
  readonly chart: 'none' | 'beside-begin' | 'below-begin';
  /** A heading, the bars, and their epochs. */
  readonly chartRows: number;
}

/** What a low screen leaves out first. */
const DROPPED_FIRST = ['trend', 'history', 'changed', 'network', 'fees'] as const;

const MIN_FINDINGS = 3;

interface OverviewContent {
  readonly facts: readonly Fact[];
  readonly mine: number;
}

export function overviewRows({ rows, columns }: Area, { facts, mine: own }: OverviewContent): OverviewRows {
  const chart = chartPlace(rows, columns);
  // The chart shows the same with its figures.
  let shown = chart === 'none' ? facts : facts.filter(({ id }) => id !== 'trend');
  const begin = rows >= ROOMY_ROWS ? BEGIN_ROWS : 0;
  let mine = rows >= LOW_ROWS ? Math.min(own, Math.floor(rows / 4)) : null;
  const below = chart === 'below-begin' ? 1 + MIN_CHART_ROWS : 0;
  const gap = rows >= AIRY_ROWS ? 1 : 0;
  const gaps = () => gap * (1 + (mine === null ? 0 : 1) + (begin === 0 ? 0 : 1));
  const left = () => rows - shown.length - 1 - (mine === null ? 0 : 1 + mine) - begin - below - gaps();
  for (const id of DROPPED_FIRST) if (left() < MIN_FINDINGS) shown = shown.filter(line => line.id !== id);
  if (left() < MIN_FINDINGS && mine !== null) mine = Math.min(mine, 1);
  if (left() < MIN_FINDINGS) mine = null;
  const findings = Math.max(1, Math.min(left(), rows >= ROOMY_ROWS ? MAX_FINDINGS : left()));
  const chartRows = MIN_CHART_ROWS + Math.max(0, Math.min(left() - findings, MAX_CHART_ROWS - MIN_CHART_ROWS));
  return { facts: shown, gap, findings, mine, begin, chart, chartRows };
}

function chartPlace(rows: number, columns: number): OverviewRows['chart'] {
  if (rows >= ROOMY_ROWS && columns >= WIDE_COLUMNS) return 'beside-begin';
  return rows >= HIGH_ROWS ? 'below-begin' : 'none';
}

const HIGH_ROWS = 44;
const ROOMY_ROWS = 30;
const AIRY_ROWS = 16;
const LOW_ROWS = 10;
const MAX_FINDINGS = 16;
const WIDE_COLUMNS = 120;

/** Start here: a heading, and a line for each list, the history, the command line and the help. */
export const BEGIN_ROWS = 2 + TABS.length;

const MIN_CHART_ROWS = BEGIN_ROWS;
const MAX_CHART_ROWS = 24;
