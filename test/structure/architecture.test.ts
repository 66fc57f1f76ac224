import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, type SourceFile, sourceFiles } from './source.ts';

const architecture = readFileSync('docs/development/architecture.md', 'utf8');
const decisions = readFileSync('docs/development/decisions.md', 'utf8');
const section = (page: string, title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** What a module keeps between calls: a WeakMap anywhere, an empty Map or something that changes at its top. */
const keepsSomething = ({ text }: SourceFile): boolean =>
  /new WeakMap\b|^(?:export )?(?:let\b|const \w+[^=]*= new (?:Map|Set)(?:<[^;]*>)?\(\))/m.test(codeOf(text));

describe('The pages on architecture and decisions', () => {
  it('The page on decisions lists every file that keeps state for its module', async () => {
    const keepers = (await sourceFiles()).filter(keepsSomething).map(({ path }) => `src/${path}`);
    expect(keepers.length).toBeGreaterThan(8);
    expect(keepers.filter(path => !section(decisions, 'Each cache').includes(`| \`${path}\` |`))).toEqual([]);
  });

  it('The page on decisions lists every patch', () => {
    const patches = readdirSync('patches').map(name => `patches/${name}`);
    expect(patches.filter(path => !section(decisions, 'Each patch').includes(`| \`${path}\` |`))).toEqual([]);
  });

  it('The architecture page draws every folder', () => {
    const rooms = readdirSync('src', { withFileTypes: true }).flatMap(entry =>
      entry.isDirectory() ? [entry.name] : [],
    );
    expect(
      rooms.filter(
        room => !new RegExp(`\\b${room}\\b`).test(section(architecture, 'The folders').split('```')[1] ?? ''),
      ),
    ).toEqual([]);
  });
});

describe('Check for caches', () => {
  const file = (text: string): SourceFile => ({ path: 'a.ts', text });

  it.each([
    'const known = new WeakMap<Row, string>();',
    'function f() {\n  const known = new WeakMap();\n}',
    'const known = new Map<string, number>();',
    'let last: string | undefined;',
  ])('The check for caches finds %j', text => expect(keepsSomething(file(text))).toBe(true));

  it.each([
    "const known = new Map([['a', 1]]);",
    'function f() {\n  const seen = new Map<string, number>();\n  let last = 1;\n}',
    '// let it be',
  ])('The check for caches ignores %j', text => expect(keepsSomething(file(text))).toBe(false));
});
