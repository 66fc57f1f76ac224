import type { RowPage } from '../../src/resources/resource.ts';
import type { Session } from '../../src/session/session.ts';
import { answerPage, press, type StartOptions, startSession } from './fake-world.ts';
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

export const type = (session: Session, value: string): void => session.dispatch({ type: 'type-text', value });

/** Types a line into the command prompt. */
export function run(session: Session, line: string): void {
  press(session, ':');
  type(session, line);
  press(session, 'enter');
}
