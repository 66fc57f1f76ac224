import type { EditedText } from '../../../base/text/edit-text.ts';
import { parseNamedRangeEnd } from '../../../chain/range/parse-range.ts';
import type { ExportPlan } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../history/plan/export-tables.ts';
import { readPreset, type TypedExport } from '../../../history/plan/typed-export.ts';
import type { Message, ScreenContext, SharedState, Step } from '../../core/screen.ts';
import type { ExportOpening } from '../../openings.ts';
import { ALREADY_RUNNING, exportLocation } from '../../services/export-job.ts';
import {
  boundToLocate,
  checkedRange,
  NO_NOTES,
  NO_REQUESTED_BOUNDS,
  NO_SURVEY,
  newWizard,
  typedBoundProblem,
  typedNamedRange,
  type Wizard,
  withoutRange,
  withRequest,
  wizardPlan,
} from './state.ts';

// What leads from one step of an export to another.

type WizardStepped = Step<Wizard> & { readonly state: Wizard };

const wizardNotice = (state: Wizard, text: string, tone: 'info' | 'bad' = 'info'): WizardStepped => ({
  state,
  messages: [{ type: 'noticed', text, tone }],
});

/** The segments are asked for when they are not known. */
export const requestSegments = (wizard: Wizard): Wizard =>
  wizard.boundaries !== null || wizard.asking !== null
    ? wizard
    : withRequest(wizard, asking => ({ asking, failure: null }));

/** What Enter does. */
export function nextStep(wizard: Wizard, context: ScreenContext): WizardStepped {
  switch (wizard.step) {
    case 'table':
      return { state: { ...requestSegments(wizard), step: 'range', field: 'from', problem: null } };
    case 'range':
      return acceptRange(wizard);
    case 'destination':
      return { state: withRequest(wizard, checking => ({ checking, mayOverwrite: false, problem: null })) };
    case 'review':
      return startExport(wizard, context);
    case 'progress':
    case 'result':
      return { state: wizard };
  }
}

function acceptRange(wizard: Wizard): WizardStepped {
  if (wizard.asking !== null) return wizardNotice(wizard, 'the segments are loading');
  if (wizard.boundaries === null) return { state: requestSegments(wizard) };
  const field = typedNamedRange(wizard) === undefined ? boundToLocate(wizard) : wizard.field;
  if (field !== undefined) return { state: withRequest(wizard, locating => ({ field, locating, problem: null })) };
  for (const bound of ['from', 'to'] as const) {
    const problem = typedBoundProblem(wizard, bound);
    if (problem !== undefined) return { state: { ...wizard, field: bound, problem } };
  }
  const range = checkedRange(wizard);
  if (range?.isValid === false) return { state: { ...wizard, problem: range.problem } };
  return { state: { ...wizard, step: 'destination', problem: null } };
}

function startExport(wizard: Wizard, { shared }: ScreenContext): WizardStepped {
  const plan = wizardPlan(wizard);
  if (plan === undefined) return { state: { ...wizard, step: 'range' } };
  if (shared.job?.status === 'running') return wizardNotice(wizard, ALREADY_RUNNING);
  return {
    // Requests about the export before do not concern this one.
    state: { ...wizard, step: 'progress', previewing: null, verifying: null, auditing: null, reporting: null },
    messages: [{ type: 'start-export', plan }],
  };
}

/** Takes the steps that need no decision, as Enter would, once the data they wait for has arrived. */
export function advanceWizard(step: WizardStepped, context: ScreenContext): WizardStepped {
  const { state } = step;
  const { advanceTo, asking, locating, checking, failure } = state;
  if (advanceTo === null || failure !== null || asking !== null || locating !== null || checking !== null) return step;
  if (state.problem !== null || !context.isOnTop || hasReached(state, advanceTo))
    return { ...step, state: { ...state, advanceTo: null } };
  const next = nextStep(state, context);
  return advanceWizard({ state: next.state, messages: [...(step.messages ?? []), ...(next.messages ?? [])] }, context);
}

const hasReached = ({ step, rangeWords }: Wizard, advanceTo: 'range' | 'review'): boolean =>
  advanceTo === 'range' ? rangeWords !== null : step !== 'range' && step !== 'destination';

/** Shows the planned export; requests the facts about the range that are still unknown. */
export function showReview(wizard: Wizard): Wizard {
  const { survey, witnesses } = wizard;
  const surveyed = survey === null ? withRequest(wizard, surveying => ({ surveying })) : wizard;
  const asked = witnesses === null ? withRequest(surveyed, witnessing => ({ witnessing })) : surveyed;
  return { ...asked, step: 'review' };
}

const STEP_BEFORE = {
  table: 'table',
  range: 'table',
  destination: 'range',
  review: 'destination',
  progress: 'progress',
  result: 'table',
} as const;

const isAsking = ({ checking, locating }: Wizard): boolean => checking !== null || locating !== null;

/** What Esc does. */
export function stepBack(wizard: Wizard): Wizard {
  const quiet = { ...wizard, checking: null, locating: null };
  // At the review, a check that is given up would leave the results for another destination.
  if (wizard.step !== 'review' && isAsking(wizard)) return quiet;
  return { ...quiet, step: STEP_BEFORE[wizard.step], problem: null };
}

/** Esc closes the wizard at its first step. A running export continues. */
export const isFirstStep = (wizard: Wizard): boolean =>
  !isAsking(wizard) && (wizard.step === 'table' || wizard.step === 'progress');

/** The field in focus with another text or another place of the cursor. */
export function withFieldText(wizard: Wizard, value: EditedText): Wizard {
  const { text, at } = value;
  if (wizard.step === 'destination') {
    if (text === wizard.destination) return { ...wizard, cursor: value };
    const typedIn = [...wizard.typedIn.filter(field => field !== 'destination'), 'destination'] as const;
    const unchecked = { problem: null, check: null, checking: null, advanceTo: null, mayOverwrite: false };
    return { ...wizard, destination: text, cursor: value, typedIn, ...unchecked };
  }
  // An error is shown instead of the bounds.
  if (wizard.step !== 'range' || wizard.failure !== null) return wizard;
  const { field } = wizard;
  if (text === wizard[field]) return { ...wizard, cursor: value };
  const height = text.trimStart();
  return {
    ...withoutRange(wizard, field),
    [field]: height,
    cursor: { text: height, at },
    typedIn: [...wizard.typedIn, field],
  };
}

/** The way to another export, from its beginning. */
export const startOver = (wizard: Wizard, { shared: { job } }: ScreenContext): Wizard => ({
  ...wizard,
  step: 'table',
  tablesAfter: [],
  check: null,
  mayOverwrite: false,
  // An export that started in slices continues in slices.
  isSliced: job?.request.slices === undefined ? null : true,
  notes: NO_NOTES,
  rangeWords: null,
  ...NO_SURVEY,
  problem: null,
});

/** Those that were named, in their order; behind them the next one of all. */
export const nextTableIndex = ({ table, tablesAfter }: Wizard): number => tablesAfter[0] ?? table + 1;

/** The same range of the table that comes next, up to its review. */
export const reviewNextTable = (wizard: Wizard): Wizard =>
  reviewAgain({
    ...wizard,
    table: Math.min(nextTableIndex(wizard), EXPORT_TABLES.length - 1),
    tablesAfter: wizard.tablesAfter.slice(1),
    destination: folderForNextExport(wizard.destination),
  });

/** The same export up to its review: its destination is checked first. */
export const reviewAgain = (wizard: Wizard): Wizard =>
  withRequest(wizard, checking => ({
    step: 'destination',
    check: null,
    mayOverwrite: false,
    checking,
    problem: null,
  }));

/** The wizard at the running export, or filled with the values given. */
export function openWizard({ filled }: ExportOpening, context: ScreenContext): Wizard {
  const { job, exportFolder } = context.shared;
  const fresh = requestSegments(newWizard(folderForNextExport(job?.request.destination ?? exportFolder)));
  if (job?.status === 'running') return { ...withPlan(fresh, job.request), step: 'progress' };
  return filled === null ? fresh : fillWizard(fresh, filled.choice, filled.advanceTo, context).state;
}

/** Back to result of the last export, with its table and range: what the result offers is of these. */
export const withLastResult = (wizard: Wizard, { shared: { job } }: ScreenContext): Wizard =>
  job?.status === 'ended' ? { ...withPlan(wizard, job.request), step: 'result' } : wizard;

function withPlan(wizard: Wizard, plan: ExportPlan): Wizard {
  const { table, fromBlock, toBlock, destination, slices, keepsIncomplete = false } = plan;
  const isSame = wizard.from === String(fromBlock) && wizard.to === String(toBlock);
  return {
    ...wizard,
    table: tableIndexOf(table.id),
    destination,
    isSliced: slices !== undefined,
    keepsIncomplete,
    problem: null,
    ...(!isSame && {
      from: String(fromBlock),
      to: String(toBlock),
      notes: NO_NOTES,
      asked: NO_REQUESTED_BOUNDS,
      rangeWords: null,
      ...NO_SURVEY,
    }),
  };
}

/** Opens the last export as a table. */
export function viewLastExport({ shared: { job } }: ScreenContext): readonly Message[] {
  const place = job?.status === 'ended' ? exportLocation(job.result) : null;
  if (place === null) return [];
  const files = { paths: [place.path], isEvenIncomplete: false, question: null };
  return [{ type: 'open-files', files }];
}

/** Fills the fields with the values given, shows them, and requests the newest segments. */
function fillWizard(
  wizard: Wizard,
  choice: TypedExport,
  advanceTo: 'range' | 'review',
  { shared }: ScreenContext,
): WizardStepped {
  if (shared.job?.status === 'running') return wizardNotice(wizard, ALREADY_RUNNING);
  const { range, destination, isSliced, keepsIncomplete } = choice;
  const [table = wizard.table, ...tablesAfter] = choice.tables.map(({ id }) => tableIndexOf(id));
  return {
    state: {
      ...withRangeNamed(wizard, range, advanceTo),
      step: 'range',
      field: 'from',
      cursor: null,
      table,
      tablesAfter,
      destination: destination ?? folderForNextExport(wizard.destination),
      isSliced: isSliced ? true : null,
      keepsIncomplete,
      check: null,
      checking: null,
      mayOverwrite: false,
      problem: null,
    },
    messages: noFieldNotice(choice),
  };
}

/** A notice about values that fit no field. */
export const noFieldNotice = ({ left }: TypedExport): readonly Message[] =>
  left.length === 0 ? [] : [{ type: 'noticed', text: `the wizard has no field for ${left.join(', ')}` }];

/** Fills the fields with a preset and looks for its range. */
export function fillFromPreset(wizard: Wizard, name: string, context: ScreenContext): WizardStepped {
  const { presets } = context.shared.node;
  const choice = presetChoice(presets, name);
  if (choice === undefined) return wizardNotice(wizard, `no preset "${name}"`, 'bad');
  return fillWizard(wizard, choice, 'range', context);
}

/** What a preset of the profile names. */
export function presetChoice(presets: SharedState['node']['presets'], name: string): TypedExport | undefined {
  const words = presets !== null && Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (words === undefined) return undefined;
  const { table, ...choice } = readPreset(words);
  return { ...choice, tables: table === undefined ? [] : [table] };
}

const tableIndexOf = (id: string): number => EXPORT_TABLES.findIndex(table => table.id === id);

/** A file given as destination was meant for one export: the next one gets a name in the same folder. */
const folderForNextExport = (destination: string): string =>
  /\.zip$/i.test(destination) ? destination.replace(/[^/]*$/, '') : destination;

function withRangeNamed(wizard: Wizard, range: string | undefined, advanceTo: Wizard['advanceTo']): Wizard {
  if (range === undefined) return { ...wizard, locating: null, advanceTo: null };
  // In a field, a single place is one end; a word that means a range gives both.
  const from = parseNamedRangeEnd(range) === undefined ? range : `${range}..${range}`;
  return withRequest(wizard, asking => ({
    from,
    typedIn: ['from'],
    notes: NO_NOTES,
    asked: NO_REQUESTED_BOUNDS,
    rangeWords: null,
    ...NO_SURVEY,
    locating: null,
    boundaries: null,
    failure: null,
    asking,
    advanceTo,
  }));
}
