import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { RowPage } from '../../../src/chain/resources/resource.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { answerPage, browserOf, last, press, type StartOptions, startSession, told } from './fake-world.ts';
import { provisionPage } from './provision-pages.ts';

/** What a list of provisions is opened with. */
export const LIVE = { live: ['true'] };

/** A list that shows this page. */
export async function showing(page: RowPage, options: StartOptions = {}) {
  const { session, world } = await startSession(options);
  await answerPage(world, page);
  return { session, world };
}

/** The first 50 provisions, with more after them. */
export const onFirstPage = () => showing(provisionPage(1));

/** Provisions, all of them on the one page there is. */
export const onOnlyPage = (rows = 50) => showing({ ...provisionPage(1, rows), hasNextPage: false });

/** Puts this into the field in focus, in place of what is there. */
export const type = (session: Session, value: string): void => session.dispatch({ type: 'type-text', value });

/** As a person types it: where the cursor stands, or in place of a text that was only proposed. */
export const insert = (session: Session, text: string): void => session.dispatch({ type: 'insert-text', text });

/** What stands in the fields of the filter bar. */
export const barTexts = (session: Session) => browserOf(session).filterBar?.texts.map(({ text }) => text);

/** Types a line into the command prompt. */
export function run(session: Session, line: string): void {
  press(session, ':');
  type(session, line);
  press(session, 'enter');
}

/** A filter bar that a node's demand has opened. */
export async function offered() {
  const { session, world } = await startSession();
  const inner = 'partyID: , marketID: , reference: : market or party filters are required';
  const detail = { type: '', code: '280001', message: '', inner, rest: {} };
  const fault = { code: 13, message: 'Internal error', details: [detail] };
  last(world.pages).fail(new RefusedError(500, fault, { url: '', hint: '' }));
  await told();
  return { session, world };
}
