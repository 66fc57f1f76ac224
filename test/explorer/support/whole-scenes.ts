import type { FilterValues } from '../../../src/chain/resources/filter.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { WholeRowsBuilder } from '../../../src/chain/resources/whole-rows.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { type FakeWorld, last, press, type StartOptions, told } from './fake-world.ts';
import { showing } from './list-scenes.ts';
import { provision, provisionPage } from './provision-pages.ts';

/** A list of so many provisions, as it was loaded; their amounts are in no order. */
export function gathered(count: number, problem: string | null = null, from = 0, filters: FilterValues = {}) {
  const maker = new WholeRowsBuilder(liquidityProvisions, filters);
  const rows = Array.from({ length: count }, (_, place) =>
    provision(from + place, { commitmentAmount: String(((from + place) * 7919) % 10_007) }),
  );
  for (const _ of maker.add(rows));
  return { rows: maker.made(), problem };
}

/** Answers what is asked for the whole list, and waits until it is arranged. */
export async function answerWhole(session: Session, world: FakeWorld, list = gathered(6000)): Promise<void> {
  last(world.wholes).answer(list);
  await told();
  await session.idle();
}

/** A list that was loaded whole from its first page. */
export async function onWholeList(list = gathered(6000), options: StartOptions = {}) {
  const { session, world } = await showing(provisionPage(1), options);
  press(session, 'S');
  await answerWhole(session, world, list);
  return { session, world };
}
