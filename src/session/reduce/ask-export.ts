import type { ReadyQuestion } from '../../answers/index.ts';
import type { PromptOpening } from '../../explorer/openings.ts';
import { placeOf } from '../model/job.ts';
import { layersOfTabs } from '../model/layer.ts';
import type { SessionState } from '../model/state.ts';
import type { AnswerRequest } from '../model/table-requests.ts';
import { newViewer, type ViewedFiles } from '../model/viewer.ts';
import { openOver } from './layers.ts';
import type { MenuItem } from './menu-item.ts';
import { withNotice } from './transitions.ts';
import { isViewing, tableHere } from './viewer-state.ts';

/** Opens files to be looked at, over the export tab; what was open before is closed. */
export const openFiles = (state: SessionState, asked: ViewedFiles): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  tab: 'export',
  layers: layersOfTabs(state),
  viewer: newViewer(state.ticket + 1, asked),
});

/** Opens what was exported last. */
export function viewExport(state: SessionState): SessionState {
  const { job } = state;
  const place = job?.status === 'ended' ? placeOf(job.result) : null;
  return place === null ? state : openFiles(state, { paths: [place.path], isEvenIncomplete: false, question: null });
}

/** The files that ready questions are asked of: those that are looked at, or else what was exported last. */
function filesToAsk(state: SessionState): ViewedFiles | undefined {
  const { viewer, job } = state;
  if (isViewing(state) && viewer !== null) return viewer.asked;
  const place = job?.status === 'ended' ? placeOf(job.result) : null;
  return place === null ? undefined : { paths: [place.path], isEvenIncomplete: false, question: null };
}

/** Answers a ready question; of one that is asked of a party, whom it is asked of is asked first. */
export function askOfExport(state: SessionState, question: ReadyQuestion, party = ''): SessionState {
  const files = filesToAsk(state);
  if (files === undefined) return withNotice(state, 'there is no export to ask');
  if (question.needsParty && party === '') {
    const asking = { ...state.asking, question };
    return openOver({ ...state, asking }, 'prompt', partyOpening(state));
  }
  const { name, title } = question;
  const { paths, isEvenIncomplete } = files;
  const asked = { paths, isEvenIncomplete, question: { name, title, party } };
  const table = isViewing(state) ? tableHere(state)?.table.name : undefined;
  return openFiles(state, table === undefined ? asked : { ...asked, behind: { ...files, table } });
}

/** The prompt for whom a question is about; what is typed or pasted takes the place of the last one. */
export const partyOpening = ({ asking }: SessionState): PromptOpening => ({
  label: 'party',
  drawnLabel: 'party (64 digits, paste it)',
  text: asking.party,
  isProposed: true,
  done: (below, party) =>
    partyTyped(below, party) === undefined
      ? { problem: NO_PARTY }
      : { actions: [{ type: 'in-viewer', choice: { kind: 'ask-party', party } }] },
});

/** The same question once more, of another range or with its reasons apart. */
export function askAgain(
  state: SessionState,
  { range, isSplit }: { readonly range?: string; readonly isSplit?: boolean },
): SessionState {
  const { viewer } = state;
  if (viewer === null || viewer.asked.question === null) return withNotice(state, 'no answer is open');
  const { range: before, ...question } = viewer.asked.question;
  const wanted = range ?? before ?? '';
  return openFiles(state, {
    ...viewer.asked,
    question: { ...question, ...(wanted !== '' && { range: wanted }), ...(isSplit !== undefined && { isSplit }) },
  });
}

/** Questions that tell why money moved, or what was rewarded. */
const WITH_REASONS: ReadonlySet<string> = new Set(['received', 'rewards']);

function againItems({ name, range = '', isSplit = false }: AnswerRequest): readonly MenuItem[] {
  const item = (mark: string, label: string, detail: string, action: MenuItem['action']): MenuItem => ({
    ...{ mark, label, detail, action },
  });
  const again = (choice: { readonly range?: string; readonly isSplit?: boolean }): MenuItem['action'] => ({
    type: 'in-viewer',
    choice: { kind: 'ask-again', ...choice },
  });
  return [
    ...(WITH_REASONS.has(name)
      ? [
          item(
            isSplit ? '*' : '',
            'split by reason',
            isSplit ? 'on: choose to add up' : '',
            again({ isSplit: !isSplit }),
          ),
        ]
      : []),
    item(range === '' ? '*' : '', 'the range the export was asked for', '', again({ range: '' })),
    item(range === 'all' ? '*' : '', 'everything in the files', '', again({ range: 'all' })),
    item(range !== '' && range !== 'all' ? '*' : '', 'another range', ':range e20..e25', {
      type: 'open-prompt',
      id: 'command',
    }),
  ];
}

/** The question that waits for a party; where none does, the first that takes one. */
export function askOfParty(state: SessionState, typed: string): SessionState {
  const off = tableHere(state)?.viewer.asked.question ? IS_ANSWER : noQuestions(state);
  if (off !== undefined) return withNotice(state, off);
  const party = partyTyped(state, typed);
  const ofParty = questionsHere(state).filter(({ needsParty }) => needsParty);
  const question = ofParty.find(({ name }) => name === state.asking.question?.name) ?? ofParty[0];
  if (question === undefined) return withNotice(state, 'nothing is asked of a party here');
  if (party === undefined) return withNotice(state, NO_PARTY, 'bad');
  return askOfExport({ ...state, asking: { question: null, party: typed.trim() } }, question, party);
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

function questionsHere(state: SessionState): readonly ReadyQuestion[] {
  if (isViewing(state)) return tableHere(state)?.files.questions ?? [];
  return state.offers?.questions ?? [];
}

/** The ready questions that the tables looked at answer, or the exported one. */
export function answerItems(state: SessionState): readonly MenuItem[] {
  const asked = isViewing(state) ? state.viewer?.asked.question : null;
  if (asked) return againItems(asked);
  return questionsHere(state).map(question => ({
    mark: '',
    label: question.name,
    detail: question.title,
    action: { type: 'in-viewer', choice: { kind: 'ask', question } },
  }));
}

const IS_ANSWER = 'this is an answer: other questions are asked where this one was';

/** Why nothing can be asked here. */
export function noQuestions(state: SessionState): string | undefined {
  if (!isViewing(state)) return noAnswers(state);
  const open = tableHere(state);
  if (open === undefined) return 'the table is not open';
  if (open.viewer.asked.question !== null) return undefined;
  return open.files.questions.length > 0 ? undefined : 'no ready question is of these tables';
}

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
