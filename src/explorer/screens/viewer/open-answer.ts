import type { ReadyQuestion } from '../../../answers/index.ts';
import type { Message, ScreenContext, Step } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { NO_PARTY_PROBLEM, parseParty, proposedParty } from '../../services/names/party.ts';
import type { AnswerRequest } from '../../services/tables.ts';
import type { Viewer } from './state.ts';
import { openPromptStep, reopenViewer, viewerNotice } from './steps.ts';

/** A question of the tables; where it needs a party, that is asked first. */
export function askQuestion(viewer: Viewer, question: ReadyQuestion, context: ScreenContext): Step<Viewer> {
  if (!question.needsParty) return openAnswer(viewer, { name: question.name, title: question.title, party: '' });
  const answer = (party: string): Message => context.to({ type: 'ask-party', question, party });
  return openPromptStep(viewer, {
    label: 'party',
    drawnLabel: 'party (64 digits, paste it)',
    text: proposedParty(context.shared),
    isProposed: true,
    done: (below, text) =>
      parseParty(below, text) === undefined ? { problem: NO_PARTY_PROBLEM } : { actions: [answer(text)] },
  });
}

/** With the party as typed, which is suggested for the next query. */
export function openAnswerForParty(
  viewer: Viewer,
  { question: { name, title }, party: typed }: { readonly question: ReadyQuestion; readonly party: string },
  { shared }: ScreenContext,
): Step<Viewer> {
  const party = parseParty(shared, typed);
  if (party === undefined) return viewerNotice(viewer, NO_PARTY_PROBLEM, 'bad');
  const { state, messages = [] } = openAnswer(viewer, { name, title, party });
  return { state, messages: [{ type: 'party-asked', party: typed }, ...messages] };
}

/** The answer opens over the table. */
function openAnswer(viewer: Viewer, question: AnswerRequest): Step<Viewer> {
  const { paths, isEvenIncomplete } = viewer.opening;
  return {
    state: viewer,
    messages: [open('answer', { paths, isEvenIncomplete, question, isOverTable: true })],
  };
}

export function askAgain(
  viewer: Viewer,
  { range, isSplit }: { readonly range?: string; readonly isSplit?: boolean },
): Step<Viewer> {
  if (viewer.opening.question === null) return viewerNotice(viewer, 'no answer is open');
  const { range: before, ...question } = viewer.opening.question;
  const wanted = range ?? before ?? '';
  return reopenViewer(viewer, {
    ...question,
    ...(wanted !== '' && { range: wanted }),
    ...(isSplit !== undefined && { isSplit }),
  });
}
