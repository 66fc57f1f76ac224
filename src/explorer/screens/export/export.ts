import { EXPORT_TABLES } from '../../../history/plan/export-tables.ts';
import { COPY_KEY, type FormScreen, type ScreenContext, type TextField } from '../../core/screen.ts';
import { moveWindow } from '../../core/window.ts';
import type { ExportOpening } from '../../openings.ts';
import { ALREADY_RUNNING, noAnswers, noAudit, noReport, noRows, noTableToView } from '../../services/export-job.ts';
import { exportEffects } from './effects.ts';
import { EXPORT_HANDLERS } from './handlers.ts';
import { afterExportItems, exportCopies, noPresets, presetItems } from './menus.ts';
import {
  boundToLocate,
  type ExportEvent,
  newWizard,
  snapByBoundaries,
  typedNamedRange,
  type Wizard,
  type WizardStep,
} from './state.ts';
import { advanceWizard, openWizard, requestSegments } from './steps.ts';
import { PRESET_VERB_HERE } from './verbs.ts';
import { announcedExport, drawWizard, exportField, exportWait } from './view.ts';

type Reason = (wizard: Wizard, context: ScreenContext) => string | undefined;

const at =
  (...steps: readonly WizardStep[]) =>
  ({ step }: Wizard): boolean =>
    steps.includes(step);

/** The bounds cannot be typed, because an error is shown instead. */
const isWithoutBounds = ({ step, failure }: Wizard): boolean => step === 'range' && failure !== null;
const hasBounds = (wizard: Wizard): boolean => at('range')(wizard) && !isWithoutBounds(wizard);
const isTyping = (wizard: Wizard): boolean => exportField(wizard) !== undefined;

const isReading =
  (...steps: readonly WizardStep[]) =>
  (wizard: Wizard): boolean =>
    at(...steps)(wizard) || isWithoutBounds(wizard);

export const exportScreen: FormScreen<Wizard, ExportEvent, ExportOpening> = {
  kind: 'form',
  title: 'the export',
  needs: null,
  isOverlay: false,
  description: 'Downloads tables of network history, and checks them',
  tab: {
    id: 'history',
    verbs: { preset: PRESET_VERB_HERE },
    showsDownload: ({ step }) => (step === 'progress' ? 'job' : undefined),
    // No request of the other node has an id of this one.
    afterSwitch: ({ destination, lastRequest }) => requestSegments({ ...newWizard(destination), lastRequest }),
  },
  needsNode: true,
  open: openWizard,
  follows: (_, wizard, context) => advanceWizard({ state: wizard }, context),
  // biome-ignore format: a table, a row a key
  keys: [
    { ...COPY_KEY, when: (wizard, { shared }) => at('result', 'progress')(wizard) || (shared.access === 'guest' && at('review')(wizard)) },
    { keys: ['enter'], event: { type: 'accept' }, title: 'next step', group: 'Export', footer: 'next', footerNow: enterLabel, disabledReason: noNextStep, when: at('table', 'range', 'destination') },
    { keys: ['enter'], event: { type: 'accept' }, title: 'start the export', group: 'Export', footer: 'start', disabledReason: jobRuns, when: at('review'), needs: 'exports' },
    { keys: ['up'], event: { type: 'snap', direction: 1, times: 1 }, title: 'the boundary above', group: 'Export', footer: 'higher', disabledReason: noBoundary(1), when: at('range') },
    { keys: ['down'], event: { type: 'snap', direction: -1, times: 1 }, title: 'the boundary below', group: 'Export', footer: 'lower', disabledReason: noBoundary(-1), when: at('range') },
    { keys: ['pageup'], event: { type: 'snap', direction: 1, times: 10 }, title: 'ten boundaries up', group: 'Export', disabledReason: noBoundary(1), when: at('range') },
    { keys: ['pagedown'], event: { type: 'snap', direction: -1, times: 10 }, title: 'ten boundaries down', group: 'Export', disabledReason: noBoundary(-1), when: at('range') },
    { keys: ['s'], event: { type: 'toggle-slices' }, title: 'in slices, or in one request', group: 'Export', footer: 'slices', when: at('review') },
    { keys: ['i'], event: { type: 'toggle-keep-incomplete' }, title: 'keep an incomplete file as .incomplete.zip', group: 'Export', when: at('review') },
    { keys: ['o'], event: { type: 'view-export' }, title: 'open it as a table', group: 'Export', footer: 'open the rows', disabledReason: (_, { shared }) => noTableToView(shared), when: at('result') },
    { keys: ['enter'], program: { type: 'open-menu', id: 'after-export' }, title: 'what to do with the export', group: 'Export', footer: 'what next', when: at('result') },
    { keys: ['a'], program: { type: 'open-menu', id: 'answers' }, title: 'ask a ready question', group: 'Export', footer: 'ask', disabledReason: (_, { shared }) => noAnswers(shared), when: at('result') },
    { keys: ['A'], event: { type: 'audit' }, title: 'audit it with the other exports in its folder', group: 'Export', footer: 'audit', disabledReason: (_, { shared }) => noAudit(shared), when: at('result') },
    { keys: ['R'], event: { type: 'ask-report' }, title: 'write one page about a party, from the exports in its folder', group: 'Export', disabledReason: (_, { shared }) => noReport(shared), when: at('result') },
    { keys: ['v'], event: { type: 'preview' }, title: 'show the first rows', group: 'Export', footer: 'first rows', disabledReason: (_, { shared }) => noRows(shared), when: at('result') },
    { keys: ['v'], event: { type: 'show-result' }, title: 'result of the last export', group: 'Export', footer: 'last result', disabledReason: noResult, when: at('table') },
    { keys: ['tab', 'shift-tab'], event: { type: 'next-field' }, title: 'the other bound', group: 'Export', footer: 'from/to', when: hasBounds },
    { keys: ['x'], event: { type: 'cancel' }, title: 'cancel the export', group: 'Export', footer: 'cancel', when: at('progress') },
    { keys: ['p'], program: { type: 'open-menu', id: 'presets' }, title: 'presets', group: 'Export', footer: 'presets', disabledReason: noPresets, when: isReading('table', 'review', 'result') },
    { keys: ['ctrl-p'], program: { type: 'open-menu', id: 'presets' }, title: 'presets', group: 'Export', footer: 'presets', disabledReason: noPresets, when: isTyping },
    { keys: ['esc'], event: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
    { keys: ['q'], event: { type: 'back' }, title: 'close', group: 'Program', when: isReading('table', 'review', 'progress', 'result'), isInProgramsPlace: true },
  ],
  lines: {
    canMove: at('table'),
    move: (wizard, move, { area }) => {
      const { row } = moveWindow({ row: wizard.table, top: 0 }, move, EXPORT_TABLES.length, area.rows);
      return { ...wizard, table: row, tablesAfter: [], advanceTo: null };
    },
  },
  handlers: EXPORT_HANDLERS,
  settle: (wizard, { shared: { job } }) =>
    wizard.step === 'progress' && job?.status === 'ended' ? { ...wizard, step: 'result' } : wizard,
  effects: exportEffects,
  body: drawWizard,
  input: {
    field: (wizard): TextField<ExportEvent> | undefined => {
      const field = exportField(wizard);
      return field && { ...field, isStep: true, edited: value => ({ type: 'typed', value }) };
    },
    problem: ({ problem }) => problem ?? '',
    pasted: ({ step }, text) => (step === 'result' ? { type: 'pasted', text } : undefined),
  },
  waits: exportWait,
  // The wizard has its titles in the body.
  around: { head: () => [], place: () => '' },
  announced: announcedExport,
  menus: { presets: presetItems, 'after-export': afterExportItems },
  output: {
    copies: exportCopies,
    file: {
      saves: () => 'no rows to save',
      name: () => ({ parts: ['export'] }),
    },
  },
};

// Why keys do nothing now.

function jobRuns(_: Wizard, { shared: { job } }: ScreenContext): string | undefined {
  return job?.status === 'running' ? ALREADY_RUNNING : undefined;
}

function noResult(_: Wizard, { shared: { job } }: ScreenContext): string | undefined {
  return job?.status === 'ended' ? undefined : 'no export has finished yet';
}

function noBoundary(direction: 1 | -1): Reason {
  return wizard => {
    if (isWithoutBounds(wizard)) return 'the segments are not known: Enter asks again';
    if (wizard.boundaries === null) return SEGMENTS_ON_THEIR_WAY;
    const isAtEnd = snapByBoundaries(wizard, direction, 1) === wizard;
    return isAtEnd ? `no boundary ${direction === 1 ? 'above' : 'below'}` : undefined;
  };
}

const SEGMENTS_ON_THEIR_WAY = 'the segments are loading';

/** Enter asks for the segments where they are not known. */
function noNextStep(wizard: Wizard, { shared: { node } }: ScreenContext): string | undefined {
  if (wizard.step === 'table' && node.moment !== null)
    return 'a snapshot has no history to export; :at now shows the node';
  return segmentsOnTheirWay(wizard);
}

function segmentsOnTheirWay({ step, asking }: Wizard): string | undefined {
  return step === 'range' && asking !== null ? SEGMENTS_ON_THEIR_WAY : undefined;
}

/** The first action of Enter when it does not advance to the next step yet. */
function enterLabel(wizard: Wizard): string | undefined {
  if (wizard.step !== 'range') return undefined;
  if (wizard.failure !== null) return 'ask again';
  return typedNamedRange(wizard) === undefined && boundToLocate(wizard) === undefined ? undefined : 'find';
}
