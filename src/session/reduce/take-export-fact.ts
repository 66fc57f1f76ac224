import type { Fact } from '../model/action.ts';
import { modeOf } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import { EXPORT_KEY } from '../model/tabs.ts';
import { type SavedPreset, withBoundaries, withLocated, withRange } from '../model/wizard.ts';
import { exportLeft } from './export-left.ts';
import { openOver } from './layers.ts';
import { goOnward } from './onward.ts';
import { ask } from './questions.ts';
import { atReview, withNotice } from './transitions.ts';

/** Facts of the export tab. */
export type ExportFact = Extract<
  Fact,
  {
    readonly type:
      | 'boundaries-known'
      | 'boundaries-failed'
      | 'located'
      | 'range-found'
      | 'surveyed'
      | 'preset-kept'
      | 'verified'
      | 'not-located'
      | 'previewed'
      | 'destination-checked'
      | 'export-progressed'
      | 'export-ended';
  }
>;

/** Takes note of what happened on the way to an export; a fact whose ticket is not open any more changes nothing. */
export const takeExportFact = (state: SessionState, fact: ExportFact): SessionState => goOnward(taken(state, fact));

function taken(state: SessionState, fact: ExportFact): SessionState {
  const { wizard, job } = state;
  switch (fact.type) {
    case 'boundaries-known':
      return wizard.asking === fact.ticket
        ? { ...state, wizard: withBoundaries(wizard, fact.boundaries, fact.hint) }
        : state;
    case 'boundaries-failed':
      return wizard.asking === fact.ticket
        ? { ...state, wizard: { ...wizard, asking: null, failure: fact.failure } }
        : state;
    case 'located':
      return wizard.locating === fact.ticket ? { ...state, wizard: withLocated(wizard, fact.located) } : state;
    case 'range-found':
      return wizard.locating === fact.ticket ? { ...state, wizard: withRange(wizard, fact.found) } : state;
    case 'surveyed':
      return wizard.surveying === fact.ticket
        ? { ...state, wizard: { ...wizard, surveying: null, survey: fact.survey } }
        : state;
    case 'not-located':
      return wizard.locating === fact.ticket
        ? { ...state, wizard: { ...wizard, locating: null, problem: fact.problem } }
        : state;
    case 'preset-kept':
      return wizard.saving?.ticket === fact.ticket ? presetKept(state, wizard.saving, fact.problem) : state;
    case 'verified':
      return wizard.verifying === fact.ticket
        ? shown({ ...state, notice: null, wizard: { ...wizard, verifying: null } }, 'Verified again', fact.text)
        : state;
    case 'previewed':
      return state.previewing === fact.ticket
        ? shown({ ...state, previewing: null }, 'The first rows', fact.text)
        : state;
    case 'destination-checked': {
      if (wizard.checking !== fact.ticket) return state;
      const { check } = fact;
      const checked = { ...wizard, checking: null, check, problem: check.problem };
      if (check.problem !== null) return { ...state, wizard: checked };
      if (check.exists && !wizard.mayOverwrite) return ask({ ...state, wizard: checked }, { about: 'overwrite' });
      return atReview({ ...state, wizard: checked });
    }
    case 'export-progressed':
      return job?.status === 'running' && job.ticket === fact.ticket
        ? { ...state, job: { ...job, progress: fact.progress } }
        : state;
    case 'export-ended': {
      if (state.knownNodes.leaving?.ticket === fact.ticket) return exportLeft(state, fact.result);
      if (job?.status !== 'running' || job.ticket !== fact.ticket) return state;
      const ended: SessionState = {
        ...state,
        job: { ticket: job.ticket, plan: job.plan, status: 'ended', result: fact.result },
        wizard: wizard.step === 'progress' ? { ...wizard, step: 'result' } : wizard,
      };
      const where = ended.tab === 'export' ? '' : `: see tab ${EXPORT_KEY}`;
      const isSaved = fact.result.kind === 'saved' || fact.result.kind === 'saved-slices';
      return withNotice(
        ended,
        isSaved ? 'the export is complete' : `the export did not complete${where}`,
        isSaved ? 'good' : 'bad',
      );
    }
  }
}

/** The text over the screen; whoever has gone on to something else is not called back from it. */
function shown(state: SessionState, title: string, text: string): SessionState {
  if (modeOf(state) === 'export-result') return openOver(state, 'value', { title, text });
  const [first = ''] = text.split('\n');
  return withNotice(state, `${title.toLowerCase()}: ${first}`);
}

function presetKept(state: SessionState, { name, words }: SavedPreset, problem: string | null): SessionState {
  const { presets } = state.wizard;
  const wizard = { ...state.wizard, saving: null };
  if (problem !== null) return withNotice({ ...state, wizard }, `the preset is not kept: ${problem}`, 'bad');
  const kept = { ...state, wizard: { ...wizard, presets: { ...presets, [name]: words } } };
  return withNotice(kept, `kept as ${name}: p lists the presets, --preset ${name} has it in a command`, 'good');
}
