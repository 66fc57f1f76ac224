import type { ReadyQuestion } from '../../answers/index.ts';
import type { PromptOpening, ViewerOpening } from '../../explorer/openings.ts';
import { placeOf } from '../model/job.ts';
import { NO_PARTY, partyTyped } from '../model/party.ts';
import type { SessionState } from '../model/state.ts';
import type { FilesRequest } from '../model/table-requests.ts';
import { openOver, openScreen } from './layers.ts';
import type { MenuItem } from './menu-item.ts';
import { withNotice } from './transitions.ts';

/** Opens files in the viewer, over the export tab; it closes what was open there. */
export const openFiles = (state: SessionState, opening: ViewerOpening): SessionState =>
  openScreen(
    { ...state, tab: 'export', layers: state.layers.filter(({ tab }) => tab !== null && tab !== 'export') },
    { screen: 'viewer', opening },
  );

/** Opens the last export. */
export function viewExport(state: SessionState): SessionState {
  const files = exportedFiles(state);
  return files === undefined ? state : openFiles(state, files);
}

function exportedFiles({ job }: SessionState): FilesRequest | undefined {
  const place = job?.status === 'ended' ? placeOf(job.result) : null;
  return place === null ? undefined : { paths: [place.path], isEvenIncomplete: false, question: null };
}

/** Answers a ready question of the last export; if it needs a party, that is asked first. */
export function askOfExport(state: SessionState, question: ReadyQuestion, party = ''): SessionState {
  const files = exportedFiles(state);
  if (files === undefined) return withNotice(state, 'there is no export to ask');
  if (question.needsParty && party === '') {
    const asking = { ...state.asking, question };
    return openOver({ ...state, asking }, 'prompt', partyOpening(state));
  }
  const { name, title } = question;
  return openFiles(state, { ...files, question: { name, title, party } });
}

/** The prompt for the party of a question; what is typed or pasted takes the place of the last one. */
export const partyOpening = ({ asking }: SessionState): PromptOpening => ({
  label: 'party',
  drawnLabel: 'party (64 digits, paste it)',
  text: asking.party,
  isProposed: true,
  done: (below, party) =>
    partyTyped(below, party) === undefined ? { problem: NO_PARTY } : { actions: [{ type: 'ask-party', party }] },
});

/** Asks the question that waits for a party; if none does, the first that takes one. */
export function askOfParty(state: SessionState, typed: string): SessionState {
  const off = noAnswers(state);
  if (off !== undefined) return withNotice(state, off);
  const ofParty = (state.offers?.questions ?? []).filter(({ needsParty }) => needsParty);
  const question = ofParty.find(({ name }) => name === state.asking.question?.name) ?? ofParty[0];
  const party = partyTyped(state, typed);
  if (question === undefined) return withNotice(state, 'nothing is asked of a party here');
  if (party === undefined) return withNotice(state, NO_PARTY, 'bad');
  return askOfExport(withParty(state, typed), question, party);
}

/** Remembers the party, to offer it for the next question. */
export const withParty = (state: SessionState, typed: string): SessionState => ({
  ...state,
  asking: { question: null, party: typed.trim() },
});

/** The ready questions that the exported table answers. */
export const answerItems = ({ offers }: SessionState): readonly MenuItem[] =>
  (offers?.questions ?? []).map(question => ({
    mark: '',
    label: question.name,
    detail: question.title,
    action: { type: 'ask-export', question },
  }));

/** Why nothing can be asked of the last export. */
export function noAnswers(state: SessionState): string | undefined {
  const { offers } = state;
  const noTable = noTableToView(state);
  if (noTable !== undefined) return noTable;
  if (offers === null) return 'what it answers is being looked up';
  return offers.questions.length > 0 ? undefined : 'no ready question is of this table';
}

/** Only a verified export can be opened from here, and only if the engine is installed. */
export function noTableToView({ job, offers }: SessionState): string | undefined {
  const isSaved = job?.status === 'ended' && (job.result.kind === 'saved' || job.result.kind === 'saved-slices');
  if (!isSaved) return 'only a complete export is looked at: :view FILE opens another';
  return offers?.hasEngine === false ? NO_ENGINE : undefined;
}

/** How to have it, in a sentence. */
export const NO_ENGINE = 'to look at it and to ask it, install DuckDB: npm install -g @duckdb/node-api';
