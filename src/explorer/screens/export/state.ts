import type { EditedText } from '../../../base/text/edit-text.ts';
import type { Bound } from '../../../chain/insight/chain-point.ts';
import type { LocatedBlock, RequestedEnd } from '../../../chain/range/locate-block.ts';
import {
  isHeight,
  type NamedRange,
  parseNamedRangeEnd,
  parseTypedRange,
  RANGE_END_FORMS,
  RANGE_FORMS,
} from '../../../chain/range/parse-range.ts';
import { createRequestedRange } from '../../../chain/range/requested-range.ts';
import { type ResolvedRange, snapOutward } from '../../../chain/range/resolve-range.ts';
import {
  type Boundaries,
  boundProblem,
  checkRange,
  nearestBoundaries,
  type RangeCheck,
} from '../../../chain/range/segment-boundaries.ts';
import type { Survey } from '../../../chain/range/survey-range.ts';
import type { Witness } from '../../../chain/range/witnesses.ts';
import type { DestinationCheck } from '../../../history/plan/destination.ts';
import type { ExportPlan } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES, type ExportTable } from '../../../history/plan/export-tables.ts';
import { MANY_SEGMENTS, proposeSliceLength } from '../../../history/plan/slices.ts';
import type { JobOffers } from '../../services/export-job.ts';
import type { ScreenFailure } from '../../services/failure.ts';

export type WizardStep = 'table' | 'range' | 'destination' | 'review' | 'progress' | 'result';

type BoundNotes = { readonly [bound in Bound]: string | null };

export const NO_NOTES: BoundNotes = { from: null, to: null };

/** What each bound was asked for, where it was not typed as a height. */
type RequestedBounds = { readonly [bound in Bound]: RequestedEnd | null };

export const NO_REQUESTED_BOUNDS: RequestedBounds = { from: null, to: null };

/**
 * The steps of an export: table, range, destination, review; then its progress and its result. Pending requests are
 * stored here by their request id, null if none is pending.
 */
export interface Wizard {
  readonly step: WizardStep;
  /** Index into TABLES. */
  readonly table: number;
  /** Tables to export after it for the same range, in the order given. */
  readonly tablesAfter: readonly number[];
  /** Null until asked for. */
  readonly boundaries: Boundaries | null;
  /** Why the rule of 1000 is used, when it is. */
  readonly boundariesHint: string | null;
  /** Request for the segments. */
  readonly asking: number | null;
  readonly failure: ScreenFailure | null;
  /** Heights as typed. */
  readonly from: string;
  readonly to: string;
  readonly field: Bound;
  readonly destination: string;
  /** Where the cursor was put, as long as the text is this one; null: at the end. */
  readonly cursor: EditedText | null;
  /** Fields that were edited since the program filled them in. */
  readonly typedIn: readonly (Bound | 'destination')[];
  /** Request for a look at the destination. */
  readonly checking: number | null;
  readonly check: DestinationCheck | null;
  readonly mayOverwrite: boolean;
  /** Export in slices; null until the range proposes it or the person chose. */
  readonly isSliced: boolean | null;
  /** A file that is not complete is to be called `.incomplete.zip`. */
  readonly keepsIncomplete: boolean;
  /** Request for the place of a date, an epoch or a whole range. */
  readonly locating: number | null;
  /** How each bound was found, where it was not typed as a height. */
  readonly notes: BoundNotes;
  readonly asked: RequestedBounds;
  /** The words by which both were named at once, such as `last 3`, while they stand. */
  readonly rangeWords: string | null;
  /** Request for times and epochs of the range. */
  readonly surveying: number | null;
  readonly survey: Survey | null;
  /** Request for what other nodes name as its segments. */
  readonly witnessing: number | null;
  readonly witnesses: readonly Witness[] | null;
  /** The preset to save, until that is done. */
  readonly saving: SavedPreset | null;
  /** Request for another check of the exported files. */
  readonly verifying: number | null;
  /** Request for an audit of the exports in its folder. */
  readonly auditing: number | null;
  /** Request for a page about a party, from the exports in its folder. */
  readonly reporting: { readonly request: number; readonly party: string } | null;
  /** Request for the first rows of the export. */
  readonly previewing: number | null;
  /** How far the steps are taken without a key, while nothing has to be decided. */
  readonly advanceTo: 'range' | 'review' | null;
  readonly problem: string | null;
  readonly lastRequest: number;
}

export interface SavedPreset {
  readonly request: number;
  readonly profile: string;
  readonly name: string;
  readonly words: readonly string[];
}

/** Nothing is known of the range but its blocks. */
export const NO_SURVEY = { surveying: null, survey: null, witnessing: null, witnesses: null } as const;

export const newWizard = (destination: string): Wizard => ({
  step: 'table',
  table: EXPORT_TABLES.findIndex(({ id }) => id === 'ledger'),
  tablesAfter: [],
  boundaries: null,
  boundariesHint: null,
  asking: null,
  failure: null,
  from: '',
  to: '',
  field: 'from',
  destination,
  cursor: null,
  typedIn: [],
  checking: null,
  check: null,
  mayOverwrite: false,
  isSliced: null,
  keepsIncomplete: false,
  locating: null,
  notes: NO_NOTES,
  asked: NO_REQUESTED_BOUNDS,
  rangeWords: null,
  ...NO_SURVEY,
  saving: null,
  verifying: null,
  auditing: null,
  reporting: null,
  previewing: null,
  advanceTo: null,
  problem: null,
  lastRequest: 0,
});

/** The state after a change that sends a request, which gets an id of its own. */
export function withRequest(wizard: Wizard, change: (request: number) => Partial<Wizard>): Wizard {
  const lastRequest = wizard.lastRequest + 1;
  return { ...wizard, lastRequest, ...change(lastRequest) };
}

export const chosenTable = (wizard: Wizard): ExportTable | undefined => EXPORT_TABLES[wizard.table];

/** The range as typed, checked; undefined if a bound is not a number or the boundaries are unknown. */
export function checkedRange(wizard: Wizard): RangeCheck | undefined {
  const from = parseHeight(wizard.from);
  const to = parseHeight(wizard.to);
  if (wizard.boundaries === null || from === undefined || to === undefined) return undefined;
  return checkRange(wizard.boundaries, from, to);
}

/** For a bound that is a date, an epoch or a range: not an error yet. */
export const ENTER_FINDS_BLOCK = 'Enter finds its block';
export const ENTER_FINDS_BOTH = 'Enter finds both blocks';

/** The words by which both ends are named at once: in the field in focus, or an end in each. */
function typedRangeText({ from, to, field }: Wizard): string | undefined {
  const text = field === 'from' ? from : to;
  if (parseNamedRangeEnd(text) === undefined) return parseTypedRange(text) === undefined ? undefined : text.trim();
  return [from, to].every(end => parseNamedRangeEnd(end) !== undefined) ? `${from.trim()}..${to.trim()}` : undefined;
}

/** The range that these words name. */
export const typedNamedRange = (wizard: Wizard): NamedRange | undefined =>
  parseTypedRange(typedRangeText(wizard) ?? '');

/** The field whose block has to be looked up: the focused one if it contains a date or an epoch, otherwise the other. */
export const boundToLocate = (wizard: Wizard): Bound | undefined =>
  [wizard.field, OTHER[wizard.field]].find(bound => parseNamedRangeEnd(wizard[bound]) !== undefined);

const OTHER = { from: 'to', to: 'from' } as const;

/** The problem with one typed bound, or undefined if it is valid. */
export function typedBoundProblem(wizard: Wizard, bound: Bound): string | undefined {
  const text = bound === 'from' ? wizard.from : wizard.to;
  // If the focused field gives both bounds, the text of the other field is about to be replaced.
  if (typedNamedRange(wizard) !== undefined) return ENTER_FINDS_BOTH;
  const value = parseHeight(text);
  if (value === undefined) {
    if (text === '') return 'a block height is needed';
    if (parseNamedRangeEnd(text) !== undefined) return ENTER_FINDS_BLOCK;
    return parseTypedRange(text) === undefined ? `${RANGE_END_FORMS}; or ${RANGE_FORMS}` : ENTER_FINDS_BOTH;
  }
  return wizard.boundaries === null ? undefined : boundProblem(wizard.boundaries, bound, value);
}

/** Whether the range is exported in slices: as chosen, or because it is long. */
export function exportsSlices(wizard: Wizard): boolean {
  const range = checkedRange(wizard);
  return wizard.isSliced ?? (range?.isValid === true && range.segments > MANY_SEGMENTS);
}

/** Moves the focused bound to the end of the segment that holds the given block, or reports why there is none. */
export function withLocated(wizard: Wizard, located: LocatedBlock): Wizard {
  const known = { ...wizard, locating: null };
  if (wizard.boundaries === null) return known;
  const snapped = snapOutward(wizard.boundaries, wizard.field, located);
  return snapped.kind === 'outside'
    ? { ...known, problem: snapped.problem }
    : {
        ...withoutRange(known, wizard.field),
        [wizard.field]: String(snapped.height),
        notes: { ...wizard.notes, [wizard.field]: snapped.note },
        asked: { ...wizard.asked, [wizard.field]: located.asked },
      };
}

/** Puts both bounds to where a range was found. */
export const withRange = (wizard: Wizard, { from, to }: ResolvedRange): Wizard => ({
  ...wizard,
  locating: null,
  rangeWords: typedRangeText(wizard) ?? null,
  from: String(from.height),
  to: String(to.height),
  typedIn: [],
  notes: { from: from.note, to: to.note },
  asked: { from: from.asked, to: to.asked },
  ...NO_SURVEY,
  problem: null,
});

/** A bound changed: the knowledge about it and about the range is dropped. */
export const withoutRange = (wizard: Wizard, bound: Bound): Wizard => ({
  ...wizard,
  typedIn: wizard.typedIn.filter(field => field !== bound),
  locating: null,
  advanceTo: null,
  notes: { ...wizard.notes, [bound]: null },
  asked: { ...wizard.asked, [bound]: null },
  rangeWords: null,
  ...NO_SURVEY,
  problem: null,
});

/** Moves the focused bound by this number of boundaries. */
export function snapByBoundaries(wizard: Wizard, direction: 1 | -1, times: number): Wizard {
  let moved = wizard;
  for (let step = 0; step < times; step++) moved = snapToBoundary(moved, direction);
  return moved;
}

/** Moves the bound in focus to the nearest boundary on one side. */
function snapToBoundary(wizard: Wizard, direction: 1 | -1): Wizard {
  if (wizard.boundaries === null) return wizard;
  const text = wizard.field === 'from' ? wizard.from : wizard.to;
  const nearest = nearestBoundaries(wizard.boundaries, wizard.field, parseHeight(text) ?? 0n);
  const target = direction === 1 ? nearest.above : nearest.below;
  return target === null ? wizard : { ...withoutRange(wizard, wizard.field), [wizard.field]: String(target) };
}

/** Fills in the newest segment when the segments became known and nothing was typed. */
export function withBoundaries(wizard: Wizard, boundaries: Boundaries, hint: string | null): Wizard {
  const known = { ...wizard, boundaries, boundariesHint: hint, asking: null, failure: null };
  if (wizard.from !== '' || wizard.to !== '') return known;
  if (boundaries.kind === 'rule') return { ...known, from: '1', to: '1000' };
  const newest = boundaries.segments.at(-1);
  return newest === undefined ? known : { ...known, from: String(newest.fromHeight), to: String(newest.toHeight) };
}

/** The plan; undefined while the range is not valid. */
export function wizardPlan(wizard: Wizard): ExportPlan | undefined {
  const range = checkedRange(wizard);
  const table = chosenTable(wizard);
  if (range?.isValid !== true || table === undefined) return undefined;
  const chainId = wizard.boundaries?.kind === 'listed' ? wizard.boundaries.chainId : '';
  const [from, to] = [BigInt(wizard.from), BigInt(wizard.to)];
  return {
    table,
    fromBlock: from,
    toBlock: to,
    asked: createRequestedRange(
      { from: { height: from, asked: wizard.asked.from }, to: { height: to, asked: wizard.asked.to } },
      wizard.rangeWords,
    ),
    ...(chainId !== '' && { chainId }),
    ...(range.runs !== undefined && { runs: range.runs }),
    ...(range.broken !== undefined && { broken: range.broken }),
    ...(wizard.witnesses !== null && { witnesses: wizard.witnesses }),
    destination: wizard.destination.trim() === '' ? '.' : wizard.destination.trim(),
    mayOverwrite: wizard.mayOverwrite,
    keepsIncomplete: wizard.keepsIncomplete,
    ...(exportsSlices(wizard) && {
      slices: { segmentsPerSlice: proposeSliceLength(range.segments), parallel: 1 },
    }),
  };
}

/** The block of a field where a height is typed; undefined for anything else. */
export const parseHeight = (text: string): bigint | undefined => (isHeight(text) ? BigInt(text.trim()) : undefined);

/** Events of keys, menus and the command line, and the results of requests. */
export type ExportEvent =
  | Bare<'accept' | 'back' | 'next-field' | 'toggle-slices' | 'toggle-keep-incomplete' | 'preview'>
  | Bare<'show-result' | 'view-export' | 'cancel'>
  | { readonly type: 'snap'; readonly direction: 1 | -1; readonly times: number }
  | { readonly type: 'typed'; readonly value: EditedText }
  | { readonly type: 'pasted'; readonly text: string }
  | Bare<
      | 'may-overwrite'
      | 'start-over'
      | 'next-table'
      | 'export-again'
      | 'export-in-slices'
      | 'verify-again'
      | 'audit'
      | 'ask-report'
    >
  | { readonly type: 'report'; readonly party: string }
  | { readonly type: 'use-preset' | 'save-preset'; readonly name: string }
  | { readonly type: 'boundaries-known'; readonly boundaries: Boundaries; readonly hint: string | null }
  | { readonly type: 'boundaries-failed'; readonly failure: ScreenFailure }
  | { readonly type: 'located'; readonly located: LocatedBlock }
  | { readonly type: 'range-found'; readonly found: ResolvedRange }
  | { readonly type: 'not-located'; readonly problem: string }
  | { readonly type: 'surveyed'; readonly survey: Survey }
  | { readonly type: 'witnessed'; readonly witnesses: readonly Witness[] }
  | { readonly type: 'destination-checked'; readonly check: DestinationCheck }
  /** `problem`: why it was not saved. */
  | { readonly type: 'preset-saved'; readonly problem: string | null }
  | { readonly type: 'verified' | 'audited' | 'reported' | 'previewed'; readonly text: string }
  | { readonly type: 'offered'; readonly offers: JobOffers };

type Bare<Type extends string> = Type extends unknown ? { readonly type: Type } : never;
