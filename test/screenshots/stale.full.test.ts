import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FOLDER, savedPictures, takePictures } from './pictures.ts';

/** Many starts of the program, on a machine that may be busy. */
const DEADLINE_MS = 180_000;

describe('Screenshots in the repository', () => {
  it('The screenshots show the program as it is (npm run screenshots renews them)', {
    timeout: DEADLINE_MS,
  }, async () => {
    const taken = await takePictures();
    const saved = await savedPictures();
    expect([...taken.keys()].toSorted()).toEqual(saved.toSorted());
    for (const [file, svg] of taken) expect(svg, file).toBe(await readFile(join(FOLDER, file), 'utf8'));
  });
});
