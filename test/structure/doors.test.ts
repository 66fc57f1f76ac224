import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source.ts';

/** Rooms that are loaded late, by one door each. */
const ROOMS = ['answers'] as const;

/** Folders inside of a room that have a door of their own. */
const OWN_DOOR = /^answers\/(?:audit|report)\//;

const isInside = (room: string, path: string): boolean => path.startsWith(`${room}/`) && !OWN_DOOR.test(path);
const files = await sourceFiles();
const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

/** What a door hands on, types too. */
const handedOn = ({ text }: SourceFile): readonly string[] =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap(name => name.trim().replace(/^type /, '') || []),
  );

/** What can be called or read of a file; a type is named for who reads a signature. */
const valuesOf = ({ text }: SourceFile): readonly string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(([, name = '']) => name);

/** Names that a door hands on to nobody. */
function unasked(room: string, all: readonly SourceFile[]): readonly string[] {
  const door = all.find(({ path }) => path === `${room}/index.ts`);
  const guests = all.filter(
    ({ path, text }) =>
      !isInside(room, path) &&
      (text.includes(`/${room}/index.ts'`) || (OWN_DOOR.test(path) && text.includes(`'../index.ts'`))),
  );
  return (door === undefined ? [] : handedOn(door)).filter(name => !guests.some(({ text }) => names(text, name)));
}

/** What nothing of the program uses, not even its own file; to be handed on is no use. */
function unused(room: string, all: readonly SourceFile[]): readonly string[] {
  const used = all.filter(({ path }) => !/^\w+\/index\.ts$/.test(path)).map(({ text }) => text);
  return all
    .filter(({ path }) => isInside(room, path) && path !== `${room}/index.ts`)
    .flatMap(file => valuesOf(file).flatMap(name => (timesNamed(used, name) > 1 ? [] : [`${file.path}: ${name}`])));
}

const timesNamed = (texts: readonly string[], name: string): number =>
  texts.reduce((count, text) => count + text.split(new RegExp(`\\b${name}\\b`)).length - 1, 0);

describe.each(ROOMS)('Folder %s', room => {
  it('The index file of a folder exports what other folders use, and nothing else', () => {
    expect(unasked(room, files)).toEqual([]);
  });

  it('The index file of a folder has no export that only tests use', () => {
    expect(unused(room, files)).toEqual([]);
  });
});

it('The check of index files finds an export that nothing uses', () => {
  const seen: readonly SourceFile[] = [
    {
      path: 'answers/index.ts',
      text: "export { asked, type Told } from './a.ts';\nexport type { Other } from './b.ts';",
    },
    { path: 'answers/a.ts', text: 'export const asked = 1;\nexport function alone() {}\nexport interface Told {}' },
    { path: 'cli/c.ts', text: "const { asked } = await import('../answers/index.ts');" },
    { path: 'cli/d.ts', text: 'interface Told {}' },
  ];
  expect(unasked('answers', seen)).toEqual(['Told', 'Other']);
  expect(unused('answers', seen)).toEqual(['answers/a.ts: alone']);
});
