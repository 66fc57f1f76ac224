import type { ReadyQuestion } from '../../answers/index.ts';
import type { Choice } from '../core/choice.ts';
import type { ActionHandlers, SessionState } from '../core/state.ts';
import type { PromptOpening, ViewerOpening } from '../openings.ts';
import {
  ALREADY_RUNNING,
  exportLocation,
  exportOutcomeText,
  isSaved,
  type JobEvent,
  jobsAfter,
  noAnswers,
} from '../services/export-job.ts';
import { NO_PARTY_PROBLEM, parseParty, proposedParty } from '../services/names/party.ts';
import type { FilesRequest } from '../services/tables.ts';
import { HISTORY_KEY } from '../tabs.ts';
import { openOver, openScreen } from './layers.ts';
import { withNotice } from './transitions.ts';

/** Opens files in the viewer, over the History tab; closes other screens open there, except the wizard. */
export const openFiles = (state: SessionState, opening: ViewerOpening): SessionState =>
  openScreen(
    {
      ...state,
      tab: 'history',
      layers: state.layers.filter(
        ({ tab, isRoot, screen }) => isRoot || screen === 'export' || (tab !== null && tab !== 'history'),
      ),
    },
    { screen: 'viewer', opening },
  );

function exportedFiles({ job }: SessionState): FilesRequest | undefined {
  const place = job?.status === 'ended' ? exportLocation(job.result) : null;
  return place === null ? undefined : { paths: [place.path], isEvenIncomplete: false, question: null };
}

/** Answers a ready question of the last export; if it needs a party, that is asked first. */
export function answerFromExport(state: SessionState, question: ReadyQuestion, party = ''): SessionState {
  const files = exportedFiles(state);
  if (files === undefined) return withNotice(state, 'no export to ask');
  if (question.needsParty && party === '') {
    const partyRequest = { ...state.partyRequest, question };
    return openOver({ ...state, partyRequest }, 'prompt', partyPrompt(state));
  }
  const { name, title } = question;
  return openFiles(state, { ...files, question: { name, title, party } });
}

/** The prompt for the party of a query; typed or pasted text replaces the last one. */
export const partyPrompt = (state: SessionState): PromptOpening => ({
  label: 'party',
  drawnLabel: 'party (64 digits, paste it)',
  text: proposedParty(state),
  isProposed: true,
  done: (below, party) =>
    parseParty(below, party) === undefined
      ? { problem: NO_PARTY_PROBLEM }
      : { actions: [{ type: 'ask-party', party }] },
});

/** Asks the question that waits for a party; if none does, the first that takes one. */
export function answerForParty(state: SessionState, typed: string): SessionState {
  const disabledReason = noAnswers(state);
  if (disabledReason !== undefined) return withNotice(state, disabledReason);
  const ofParty = (state.offers?.questions ?? []).filter(({ needsParty }) => needsParty);
  const question = ofParty.find(({ name }) => name === state.partyRequest.question?.name) ?? ofParty[0];
  const party = parseParty(state, typed);
  if (question === undefined) return withNotice(state, 'no question here needs a party');
  if (party === undefined) return withNotice(state, NO_PARTY_PROBLEM, 'bad');
  return answerFromExport(rememberParty(state, typed), question, party);
}

/** Remembers the party, to offer it for the next question. */
export const rememberParty = (state: SessionState, typed: string): SessionState => ({
  ...state,
  partyRequest: { question: null, party: typed.trim() },
});

/** The ready questions that the exported table answers. */
export const answerItems = ({ offers }: SessionState): readonly Choice[] =>
  (offers?.questions ?? []).map(question => ({
    mark: '',
    label: question.name,
    detail: question.title,
    action: { type: 'ask-export', question },
  }));

/** Handles the events of an export, with their notices. */
export const JOB_HANDLERS: ActionHandlers<JobEvent> = {
  'start-export': (state, event) => {
    const lastId = state.lastId + 1;
    const jobs = jobsAfter(state, event, lastId);
    return jobs === state ? withNotice(state, ALREADY_RUNNING) : { ...state, ...jobs, lastId };
  },
  'cancel-export': applyJobEvent,
  'export-progressed': applyJobEvent,
  'offers-known': applyJobEvent,
  'export-ended': exportEnded,
};

function applyJobEvent(state: SessionState, event: JobEvent): SessionState {
  const jobs = jobsAfter(state, event, state.lastId + 1);
  return jobs === state ? state : { ...state, ...jobs };
}

function exportEnded(state: SessionState, event: Extract<JobEvent, { readonly type: 'export-ended' }>): SessionState {
  const { leftJob } = state;
  const after = applyJobEvent(state, event);
  if (after === state) return state;
  if (leftJob !== null && after.leftJob === null)
    return withNotice(after, `the export from ${leftJob.node} ${exportOutcomeText(event.result)}`);
  // The tab of the export shows how it ended.
  if (after.tab === 'history') return after;
  if (isSaved(event.result)) return withNotice(after, 'the export is complete', 'good');
  return withNotice(after, `the export did not complete: see tab ${HISTORY_KEY}`, 'bad');
}
