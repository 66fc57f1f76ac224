import { hostileStrings } from '../hostile-strings.ts';
import { at, randomOf } from '../random.ts';
import type { Section } from '../section.ts';
import { tourCommands } from '../strings/command-tour.ts';
import { tourExplorer } from '../strings/explorer-tour.ts';
import { runProgram } from '../strings/real-program.ts';

const STRINGS = 200;
const MAX_FOUND = 5;
/** Of so many strings one is also shown to the built program. */
const STRINGS_A_PROGRAM = 10;

/** Hostile strings in every place of every record, shown by every screen and printed by every command. */
export const strings: Section = {
  name: 'strings',
  trials: STRINGS,
  perProcess: 20,
  // One string on every screen takes half a minute on a busy machine.
  patienceMs: 180_000,
  run: async ({ seed, indexes }, report) => {
    const all = hostileStrings(seed, STRINGS);
    for (const index of indexes) {
      report.begins(index);
      const text = at(all, index);
      const found = [...(await tourExplorer(text, randomOf(seed, index), report)), ...(await tourCommands(text))];
      if (index % STRINGS_A_PROGRAM === 0) found.push(...(await runProgram(text)));
      for (const what of found.slice(0, MAX_FOUND))
        report.finds(index, `${JSON.stringify(text.slice(0, 80))}: ${what}`);
    }
  },
};
