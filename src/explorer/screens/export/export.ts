import { basename } from 'node:path';
import { TABLES } from '../../../export/plan/tables.ts';
import { moved } from '../../core/moving.ts';
import {
  COPY_KEY,
  type Message,
  type Screen,
  type ScreenContext,
  type Step,
  type TextField,
} from '../../core/screen.ts';
import { type ExportOpening, open, type ValueOpening } from '../../openings.ts';
import { ALREADY_RUNNING, noAnswers, noAudit, noReport, noRows, noTableToView } from '../../services/export-job.ts';
import { NO_PARTY, partyProposed, partyTyped } from '../../services/names/party.ts';
import { exportEffects } from './effects.ts';
import { afterExportItems, exportCopies, NO_PROFILE, noPresets, presetItems } from './menus.ts';
import {
  type ExportEvent,
  fieldToFind,
  isInSlices,
  namedRangeOf,
  newWizard,
  planOf,
  snapBy,
  type Wizard,
  type WizardStep,
  withBoundaries,
  withLocated,
  withRange,
  withRequest,
} from './state.ts';
import {
  advanced,
  atReview,
  filled,
  filledWithPreset,
  nextStep,
  nextTable,
  noStepBefore,
  reviewed,
  startedOver,
  stepBack,
  viewLastExport,
  withLastResult,
  withSegments,
  withTyped,
} from './steps.ts';
import { EXPORT_VERBS, presetWords } from './verbs.ts';
import { drawWizard, exportField, exportWait } from './view.ts';

type Reason = (wizard: Wizard, context: ScreenContext) => string | undefined;

const at =
  (...steps: readonly WizardStep[]) =>
  ({ step }: Wizard): boolean =>
    steps.includes(step);

export const exportScreen: Screen<Wizard, ExportEvent, ExportOpening> = {
  title: 'the Export tab',
  description: 'Downloads tables of network history, and checks what arrived',
  tab: 'export',
  isRoot: true,
  open: ({ destination }) => newWizard(destination),
  news: (wizard, { type }) => ({ state: type === 'arrived' ? withSegments(wizard) : wizard }),
  // No request of the other node has an id of this one.
  afterSwitch: ({ destination, lastRequest }) => ({ ...newWizard(destination), lastRequest }),
  // biome-ignore format: a table, a row a key
  keys: [
    { ...COPY_KEY, when: (wizard, { shared }) => at('result', 'progress')(wizard) || (shared.access === 'guest' && at('review')(wizard)) },
    { keys: ['enter'], event: { type: 'accept' }, title: 'next step', group: 'Export', footer: 'go on', footerNow: insteadOfGoingOn, disabledReason: noStepOn, when: at('table', 'range', 'destination') },
    { keys: ['enter'], event: { type: 'accept' }, title: 'start the export', group: 'Export', footer: 'start', disabledReason: jobRuns, when: at('review'), needs: 'exports' },
    { keys: ['up'], event: { type: 'snap', direction: 1, times: 1 }, title: 'the boundary above', group: 'Export', footer: 'higher', disabledReason: noBoundary(1), when: at('range') },
    { keys: ['down'], event: { type: 'snap', direction: -1, times: 1 }, title: 'the boundary below', group: 'Export', footer: 'lower', disabledReason: noBoundary(-1), when: at('range') },
    { keys: ['pageup'], event: { type: 'snap', direction: 1, times: 10 }, title: 'ten boundaries up', group: 'Export', disabledReason: noBoundary(1), when: at('range') },
    { keys: ['pagedown'], event: { type: 'snap', direction: -1, times: 10 }, title: 'ten boundaries down', group: 'Export', disabledReason: noBoundary(-1), when: at('range') },
    { keys: ['s'], event: { type: 'toggle-slices' }, title: 'in slices, or in one request', group: 'Export', footer: 'slices', when: at('review') },
    { keys: ['i'], event: { type: 'toggle-keep-incomplete' }, title: 'keep an incomplete file as .incomplete.zip', group: 'Export', when: at('review') },
    { keys: ['o'], event: { type: 'view-export' }, title: 'look at it as a table', group: 'Export', footer: 'look at it', disabledReason: (_, { shared }) => noTableToView(shared), when: at('result') },
    { keys: ['a'], program: { type: 'open-menu', id: 'answers' }, title: 'ready questions to it', group: 'Export', footer: 'answers', disabledReason: (_, { shared }) => noAnswers(shared), when: at('result') },
    { keys: ['A'], event: { type: 'audit' }, title: 'compare it with the other exports in its folder', group: 'Export', disabledReason: (_, { shared }) => noAudit(shared), when: at('result') },
    { keys: ['R'], event: { type: 'ask-report' }, title: 'write one page about a party, from the exports in its folder', group: 'Export', disabledReason: (_, { shared }) => noReport(shared), when: at('result') },
    { keys: ['v'], event: { type: 'preview' }, title: 'look at the first rows', group: 'Export', footer: 'first rows', disabledReason: (_, { shared }) => noRows(shared), when: at('result') },
    { keys: ['v'], event: { type: 'show-result' }, title: 'how the last export ended', group: 'Export', footer: 'last result', disabledReason: noResult, when: at('table') },
    { keys: ['tab', 'shift-tab'], event: { type: 'next-field' }, title: 'the other bound', group: 'Export', footer: 'from/to', disabledReason: noBounds, when: at('range') },
    { keys: ['x'], event: { type: 'cancel' }, title: 'cancel the export', group: 'Export', footer: 'cancel', when: at('progress') },
    { keys: ['enter'], program: { type: 'open-menu', id: 'after-export' }, title: 'what to do with it', group: 'Export', footer: 'what next', when: at('result') },
    { keys: ['p'], program: { type: 'open-menu', id: 'presets' }, title: 'presets', group: 'Export', footer: 'presets', disabledReason: noPresets, when: at('table', 'review', 'result') },
    { keys: ['ctrl-p'], program: { type: 'open-menu', id: 'presets' }, title: 'presets', group: 'Export', footer: 'presets', disabledReason: noPresets, when: at('range', 'destination') },
    { keys: ['backspace'], program: { type: 'come-back' }, title: 'back to where this tab was opened from', group: 'Export', disabledReason: cameFromNowhere, when: at('table', 'review', 'progress', 'result') },
    { keys: ['esc'], event: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', disabledReason: noStepBefore, isInProgramsPlace: true },
    { keys: ['q'], program: { type: 'quit' }, title: 'quit', group: 'Program', footer: 'quit', when: at('table', 'progress'), isInProgramsPlace: true },
    { keys: ['q'], event: { type: 'back' }, title: 'close', group: 'Program', when: at('review', 'result'), isInProgramsPlace: true },
  ],
  canMove: at('table'),
  move: (wizard, move, { area }) => {
    const { row } = moved({ row: wizard.table, top: 0 }, move, TABLES.length, area.rows);
    return { ...wizard, table: row, tablesAfter: [], advanceTo: null };
  },
  update: (wizard, event, context) => advanced(updated(wizard, event, context), context),
  settle: (wizard, { shared: { job } }) =>
    wizard.step === 'progress' && job?.status === 'ended' ? { ...wizard, step: 'result' } : wizard,
  effects: exportEffects,
  body: drawWizard,
  field: (wizard): TextField<ExportEvent> | undefined => {
    const field = exportField(wizard);
    return field && { ...field, isStep: true, edited: value => ({ type: 'typed', value }) };
  },
  problem: ({ problem }) => problem ?? '',
  waits: exportWait,
  showsJob: at('progress'),
  menus: { presets: presetItems, 'after-export': afterExportItems },
  verbs: EXPORT_VERBS,
  pasted: ({ step }, text) => (step === 'result' ? { type: 'pasted', text } : undefined),
  copies: exportCopies,
  saves: () => 'there are no rows to save',
  fileName: () => ({ parts: ['export'] }),
};

function cameFromNowhere(_: Wizard, { shared: { trail } }: ScreenContext): string | undefined {
  return trail.length > 0 ? undefined : 'Backspace comes back from where Enter or g leads';
}

type Updated = Step<Wizard> & { readonly state: Wizard };

function updated(before: Wizard, event: ExportEvent, context: ScreenContext): Updated {
  switch (event.type) {
    // Keys: pressing one means going on by hand, unless it asks the node once more.
    case 'accept':
      return nextStep(before.failure === null ? { ...before, advanceTo: null } : before, context);
    case 'back':
    case 'next-field':
    case 'snap':
    case 'toggle-slices':
    case 'toggle-keep-incomplete':
    case 'preview':
    case 'show-result':
    case 'view-export':
    case 'cancel':
      return afterKey({ ...before, advanceTo: null, cursor: null }, event, context);
    case 'typed':
      return { state: withTyped(before, event.value) };
    case 'pasted':
      return { state: before, messages: [{ type: 'ask-party', party: event.text }] };
    case 'may-overwrite':
      return { state: atReview({ ...before, mayOverwrite: true }) };
    case 'start-over':
      return { state: startedOver(before, context) };
    case 'next-table':
      return { state: nextTable(before) };
    case 'export-again':
      return { state: reviewed(before) };
    case 'export-in-slices':
      return { state: reviewed({ ...before, isSliced: true }) };
    case 'verify-again':
      return {
        state: withRequest(before, verifying => ({ verifying })),
        messages: [{ type: 'noticed', text: 'verifying what lies on the disk ...' }],
      };
    case 'audit':
      return { state: withRequest(before, auditing => ({ auditing })) };
    case 'ask-report':
      return { state: before, messages: [askForParty(context)] };
    case 'report':
      return { state: withRequest(before, request => ({ reporting: { request, party: event.party } })) };
    case 'use-preset':
      return filledWithPreset(before, event.name, context);
    case 'save-preset':
      return savePreset(before, event.name, context);
    case 'fill':
      return filled(before, event.choice, 'review', context);
    case 'boundaries-known':
    case 'boundaries-failed':
    case 'located':
    case 'range-found':
    case 'not-located':
    case 'surveyed':
    case 'witnessed':
    case 'destination-checked':
    case 'preset-saved':
    case 'verified':
    case 'audited':
    case 'reported':
    case 'previewed':
    case 'offered':
      return answered(before, event, context);
  }
}

type EventOf<Type extends ExportEvent['type']> = Extract<ExportEvent, { readonly type: Type }>;

type ExportKey =
  | 'back'
  | 'next-field'
  | 'snap'
  | 'toggle-slices'
  | 'toggle-keep-incomplete'
  | 'preview'
  | 'show-result'
  | 'view-export'
  | 'cancel';

function afterKey(wizard: Wizard, event: EventOf<ExportKey>, context: ScreenContext): Updated {
  switch (event.type) {
    case 'back':
      return { state: stepBack(wizard) };
    case 'next-field':
      return { state: { ...wizard, field: wizard.field === 'from' ? 'to' : 'from', locating: null } };
    case 'snap':
      return { state: snapBy(wizard, event.direction, event.times) };
    case 'toggle-slices':
      // A file and a folder have different names: the place is looked at anew.
      return {
        state: withRequest(wizard, checking => ({ isSliced: !isInSlices(wizard), checking, mayOverwrite: false })),
      };
    case 'toggle-keep-incomplete':
      return { state: { ...wizard, keepsIncomplete: !wizard.keepsIncomplete } };
    case 'preview':
      return { state: withRequest(wizard, previewing => ({ previewing })) };
    case 'show-result':
      return { state: withLastResult(wizard, context) };
    case 'view-export':
      return { state: wizard, messages: viewLastExport(context) };
    case 'cancel':
      return { state: wizard, messages: [askToCancel(context)] };
  }
}

type ExportAnswer =
  | 'boundaries-known'
  | 'boundaries-failed'
  | 'located'
  | 'range-found'
  | 'not-located'
  | 'surveyed'
  | 'witnessed'
  | 'destination-checked'
  | 'preset-saved'
  | 'verified'
  | 'audited'
  | 'reported'
  | 'previewed'
  | 'offered';

/** What came of a request. Nothing comes of one that is not wanted any more. */
function answered(wizard: Wizard, event: EventOf<ExportAnswer>, context: ScreenContext): Updated {
  switch (event.type) {
    case 'boundaries-known': {
      const { boundaries, hint } = event;
      const chain: readonly Message[] =
        boundaries.kind === 'listed' ? [{ type: 'chain-known', chainId: boundaries.chainId }] : [];
      return {
        state: withBoundaries(wizard, boundaries, hint),
        messages: [{ type: 'segments-known' }, ...chain],
      };
    }
    case 'boundaries-failed':
      return { state: { ...wizard, asking: null, failure: event.failure } };
    case 'located':
      return { state: withLocated(wizard, event.located) };
    case 'range-found':
      return { state: withRange(wizard, event.found) };
    case 'not-located':
      return { state: { ...wizard, locating: null, problem: event.problem } };
    case 'surveyed':
      return { state: { ...wizard, surveying: null, survey: event.survey } };
    case 'witnessed':
      return { state: { ...wizard, witnessing: null, witnesses: event.witnesses } };
    case 'destination-checked': {
      const { check } = event;
      const checked = { ...wizard, checking: null, check, problem: check.problem };
      if (check.problem !== null) return { state: checked };
      if (check.exists && !wizard.mayOverwrite)
        return { state: { ...checked, advanceTo: null }, messages: [askToReplace(check.path, context)] };
      return { state: atReview(checked) };
    }
    case 'preset-saved':
      return presetSaved(wizard, event.problem);
    case 'verified':
      return shown(
        { ...wizard, verifying: null },
        { title: 'Verified again', text: event.text, isProse: true },
        context,
      );
    case 'audited':
      return shown({ ...wizard, auditing: null }, { title: 'Audit', text: event.text, isProse: true }, context);
    case 'reported':
      return shown({ ...wizard, reporting: null }, { title: 'Report', text: event.text, isProse: true }, context);
    case 'previewed':
      return shown({ ...wizard, previewing: null }, { title: 'The first rows', text: event.text }, context);
    case 'offered':
      return { state: wizard, messages: [{ type: 'offers-known', offers: event.offers }] };
  }
}

/** The text over the screen, unless the person has gone on to something else. */
function shown(wizard: Wizard, value: ValueOpening, { isOnTop }: ScreenContext): Updated {
  if (isOnTop && wizard.step === 'result') return { state: wizard, messages: [open('value', value)] };
  const [first = ''] = value.text.split('\n');
  return { state: wizard, messages: [{ type: 'noticed', text: `${value.title.toLowerCase()}: ${first}` }] };
}

function savePreset(wizard: Wizard, name: string, { shared: { node } }: ScreenContext): Updated {
  const refused = (text: string): Updated => ({
    state: wizard,
    messages: [{ type: 'noticed', text, tone: 'bad' }],
  });
  const plan = planOf(wizard);
  if (node.presets === null) return refused(NO_PROFILE);
  if (plan === undefined) return refused('a valid range is needed first: the export tab has it');
  const words = presetWords(wizard, plan);
  return { state: withRequest(wizard, request => ({ saving: { request, profile: node.label, name, words } })) };
}

function presetSaved(wizard: Wizard, problem: string | null): Updated {
  const { saving } = wizard;
  const state = { ...wizard, saving: null };
  if (saving === null) return { state };
  const { name, words } = saving;
  if (problem !== null)
    return { state, messages: [{ type: 'noticed', text: `the preset was not saved: ${problem}`, tone: 'bad' }] };
  const text = `saved as ${name}: p lists the presets, --preset ${name} has it in a command`;
  return {
    state,
    messages: [
      { type: 'preset-known', name, words },
      { type: 'noticed', text, tone: 'good' },
    ],
  };
}

/** The party of the page; the one that was asked for last stands in the field. */
const askForParty = ({ shared, to }: ScreenContext): Message =>
  open('prompt', {
    label: 'report on party',
    drawnLabel: 'report on party (64 digits, paste it)',
    text: partyProposed(shared),
    isProposed: true,
    done: (below, typed) => {
      const party = partyTyped(below, typed);
      if (party === undefined) return { problem: NO_PARTY };
      return {
        actions: [{ type: 'party-asked', party }, to({ type: 'report', party } satisfies ExportEvent)],
      };
    },
  });

function askToCancel({ shared: { job } }: ScreenContext): Message {
  const kept =
    job?.plan.slices === undefined ? 'What arrived stays in the .part file.' : 'The slices that are verified are kept.';
  return open('confirm', {
    about: 'cancel-export',
    questions: [`Cancel the export? ${kept}`, 'Cancel the export?'],
    yes: [{ type: 'cancel-export' }],
    isPointless: below => below.job?.status !== 'running',
  });
}

function askToReplace(path: string, { to }: ScreenContext): Message {
  const names = [path, basename(path)];
  return open('confirm', {
    about: 'overwrite',
    questions: [
      ...names.map(name => `${name} exists. Replace it when the new one is complete?`),
      'The file exists. Replace it?',
    ],
    yes: [to({ type: 'may-overwrite' } satisfies ExportEvent)],
  });
}

// Why keys do nothing now.

function jobRuns(_: Wizard, { shared: { job } }: ScreenContext): string | undefined {
  return job?.status === 'running' ? ALREADY_RUNNING : undefined;
}

function noResult(_: Wizard, { shared: { job } }: ScreenContext): string | undefined {
  return job?.status === 'ended' ? undefined : 'no export has ended yet';
}

/** An error is shown instead of the bounds. */
function noBounds({ failure }: Wizard): string | undefined {
  return failure === null ? undefined : 'the segments are not known: Enter asks again';
}

function noBoundary(direction: 1 | -1): Reason {
  return wizard => {
    if (wizard.failure !== null) return noBounds(wizard);
    if (wizard.boundaries === null) return SEGMENTS_ON_THEIR_WAY;
    const isAtEnd = snapBy(wizard, direction, 1) === wizard;
    return isAtEnd ? `no boundary ${direction === 1 ? 'above' : 'below'}` : undefined;
  };
}

const SEGMENTS_ON_THEIR_WAY = 'the segments are on their way';

/** Enter asks for the segments where they are not known. */
function noStepOn(wizard: Wizard, { shared: { node } }: ScreenContext): string | undefined {
  if (wizard.step === 'table' && node.moment !== null)
    return 'a snapshot has no history to export; :at now shows the node';
  return segmentsOnTheirWay(wizard);
}

function segmentsOnTheirWay({ step, asking }: Wizard): string | undefined {
  return step === 'range' && asking !== null ? SEGMENTS_ON_THEIR_WAY : undefined;
}

/** What Enter does first where it does not go on yet. */
function insteadOfGoingOn(wizard: Wizard): string | undefined {
  if (wizard.step !== 'range') return undefined;
  if (wizard.failure !== null) return 'ask again';
  return namedRangeOf(wizard) === undefined && fieldToFind(wizard) === undefined ? undefined : 'find';
}
