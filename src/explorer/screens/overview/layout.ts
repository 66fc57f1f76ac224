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
  /** Rows of what is the user's. */
  readonly mine: number;
  /** Rows on where to begin. */
  readonly begin: number;
  /** Where the fees of the last epochs have a bar each. */
  readonly chart: 'none' | 'beside-begin' | 'below-begin';
}

/** What a low screen leaves out first. */
const DROPPED_FIRST = ['trend', 'history', 'changed', 'network', 'fees'] as const;

const MIN_FINDINGS = 3;

interface OverviewContent {
  readonly facts: readonly Fact[];
  readonly mine: number;
  /** Somebody who may be new here sees more. */
  readonly isNew: boolean;
}

export function overviewRows({ rows, columns }: Area, { facts, mine: drawMine, isNew }: OverviewContent): OverviewRows {
  let shown = facts;
  let begin = beginRows(rows, isNew);
  let mine = rows >= LOW_ROWS ? Math.max(1, Math.min(drawMine, Math.floor(rows / 4))) : 0;
  const chart = chartPlace(rows, columns);
  const below = chart === 'below-begin' ? 1 + CHART_ROWS : 0;
  const gap = rows >= AIRY_ROWS ? 1 : 0;
  const gaps = () => gap * (1 + Math.sign(mine) + (rows >= TALL_ROWS ? 1 : 0));
  const left = () => rows - shown.length - 1 - mine - begin - below - gaps();
  for (const id of DROPPED_FIRST) if (left() < MIN_FINDINGS) shown = shown.filter(line => line.id !== id);
  if (left() < MIN_FINDINGS) mine = Math.min(mine, 1);
  if (left() < MIN_FINDINGS) begin = Math.min(begin, 1);
  if (left() < MIN_FINDINGS) begin = 0;
  const findings = Math.max(1, Math.min(left(), rows >= TALL_ROWS ? MAX_FINDINGS : left()));
  return { facts: shown, gap, findings, mine, begin, chart };
}

function beginRows(rows: number, isNew: boolean): number {
  if (rows >= ROOMY_ROWS) return EVERY_TAB_LINES;
  if (rows >= TALL_ROWS) return START_HERE_LINES;
  if (rows >= AIRY_ROWS && isNew) return NEW_LINES;
  return rows >= LOW_ROWS ? 1 : 0;
}

function chartPlace(rows: number, columns: number): OverviewRows['chart'] {
  if (rows >= HIGH_ROWS) return 'below-begin';
  return rows >= ROOMY_ROWS && columns >= WIDE_COLUMNS ? 'beside-begin' : 'none';
}

const HIGH_ROWS = 48;
const ROOMY_ROWS = 32;
const TALL_ROWS = 28;
const AIRY_ROWS = 16;
const LOW_ROWS = 10;
const MAX_FINDINGS = 12;
const WIDE_COLUMNS = 130;

/** What this is, where to begin and which key helps, for somebody who may be new here. */
export const NEW_LINES = 3;

/** Lines on where to begin, where there is room for them. */
export const START_HERE_LINES = 4;

/** The same with a line for each list, the export, the command line and the help. */
export const EVERY_TAB_LINES = 2 + TABS.length;

/** A heading and a bar for each of the last epochs. */
export const CHART_ROWS = 11;
