import { startNode } from '../../../src/node/index.ts';
import { type ExportKind, killExport, type Undisturbed, undisturbedExport } from '../kill/export-trial.ts';
import { freshHome, killCommand, killViews, undisturbedCommand } from '../kill/home-trial.ts';
import { at, randomOf } from '../random.ts';
import type { Section } from '../section.ts';

const KINDS = ['slices', 'export', 'slices', 'overwrite', 'slices', 'command', 'slices', 'views'] as const;

/** The program killed in the middle of everything that it writes, and run again. */
export const kill: Section = {
  name: 'kill',
  trials: 480,
  perProcess: 40,
  patienceMs: 90_000,
  run: async ({ seed, indexes }, report) => {
    const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 }, historyScale: 3 });
    await using home = await freshHome();
    const place = { node: node.url, home: home.path };
    const known = new Map<ExportKind, Undisturbed>();
    const undisturbed = async (kind: ExportKind): Promise<Undisturbed> => {
      const course = known.get(kind) ?? (await undisturbedExport(kind, place));
      known.set(kind, course);
      return course;
    };
    const trial = async (index: number): Promise<readonly string[]> => {
      const kind = at(KINDS, index % KINDS.length);
      const random = randomOf(seed, index);
      report.counts(kind);
      if (kind === 'views') return killViews(node.url, random);
      if (kind === 'command') return killCommand(await undisturbedCommand(node.url), node.url, random);
      return killExport(kind, await undisturbed(kind), place, random);
    };
    for (const index of indexes) {
      report.begins(index);
      for (const what of await trial(index)) report.finds(index, what);
    }
    await node.close();
  },
};
