import { expect, it } from 'vitest';
import { tryHere } from './section.ts';
import { strings } from './sections/strings.ts';

it('Hostile strings anywhere in a record stay text on every screen and from every command', async () => {
  const { findings, kinds } = await tryHere(strings, { seed: 11, indexes: [83, 191] });
  expect(findings).toEqual([]);
  const modes = ['list', 'record', 'value', 'menu', 'prompt', 'filters', 'export-review', 'export-result'];
  expect(modes.filter(mode => !kinds.has(`screens of ${mode}`))).toEqual([]);
});
