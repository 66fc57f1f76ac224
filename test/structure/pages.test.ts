import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const names = [
  ...readdirSync('.'),
  ...readdirSync('docs').map(name => join('docs', name)),
  ...(existsSync('.github') ? readdirSync('.github', { recursive: true, encoding: 'utf8' }) : []).map(name =>
    join('.github', name),
  ),
].filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md');
const pages = names.map(page => ({ page, text: readFileSync(page, 'utf8') }));

/** `src/api/client.ts`, `patches/`, `test/ui/*.test.ts`: what stands in our own folders. */
const OURS = /(?<![\w./-])(?:src|test|bench|build|docs|patches|screenshots|\.github|\.ci)\/[\w./*-]*/g;
const LINK = /\]\((?!https?:|#)([^)#]+)[^)]*\)/g;

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(OURS)]
    .map(([path]) => path.replace(/[.*]+$|(?<=\/)[^/]*\*.*$/, ''))
    // A file that is yet to be made.
    .filter(path => !/\bNAME\b/.test(path));

const linksIn = (page: string, text: string): readonly string[] =>
  [...text.matchAll(LINK)].map(([, target = '']) => join(dirname(page), target));

/** Rows of tables that name a file and functions of it: `| ... | [src/ui/app.tsx] | ... [useInput()] |` with backticks. */
function callsIn(text: string): readonly { readonly file: string; readonly name: string }[] {
  return text.split('\n').flatMap(row => {
    const file = /^\|(?: \d+ \|)? `(src\/[\w./-]+\.tsx?)` \|/.exec(row)?.[1];
    if (file === undefined) return [];
    return [...row.matchAll(/`(?:\w+\.)?(#?\w+)\(\)`/g)].map(([, name = '']) => ({ file, name }));
  });
}

describe('a page', () => {
  it.each(pages)('$page names paths that are there', ({ text }) => {
    expect(pathsIn(text).filter(path => !existsSync(path))).toEqual([]);
  });

  it.each(pages)('$page links to what is there', ({ page, text }) => {
    expect(linksIn(page, text).filter(path => !existsSync(path))).toEqual([]);
  });

  it.each(pages)('$page names a function beside the file it is in', ({ text }) => {
    const wrong = callsIn(text).filter(
      ({ file, name }) => !existsSync(file) || !new RegExp(`(?<!\\w)${name}\\b`).test(readFileSync(file, 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the check of pages', () => {
  it('finds paths in text, in code and in tables', () => {
    const text = 'see src/a.ts, `test/b/*.test.ts`, src/NAME.ts and `docs/`.\n| `bench/run.ts` | not dist/start.js |';
    expect(pathsIn(text)).toEqual(['src/a.ts', 'test/b/', 'docs/', 'bench/run.ts']);
  });

  it('finds links beside and above a page', () => {
    expect(linksIn('docs/a.md', '[b](b.md) [c](../c.md#d) [e](https://f/g.md) [h](#i)')).toEqual(['docs/b.md', 'c.md']);
  });

  it('finds functions beside their file', () => {
    expect(callsIn('| 1 | `src/a.ts` | `press()` calls `world.page()` and `#put()` |')).toEqual([
      { file: 'src/a.ts', name: 'press' },
      { file: 'src/a.ts', name: 'page' },
      { file: 'src/a.ts', name: '#put' },
    ]);
  });
});
