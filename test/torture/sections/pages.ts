import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { listOf } from '../../explorer/support/layers.ts';
import { FakeTerminal } from '../../explorer/terminal/output/fake-terminal.ts';
import { startEndlessList } from '../endless-list.ts';
import { randomOf } from '../random.ts';
import type { Section } from '../section.ts';

const MIB = 2 ** 20;
/** Turns after which every cache is as full as it gets: an explorer remembers a few hundred pages. */
const WARM_TURNS = 10_000;
const MAX_GROWTH_MIB = 10;
const MAX_WARMING_MIB = 64;

/** One explorer that turns fifty thousand pages, there and back, in memory that stays flat. */
export const pages: Section = {
  name: 'pages',
  trials: 50_000,
  perProcess: 50_000,
  patienceMs: 60_000,
  isOneCourse: true,
  run: async ({ seed, indexes }, report) => {
    // Components are not for every loader.
    const { openScreen, worldOf } = await import('../screen.tsx');
    await using node = await startEndlessList();
    const client = createClient({ base: baseAddress(node.url) });
    const terminal = new FakeTerminal(120, 40);
    const { session, settle, close } = openScreen({
      world: worldOf(client, terminal.stdout),
      tab: 'provisions',
      stdout: terminal.stdout,
    });
    await settle();
    const random = randomOf(seed, 0);
    let [page, warmBytes] = [0, 0];
    for (const [turn, index] of indexes.entries()) {
      report.begins(index);
      if (turn === Math.min(WARM_TURNS, indexes.length >> 1)) warmBytes = usedBytes();
      // More often on than back, so that far more pages are seen than any memory of them holds.
      const isBack = page > 0 && random.chance(0.35);
      page += isBack ? -1 : 1;
      session.press(isBack ? 'p' : 'n');
      await settle();
      terminal.writes.length = 0;
      const shown = listOf(session.state(), 'provisions')?.page?.rows[0]?.reference;
      if (shown === String(page)) continue;
      report.finds(index, `page ${shown} is shown after turn ${turn}, not page ${page}`);
      break;
    }
    const growth = (usedBytes() - warmBytes) / MIB;
    const most = indexes.length > WARM_TURNS ? MAX_GROWTH_MIB : MAX_WARMING_MIB;
    report.counts('KiB more in use at the end than once it was warm', Math.round(growth * 1024));
    if (growth > most) report.finds(indexes.length - 1, `memory grew by ${growth.toFixed(1)} MiB`);
    await close();
  },
};

/** What is in use once all that can be freed is. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
