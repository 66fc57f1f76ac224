import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { FULL_RECORDS } from '../../chain/resources/full-records.ts';
import { type Chance, chanceOf, type Input, randomInputs } from '../../torture/random-keys.ts';
import { type FakeWorld, press, startSession, told } from './fake-world.ts';
import { pageOf, provisionPage } from './provision-pages.ts';

export interface Moment {
  readonly session: Session;
  /** What was done last, for the message of a test that fails. */
  readonly after: string;
}

/** A session at which keys are pressed at random while its node answers, refuses or keeps silent; `check` is told of each step. */
export async function pressAtRandom(seed: number, inputs: number, check: (moment: Moment) => void): Promise<void> {
  const chance = chanceOf(seed);
  const { session, world } = await startSession();
  const done: Input[] = [];
  session.subscribe(() => check({ session, after: JSON.stringify(done.slice(-12)) }));
  for (const input of randomInputs(chance)) {
    if (done.push(input) > inputs) break;
    perform(session, input);
    if (chance() < 0.5) await answerSome(world, chance);
    check({ session, after: JSON.stringify(done.slice(-12)) });
  }
}

export function perform(session: Session, input: Input): void {
  switch (input.kind) {
    case 'key':
      press(session, input.key);
      break;
    case 'type':
      session.dispatch({ type: 'type-text', value: input.text });
      break;
    case 'paste':
      session.paste(input.text);
      break;
    case 'resize':
      session.dispatch({ type: 'resized', screen: { columns: input.columns, rows: input.rows } });
      break;
  }
}

const inner = 'partyID: , marketID: , reference: : market or party filters are required';
const detail = { type: '', code: '280001', message: '', inner, rest: {} };
const demand = { code: 13, message: 'Internal error', details: [detail] };
const refused = { code: 13, message: 'Internal error', details: [] };

/** Lets some of what was asked for end, as a deployed node would. */
async function answerSome(world: FakeWorld, chance: Chance): Promise<void> {
  for (const call of world.pages.splice(0)) {
    const dice = chance();
    const { resource, request } = call.asked;
    const isUnfiltered = Object.keys(request.filters).length === 0;
    if (dice < 0.3) world.pages.push(call);
    else if (dice < 0.4) call.fail(new RefusedError(500, refused, { url: '', hint: '' }));
    else if (resource === 'provisions' && isUnfiltered) call.fail(new RefusedError(500, demand, { url: '', hint: '' }));
    else call.answer({ page: pageAtRandom(resource, dice), facts: { rate: {} }, size: request.size });
  }
  for (const call of world.connections.splice(0)) {
    if (chance() < 0.3) call.fail(new Error('no such node'));
    else call.answer({ label: call.asked.kind, address: 'http://127.0.0.1:9', preferences: {}, notice: null });
  }
  await told();
}

function pageAtRandom(resource: string, dice: number) {
  if (resource === 'provisions') return provisionPage(dice < 0.7 ? 1 : 2);
  const records = FULL_RECORDS.filter(([id]) => id === resource).map(([, record]) => record);
  return pageOf(dice < 0.6 ? [] : records, { hasNextPage: dice < 0.8 });
}
