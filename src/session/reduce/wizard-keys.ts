import { moved } from '../../explorer/core/moving.ts';
import { TABLES } from '../../export/plan/tables.ts';
import { layoutOf } from '../model/layout.ts';
import type { SessionState } from '../model/state.ts';
import {
  fieldToFind,
  isInSlices,
  NO_NOTES,
  namedRangeOf,
  planOf,
  rangeOf,
  snap,
  snapBy,
  typedBoundProblem,
  type Wizard,
} from '../model/wizard.ts';
import { viewExport } from './ask-export.ts';
import { withLastResult } from './last-result.ts';
import type { KeyIn } from './place.ts';
import { ask } from './questions.ts';
import { arriveAtTab, withNotice } from './transitions.ts';

/** Keys of the export tab. Whoever presses one goes on by hand, unless it asks a node once more. */
export function wizardKey(before: SessionState, action: KeyIn<'export'>): SessionState {
  const state = action.type === 'accept' && before.wizard.failure !== null ? before : byHand(before);
  const { wizard } = state;
  switch (action.type) {
    case 'move':
      if (wizard.step === 'range') return withWizard(state, snapBy(wizard, action.direction, 10));
      return moveTable(state, action);
    case 'move-to':
      return moveTable(state, action);
    case 'toggle-slices':
      return checkAgain(withWizard(state, { ...wizard, isSliced: !isInSlices(wizard) }));
    case 'toggle-keep-incomplete':
      return withWizard(state, { ...wizard, keepsIncomplete: !wizard.keepsIncomplete });
    case 'preview':
      return { ...state, ticket: state.ticket + 1, previewing: state.ticket + 1 };
    case 'next-field':
      return withWizard(state, { ...wizard, field: wizard.field === 'from' ? 'to' : 'from', locating: null });
    case 'suggest':
      return withWizard(state, snap(wizard, action.direction));
    case 'accept':
      return nextStep(state);
    case 'back':
      return back(state);
    case 'view-export':
      return viewExport(state);
    case 'show-result':
      return withLastResult(state);
    case 'cancel-export':
      return ask(state, { about: 'cancel-export' });
  }
}

const byHand = (state: SessionState): SessionState =>
  state.wizard.onward === null ? state : withWizard(state, { ...state.wizard, onward: null });

function moveTable(
  state: SessionState,
  action: Extract<KeyIn<'export'>, { readonly type: 'move' | 'move-to' }>,
): SessionState {
  const { row } = moved({ row: state.wizard.table, top: 0 }, action, TABLES.length, layoutOf(state).bodyRows);
  return withWizard(state, { ...state.wizard, table: row, tablesAfter: [] });
}

// A file and a folder have different names: the place is looked at anew.
const checkAgain = (state: SessionState): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  wizard: { ...state.wizard, checking: state.ticket + 1, mayOverwrite: false },
});

const withWizard = (state: SessionState, wizard: Wizard): SessionState => ({ ...state, wizard });

/** What Enter does. */
export function nextStep(state: SessionState): SessionState {
  const { wizard } = state;
  switch (wizard.step) {
    case 'table':
      return atRange(arriveAtTab(state, 'export'));
    case 'range':
      return acceptRange(state, wizard);
    case 'destination':
      return {
        ...state,
        ticket: state.ticket + 1,
        wizard: { ...wizard, checking: state.ticket + 1, mayOverwrite: false, problem: null },
      };
    case 'review':
      return startExport(state);
    case 'progress':
    case 'result':
      return state;
  }
}

const atRange = (state: SessionState): SessionState =>
  withWizard(state, { ...state.wizard, step: 'range', field: 'from', problem: null });

function acceptRange(state: SessionState, wizard: Wizard): SessionState {
  if (wizard.asking !== null) return withNotice(state, 'the segments are on their way');
  if (wizard.boundaries === null) return arriveAtTab(state, 'export');
  const field = namedRangeOf(wizard) === undefined ? fieldToFind(wizard) : wizard.field;
  if (field !== undefined) {
    const locating = state.ticket + 1;
    return { ...state, ticket: locating, wizard: { ...wizard, field, locating, problem: null } };
  }
  for (const bound of ['from', 'to'] as const) {
    const problem = typedBoundProblem(wizard, bound);
    if (problem !== undefined) return withWizard(state, { ...wizard, field: bound, problem });
  }
  const range = rangeOf(wizard);
  if (range?.isValid === false) return withWizard(state, { ...wizard, problem: range.problem });
  return withWizard(state, { ...wizard, step: 'destination', problem: null });
}

function startExport(state: SessionState): SessionState {
  const plan = planOf(state.wizard);
  if (plan === undefined) return withWizard(state, { ...state.wizard, step: 'range' });
  if (state.job?.status === 'running') return withNotice(state, 'an export is running already');
  const ticket = state.ticket + 1;
  return {
    ...state,
    ticket,
    job: { ticket, plan, status: 'running', progress: null, isCancelling: false },
    // What was asked of the export before is not asked of this one.
    previewing: null,
    wizard: { ...state.wizard, step: 'progress', verifying: null },
  };
}

const STEP_BEFORE = {
  table: 'table',
  range: 'table',
  destination: 'range',
  review: 'destination',
  progress: 'progress',
  result: 'table',
} as const;

function back(state: SessionState): SessionState {
  const { wizard } = state;
  const quiet = { ...wizard, checking: null, locating: null };
  // At the review a look that is given up would leave what was seen of another place.
  if (wizard.step !== 'review' && (wizard.checking !== null || wizard.locating !== null))
    return withWizard(state, quiet);
  if (wizard.step === 'table') return withNotice(state, 'q quits');
  if (wizard.step === 'progress')
    return withNotice(state, 'the export goes on; x cancels it, other tabs can be used meanwhile');
  return withWizard(state, { ...quiet, step: STEP_BEFORE[wizard.step], problem: null });
}

/** The way to another export, from its beginning. */
export function startOver(state: SessionState): SessionState {
  return withWizard(state, {
    ...state.wizard,
    step: 'table',
    tablesAfter: [],
    check: null,
    mayOverwrite: false,
    // What was begun in slices goes on in slices.
    isSliced: state.job?.plan.slices === undefined ? null : true,
    notes: NO_NOTES,
    rangeWords: null,
    survey: null,
    surveying: null,
    problem: null,
  });
}
