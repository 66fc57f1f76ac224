import { tryMutation } from '../archive-mutations.ts';
import type { Section } from '../section.ts';

/** Good archives that were changed, judged by the check and by a reader that starts from the end. */
export const archives: Section = {
  name: 'archives',
  trials: 100_000,
  perProcess: 5000,
  patienceMs: 20_000,
  run: async ({ seed, indexes }, report) => {
    for (const index of indexes) {
      report.begins(index);
      const { kind, finding } = await tryMutation(seed, index);
      report.counts(kind);
      if (finding !== undefined) report.finds(index, finding);
    }
  },
};
