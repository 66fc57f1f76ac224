import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVERY_KEY } from '../../build/man-page.ts';
import { withPart } from '../../build/page-part.ts';
import { GENERATED, GENERATED_FOLDERS, GENERATED_PAGES, PAGES, withGenerated } from '../../build/readme.ts';

const pages = PAGES.map(path => ({ path, text: readFileSync(path, 'utf8') }));

describe('the generated parts of pages', () => {
  it.each(pages)('are in $path as the program has them (npm run readme)', ({ text }) => {
    expect(withGenerated(text)).toBe(text);
  });

  it.each(Object.keys(GENERATED))('have a page: %s', name => {
    expect(pages.filter(({ text }) => text.includes(`<!-- ${name} -->\n`)).length).toBeGreaterThan(0);
  });
});

describe('the generated pages', () => {
  it.each(Object.keys(GENERATED_PAGES))('%s is as the program has it (npm run readme)', path => {
    expect(readFileSync(path, 'utf8')).toBe(GENERATED_PAGES[path]);
  });

  it('are the only ones in their folders', () => {
    const there = GENERATED_FOLDERS.flatMap(folder => readdirSync(folder).map(name => join(folder, name)));
    expect(there.toSorted()).toEqual(Object.keys(GENERATED_PAGES).toSorted());
  });

  it('have every key of every screen', () => {
    const text = Object.values(GENERATED_PAGES).join('');
    expect(EVERY_KEY.filter(({ title }) => !text.includes(`| ${title} |\n`))).toEqual([]);
  });
});

describe('a part of a page', () => {
  it('is put in anew between its marks, and nothing else is changed', () => {
    const page = 'a\n<!-- b -->\nold $1\n<!-- end -->\n<!-- c -->\n<!-- end -->\n';
    expect(withPart(page, 'b', 'new $&\n')).toBe('a\n<!-- b -->\nnew $&\n<!-- end -->\n<!-- c -->\n<!-- end -->\n');
    expect(withPart(page, 'd', 'new\n')).toBe(page);
  });

  it('is there for the last full run of the benchmark', () => {
    const page = readFileSync('docs/benchmark.md', 'utf8');
    expect(withPart(page, 'bench', 'new\n')).toContain('<!-- bench -->\nnew\n<!-- end -->');
  });
});
