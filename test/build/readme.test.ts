import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVERY_KEY } from '../../build/man-page.ts';
import { withPart } from '../../build/page-part.ts';
import { GENERATED, GENERATED_FOLDER, GENERATED_PAGES, PAGES, withGenerated } from '../../build/readme.ts';

const pages = PAGES.map(path => ({ path, text: readFileSync(path, 'utf8') }));

describe('Generated parts of pages', () => {
  it.each(pages)('The generated parts of $path are up to date (npm run readme)', ({ text }) => {
    expect(withGenerated(text)).toBe(text);
  });

  it.each(Object.keys(GENERATED))('The generated part %s is used on a page', name => {
    expect(pages.filter(({ text }) => text.includes(`<!-- ${name} -->\n`)).length).toBeGreaterThan(0);
  });
});

describe('Generated pages', () => {
  it.each(Object.keys(GENERATED_PAGES))('The generated page %s is up to date (npm run readme)', path => {
    expect(readFileSync(path, 'utf8')).toBe(GENERATED_PAGES[path]);
  });

  it('The generated pages are the only files in their folders', () => {
    const there = readdirSync(GENERATED_FOLDER).map(name => join(GENERATED_FOLDER, name));
    expect(there.toSorted()).toEqual(Object.keys(GENERATED_PAGES).toSorted());
  });

  it('The generated pages list every key of every screen', () => {
    const text = Object.values(GENERATED_PAGES).join('');
    expect(EVERY_KEY.filter(({ title }) => !text.includes(`| ${title} |\n`))).toEqual([]);
  });
});

describe('Page part replacement', () => {
  it('A page part is replaced between its markers, and nothing else changes', () => {
    const page = 'a\n<!-- b -->\nold $1\n<!-- end -->\n<!-- c -->\n<!-- end -->\n';
    expect(withPart(page, 'b', 'new $&\n')).toBe('a\n<!-- b -->\nnew $&\n<!-- end -->\n<!-- c -->\n<!-- end -->\n');
    expect(withPart(page, 'd', 'new\n')).toBe(page);
  });

  it('The benchmark page has a part for its last full run', () => {
    const page = readFileSync('docs/development/benchmark.md', 'utf8');
    expect(withPart(page, 'bench', 'new\n')).toContain('<!-- bench -->\nnew\n<!-- end -->');
  });
});
