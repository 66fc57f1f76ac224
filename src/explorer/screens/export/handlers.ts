import { basename } from 'node:path';
import type { Handlers, Message, ScreenContext, Step } from '../../core/screen.ts';
import { open, type ValueOpening } from '../../openings.ts';
import { NO_PARTY_PROBLEM, parseParty, proposedParty } from '../../services/names/party.ts';
import { NO_PROFILE } from './menus.ts';
import {
  type ExportEvent,
  exportsSlices,
  snapByBoundaries,
  type Wizard,
  withBoundaries,
  withLocated,
  withRange,
  withRequest,
  wizardPlan,
} from './state.ts';
import {
  fillFromPreset,
  isFirstStep,
  nextStep,
  reviewAgain,
  reviewNextTable,
  showReview,
  startOver,
  stepBack,
  viewLastExport,
  withFieldText,
  withLastResult,
} from './steps.ts';
import { presetArguments } from './verbs.ts';

type Updated = Step<Wizard> & { readonly state: Wizard };

type EventOf<Type extends ExportEvent['type']> = Extract<ExportEvent, { readonly type: Type }>;

// After a key press, the user continues by hand.
const stopAdvancing = (wizard: Wizard): Wizard => ({ ...wizard, advanceTo: null, cursor: null });

const KEY_HANDLERS = {
  // One that failed is asked once more.
  accept: (wizard, _, context) => nextStep(wizard.failure === null ? { ...wizard, advanceTo: null } : wizard, context),
  back: wizard => ({ state: isFirstStep(wizard) ? null : stepBack(stopAdvancing(wizard)) }),
  'next-field': wizard => ({
    state: { ...stopAdvancing(wizard), field: wizard.field === 'from' ? 'to' : 'from', locating: null },
  }),
  snap: (wizard, { direction, times }) => ({ state: snapByBoundaries(stopAdvancing(wizard), direction, times) }),
  // A file and a folder have different names, so the destination is checked again.
  'toggle-slices': wizard => ({
    state: withRequest(stopAdvancing(wizard), checking => ({
      isSliced: !exportsSlices(wizard),
      checking,
      mayOverwrite: false,
    })),
  }),
  'toggle-keep-incomplete': wizard => ({
    state: { ...stopAdvancing(wizard), keepsIncomplete: !wizard.keepsIncomplete },
  }),
  preview: wizard => ({ state: withRequest(stopAdvancing(wizard), previewing => ({ previewing })) }),
  'show-result': (wizard, _, context) => ({ state: withLastResult(stopAdvancing(wizard), context) }),
  'view-export': (wizard, _, context) => ({ state: stopAdvancing(wizard), messages: viewLastExport(context) }),
  cancel: (wizard, _, context) => ({ state: stopAdvancing(wizard), messages: [askToCancel(context)] }),
  typed: (wizard, { value }) => ({ state: withFieldText(wizard, value) }),
  pasted: (wizard, { text }) => ({ state: wizard, messages: [{ type: 'ask-party', party: text }] }),
} satisfies Partial<Handlers<Wizard, ExportEvent>>;

/** Handles menus, questions and the command line. */
const CHOICE_HANDLERS = {
  'may-overwrite': wizard => ({ state: showReview({ ...wizard, mayOverwrite: true }) }),
  'start-over': (wizard, _, context) => ({ state: startOver(wizard, context) }),
  'next-table': wizard => ({ state: reviewNextTable(wizard) }),
  'export-again': wizard => ({ state: reviewAgain(wizard) }),
  'export-in-slices': wizard => ({ state: reviewAgain({ ...wizard, isSliced: true }) }),
  'verify-again': wizard => ({
    state: withRequest(wizard, verifying => ({ verifying })),
    messages: [{ type: 'noticed', text: 'verifying the files on disk ...' }],
  }),
  audit: wizard => ({ state: withRequest(wizard, auditing => ({ auditing })) }),
  'ask-report': (wizard, _, context) => ({ state: wizard, messages: [askForParty(context)] }),
  report: (wizard, { party }) => ({ state: withRequest(wizard, request => ({ reporting: { request, party } })) }),
  'use-preset': (wizard, { name }, context) => fillFromPreset(wizard, name, context),
  'save-preset': (wizard, { name }, context) => savePreset(wizard, name, context),
} satisfies Partial<Handlers<Wizard, ExportEvent>>;

/** Handles the result of a request. A request that is no longer wanted has no effect. */
const ANSWER_HANDLERS = {
  'boundaries-known': boundariesKnown,
  'boundaries-failed': (wizard, { failure }) => ({ state: { ...wizard, asking: null, failure } }),
  located: (wizard, { located }) => ({ state: withLocated(wizard, located) }),
  'range-found': (wizard, { found }) => ({ state: withRange(wizard, found) }),
  'not-located': (wizard, { problem }) => ({ state: { ...wizard, locating: null, problem } }),
  surveyed: (wizard, { survey }) => ({ state: { ...wizard, surveying: null, survey } }),
  witnessed: (wizard, { witnesses }) => ({ state: { ...wizard, witnessing: null, witnesses } }),
  'destination-checked': destinationChecked,
  'preset-saved': (wizard, { problem }) => presetSaved(wizard, problem),
  verified: (wizard, { text }, context) =>
    showText({ ...wizard, verifying: null }, { title: 'Verified again', text, isProse: true }, context),
  audited: (wizard, { text }, context) =>
    showText({ ...wizard, auditing: null }, { title: 'Audit', text, isProse: true }, context),
  reported: (wizard, { text }, context) =>
    showText({ ...wizard, reporting: null }, { title: 'Report', text, isProse: true }, context),
  previewed: (wizard, { text }, context) =>
    showText({ ...wizard, previewing: null }, { title: 'The first rows', text }, context),
  offered: (wizard, { offers }) => ({ state: wizard, messages: [{ type: 'offers-known', offers }] }),
} satisfies Partial<Handlers<Wizard, ExportEvent>>;

export const EXPORT_HANDLERS: Handlers<Wizard, ExportEvent> = {
  ...KEY_HANDLERS,
  ...CHOICE_HANDLERS,
  ...ANSWER_HANDLERS,
};

function boundariesKnown(wizard: Wizard, { boundaries, hint }: EventOf<'boundaries-known'>): Updated {
  const chain: readonly Message[] =
    boundaries.kind === 'listed' ? [{ type: 'chain-known', chainId: boundaries.chainId }] : [];
  return { state: withBoundaries(wizard, boundaries, hint), messages: [{ type: 'segments-known' }, ...chain] };
}

function destinationChecked(
  wizard: Wizard,
  { check }: EventOf<'destination-checked'>,
  context: ScreenContext,
): Updated {
  const checked = { ...wizard, checking: null, check, problem: check.problem };
  if (check.problem !== null) return { state: checked };
  if (check.exists && !wizard.mayOverwrite)
    return { state: { ...checked, advanceTo: null }, messages: [askToReplace(check.path, context)] };
  return { state: showReview(checked) };
}

/** The text over the screen, unless the person has gone on to something else. */
function showText(wizard: Wizard, value: ValueOpening, { isOnTop }: ScreenContext): Updated {
  if (isOnTop && wizard.step === 'result') return { state: wizard, messages: [open('value', value)] };
  const [first = ''] = value.text.split('\n');
  return { state: wizard, messages: [{ type: 'noticed', text: `${value.title.toLowerCase()}: ${first}` }] };
}

function savePreset(wizard: Wizard, name: string, { shared: { node } }: ScreenContext): Updated {
  const refused = (text: string): Updated => ({
    state: wizard,
    messages: [{ type: 'noticed', text, tone: 'bad' }],
  });
  const plan = wizardPlan(wizard);
  if (node.presets === null) return refused(NO_PROFILE);
  if (plan === undefined) return refused('a valid range is needed first: the export tab has it');
  const words = presetArguments(wizard, plan);
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
    text: proposedParty(shared),
    isProposed: true,
    done: (below, typed) => {
      const party = parseParty(below, typed);
      if (party === undefined) return { problem: NO_PARTY_PROBLEM };
      return {
        actions: [{ type: 'party-asked', party }, to({ type: 'report', party } satisfies ExportEvent)],
      };
    },
  });

function askToCancel({ shared: { job } }: ScreenContext): Message {
  const kept =
    job?.request.slices === undefined
      ? 'What arrived stays in the .part file.'
      : 'The slices that are verified are kept.';
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
