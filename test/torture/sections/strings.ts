import { hostileStrings } from '../hostile-strings.ts';
import { at, randomOf } from '../random.ts';
import type { Section } from '../section.ts';
import { tourCommands } from '../strings/command-tour.ts';
import { tourExplorer } from '../strings/explorer-tour.ts';

const STRINGS = 400;
const MOST_FOUND = 5;

/** Hostile strings in every place of every record, shown by every screen and printed by every command. */
export const strings: Section = {
  name: 'strings',
  trials: STRINGS,
  perProcess: 20,
  patienceMs: 60_000,
  run: async ({ seed, indexes }, report) => {
    const all = hostileStrings(seed, STRINGS);
    for (const index of indexes) {
      report.begins(index);
      const text = at(all, index);
      const found = [...(await tourExplorer(text, randomOf(seed, index), report)), ...(await tourCommands(text))];
      for (const what of found.slice(0, MOST_FOUND))
        report.finds(index, `${JSON.stringify(text.slice(0, 80))}: ${what}`);
    }
  },
};
