import { placeOf } from '../model/job.ts';
import type { OfferedQuestion } from '../model/offered.ts';
import type { SessionState } from '../model/state.ts';
import { newViewer, type ViewedFiles } from '../model/viewer.ts';
import type { MenuItem } from './menu-item.ts';
import { withNotice } from './transitions.ts';

/** Opens files to be looked at, over the export tab; what was open before is closed. */
export const openFiles = (state: SessionState, asked: ViewedFiles): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  tab: 'export',
  statement: null,
  frequency: null,
  requests: null,
  overlay: null,
  viewer: newViewer(state.ticket + 1, asked),
});

/** Opens what was exported last. */
export function viewExport(state: SessionState): SessionState {
  const { job } = state;
  const place = job?.status === 'ended' ? placeOf(job.result) : null;
  return place === null ? state : openFiles(state, { paths: [place.path], isEvenIncomplete: false, question: null });
}

/** Answers a ready question from what was exported last; of one that is asked of a party, whom it is asked of is asked first. */
export function askOfExport(state: SessionState, question: OfferedQuestion, party = ''): SessionState {
  const { job, offers } = state;
  const place = job?.status === 'ended' ? placeOf(job.result) : null;
  if (place === null || offers === null) return withNotice(state, 'there is no export to ask');
  if (question.needsParty && party === '') {
    const value = state.lastParty;
    // What is typed or pasted takes the place of the last one.
    const walk = value === '' ? null : ({ kind: 'proposed', typed: '', index: 0 } as const);
    const overlay = { kind: 'prompt', id: 'party', value, problem: null, offered: [], walk } as const;
    return { ...state, offers: { ...offers, asking: question }, overlay };
  }
  const { name, title } = question;
  return openFiles(state, { paths: [place.path], isEvenIncomplete: false, question: { name, title, party } });
}

/** The question that waits for a party; where none does, the first that takes one. */
export function askOfParty(state: SessionState, typed: string): SessionState {
  const party = partyTyped(state, typed);
  const question = state.offers?.asking ?? state.offers?.questions.find(({ needsParty }) => needsParty);
  if (state.offers?.hasEngine !== true) return withNotice(state, noAnswers(state) ?? 'there is no export to ask');
  if (question === undefined) return withNotice(state, 'nothing is asked of a party here');
  if (party === undefined) return withNotice(state, NO_PARTY, 'bad');
  return askOfExport({ ...state, lastParty: typed.trim() }, question, party);
}

/** The party that is meant: its id, or the user's own word for it. */
export function partyTyped({ directory }: SessionState, typed: string): string | undefined {
  const word = typed.trim();
  const [called] = [...directory.aliases].find(([, name]) => name === word.replace(/^@/, '')) ?? [];
  const party = called ?? word.toLowerCase().replace(/^0x/, '');
  return PARTY_ID.test(party) ? party : undefined;
}

export const NO_PARTY = '64 hexadecimal digits are a party, or your own word for it';

const PARTY_ID = /^[0-9a-f]{64}$/;

/** The ready questions that the exported table answers. */
export const answerItems = ({ offers }: SessionState): readonly MenuItem[] =>
  (offers?.questions ?? []).map(question => ({
    mark: '',
    label: question.name,
    detail: question.title,
    action: { type: 'in-viewer', choice: { kind: 'ask', question } },
  }));

/** Why nothing can be asked of the last export. */
export function noAnswers(state: SessionState): string | undefined {
  const { offers } = state;
  const noTable = noTableToView(state);
  if (noTable !== undefined) return noTable;
  if (offers === null) return 'what it answers is being looked up';
  return offers.questions.length > 0 ? undefined : 'no ready question is of this table';
}

/** Only what was verified is looked at from here, and only where that is possible. */
export function noTableToView({ job, offers }: SessionState): string | undefined {
  const isSaved = job?.status === 'ended' && (job.result.kind === 'saved' || job.result.kind === 'saved-slices');
  if (!isSaved) return 'only a complete export is looked at: :view FILE opens another';
  return offers?.hasEngine === false ? NO_ENGINE : undefined;
}

/** How to have it, in a sentence. */
export const NO_ENGINE = 'to look at it and to ask it, install DuckDB: npm install -g @duckdb/node-api';
