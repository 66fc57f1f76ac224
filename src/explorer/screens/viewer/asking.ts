import type { ReadyQuestion } from '../../../answers/index.ts';
import type { Message, ScreenContext, Step } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { NO_PARTY, partyProposed, partyTyped } from '../../services/names/party.ts';
import type { AnswerRequest } from '../../services/tables.ts';
import type { Viewer } from './state.ts';
import { openedAgain, opening, said } from './steps.ts';

/** A question of the tables; where it needs a party, that is asked first. */
export function askQuestion(viewer: Viewer, question: ReadyQuestion, context: ScreenContext): Step<Viewer> {
  if (!question.needsParty) return answered(viewer, { name: question.name, title: question.title, party: '' });
  const answer = (party: string): Message => context.to({ type: 'ask-party', question, party });
  return opening(viewer, {
    label: 'party',
    drawnLabel: 'party (64 digits, paste it)',
    text: partyProposed(context.shared),
    isProposed: true,
    done: ({ directory }, text) =>
      partyTyped({ directory }, text) === undefined ? { problem: NO_PARTY } : { actions: [answer(text)] },
  });
}

/** With the party as it was typed, which is offered for the next question. */
export function askParty(
  viewer: Viewer,
  { question: { name, title }, party: typed }: { readonly question: ReadyQuestion; readonly party: string },
  { shared }: ScreenContext,
): Step<Viewer> {
  const party = partyTyped(shared, typed);
  if (party === undefined) return said(viewer, NO_PARTY, 'bad');
  const { state, messages = [] } = answered(viewer, { name, title, party });
  return { state, messages: [{ type: 'party-asked', party: typed }, ...messages] };
}

/** The answer opens over the table. */
function answered(viewer: Viewer, question: AnswerRequest): Step<Viewer> {
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
  if (viewer.opening.question === null) return said(viewer, 'no answer is open');
  const { range: before, ...question } = viewer.opening.question;
  const wanted = range ?? before ?? '';
  return openedAgain(viewer, {
    ...question,
    ...(wanted !== '' && { range: wanted }),
    ...(isSplit !== undefined && { isSplit }),
  });
}
