import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { GENERATED, withGenerated } from '../../build/readme.ts';

describe('the README', () => {
  it('has the tables of keys and resources as the program has them (npm run readme)', async () => {
    const page = await readFile('README.md', 'utf8');
    for (const name of Object.keys(GENERATED)) expect(page).toContain(`<!-- ${name} -->`);
    expect(withGenerated(page)).toBe(page);
  });
});
