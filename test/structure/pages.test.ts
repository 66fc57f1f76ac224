import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES, type Page } from '../support/pages.ts';

/** `src/chain/api/client.ts`, `patches/`, `test/explorer/*.test.ts`: what stands in our own folders. */
const OURS = /(?<![\w./-])(?:src|test|bench|build|docs|patches|screenshots|\.github|\.ci)\/[\w./*-]*/g;
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;

const MAX_LINES = 150;
/** Pages in which one looks something up. */
const MAX_LINES_LOOKED_UP = 240;
const LOOKED_UP = ['docs/reference/', 'docs/protocol/'];
const FOLDERS = ['development', 'generated', 'guides', 'protocol', 'reference'];
const MAX_PAGES = 40;
const MAX_WORDS = 25;
const MAX_LONG_SENTENCES = 10;

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(OURS)]
    .map(([path]) => path.replace(/[.*]+$|(?<=\/)[^/]*\*.*$/, ''))
    // A file that is yet to be made.
    .filter(path => !/\bNAME\b/.test(path));

interface Link {
  readonly path: string;
  readonly anchor: string;
}

const linksIn = (page: string, text: string): readonly Link[] =>
  [...text.matchAll(LINK)].map(([, target = '', anchor = '']) => ({
    path: target === '' ? page : join(dirname(page), target),
    anchor,
  }));

/** Where a link to a heading leads, as GitHub and npm make it. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

function leadsNowhere({ path, anchor }: Link): boolean {
  if (!existsSync(path)) return true;
  return anchor !== '' && !anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

/** Sentences of more words than a reader takes in at once; tables, headings and code are read otherwise. */
function longSentencesIn({ text }: Page): readonly string[] {
  const prose = text
    .replace(/```.*?```|<!--.*?-->/gs, '\n\n')
    .replace(/^[|#].*$/gm, '\n')
    .replace(/`[^`\n]*`|\[([^\]]*)\]\([^)]*\)/g, ' x ');
  return prose
    .split(/(?<=[.!?:;])\s+|\n\s*\n|\n[-*\d]/)
    .filter(sentence => (sentence.match(/[A-Za-z][\w'-]*/g) ?? []).length > MAX_WORDS);
}

/** Rows of tables that name a file and functions of it: `| ... | [src/explorer/app.tsx] | ... [useInput()] |` with backticks. */
function callsIn(text: string): readonly { readonly file: string; readonly name: string }[] {
  return text.split('\n').flatMap(row => {
    const file = /^\|(?: \d+ \|)? `(src\/[\w./-]+\.tsx?)` \|/.exec(row)?.[1];
    if (file === undefined) return [];
    return [...row.matchAll(/`(?:\w+\.)?(#?\w+)\(\)`/g)].map(([, name = '']) => ({ file, name }));
  });
}

describe('Documentation page', () => {
  it.each(PAGES)('$path mentions only paths that exist', ({ text }) => {
    expect(pathsIn(text).filter(path => !existsSync(path))).toEqual([]);
  });

  it.each(PAGES)('$path links only to pages and headings that exist', ({ path, text }) => {
    expect(linksIn(path, text).filter(leadsNowhere)).toEqual([]);
  });

  it.each(PAGES.filter(({ path }) => !path.startsWith('docs/generated/')))(
    '$path is short enough to read in one go, or to look something up in it',
    ({ path, text }) => {
      const most = LOOKED_UP.some(start => path.startsWith(start)) ? MAX_LINES_LOOKED_UP : MAX_LINES;
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(most);
    },
  );

  it.each(PAGES.filter(({ path }) => path.startsWith('docs/')))('$path can be reached from the index', ({ path }) => {
    const reached = new Set(['docs/README.md']);
    // A Set goes on with what is added while it is read.
    for (const page of reached)
      for (const { path: next } of linksIn(page, existsSync(page) ? readFileSync(page, 'utf8') : ''))
        if (next.startsWith('docs/') && next.endsWith('.md')) reached.add(next);
    expect(reached).toContain(path);
  });

  it.each(PAGES)('$path mentions each function next to the file that has it', ({ text }) => {
    const wrong = callsIn(text).filter(
      ({ file, name }) => !existsSync(file) || !new RegExp(`(?<!\\w)${name}\\b`).test(readFileSync(file, 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

const CHANGELOG: Page = { path: 'CHANGELOG.md', text: readFileSync('CHANGELOG.md', 'utf8') };

/** Lines that a merge leaves where two changes meet. */
const conflictsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:<{7}|={7}|>{7})(?!\S).*$/gm)].map(([line]) => line);

describe('Documentation pages together', () => {
  it('The pages are few, and each is in one of five folders', () => {
    const folders = PAGES.filter(({ path }) => path.startsWith('docs/') && path !== 'docs/README.md').map(({ path }) =>
      path.split('/').slice(1, -1).join('/'),
    );
    expect([...new Set(folders)].toSorted()).toEqual(FOLDERS);
    expect(folders.length).toBeLessThanOrEqual(MAX_PAGES);
  });

  it('The changelog has the sections of Keep a Changelog, each once a release', () => {
    const releases = CHANGELOG.text.split(/^## /m).slice(1);
    expect(releases.map(release => release.split('\n')[0])).toEqual(['1.0.0 - 2026-11-27', '0.1.0']);
    for (const release of releases) {
      const sections = [...release.matchAll(/^### (.*)$/gm)].map(([, section = '']) => section);
      expect(sections).toEqual(['Added', 'Changed', 'Fixed', 'Removed'].filter(section => sections.includes(section)));
    }
  });

  it('The pages have few long sentences', () => {
    const long = [CHANGELOG, ...PAGES].flatMap(longSentencesIn);
    expect(long.slice(MAX_LONG_SENTENCES)).toEqual([]);
  });

  it('The pages have no merge conflict markers', () => {
    expect([CHANGELOG, ...PAGES].filter(({ text }) => conflictsIn(text).length > 0)).toEqual([]);
  });
});

describe('Check of documentation pages', () => {
  it('The check of pages finds paths in text, in code and in tables', () => {
    const text = 'see src/a.ts, `test/b/*.test.ts`, src/NAME.ts and `docs/`.\n| `bench/run.ts` | not dist/start.js |';
    expect(pathsIn(text)).toEqual(['src/a.ts', 'test/b/', 'docs/', 'bench/run.ts']);
  });

  it('The check of pages finds links to the same folder, to a parent folder and within a page', () => {
    expect(linksIn('docs/a.md', '[b](b.md) [c](../c.md#d-e) [e](https://f/g.md) [h](#i)')).toEqual([
      { path: 'docs/b.md', anchor: '' },
      { path: 'c.md', anchor: 'd-e' },
      { path: 'docs/a.md', anchor: 'i' },
    ]);
  });

  it('The check of pages knows the anchors of headings', () => {
    expect(anchorsOf('# A `b-c`: d?\n## 1.2 E & f\n')).toEqual(['a-b-c-d', '12-e--f']);
    expect(leadsNowhere({ path: 'docs/README.md', anchor: 'guides' })).toBe(false);
    expect(leadsNowhere({ path: 'docs/README.md', anchor: 'begin' })).toBe(true);
    expect(leadsNowhere({ path: 'docs/nowhere.md', anchor: '' })).toBe(true);
  });

  it('The check of pages counts the words of a sentence, without code', () => {
    const words = 'word '.repeat(MAX_WORDS);
    expect(longSentencesIn({ path: '', text: `${words}. \`${words}\`. | ${words}${words} |` })).toHaveLength(1);
    expect(longSentencesIn({ path: '', text: `${words}.\n# ${words}${words}\n` })).toEqual([]);
  });

  it('The check of pages finds merge conflict markers, and ignores an underlined heading', () => {
    const [ours, between, theirs] = ['<', '=', '>'].map(sign => sign.repeat(7));
    expect(conflictsIn(`a\n${ours} HEAD\nb\n${between}\nc\n${theirs} 1a2b3c4 (d)\n`)).toHaveLength(3);
    expect(conflictsIn(`a\n${between}=\nb ${ours}`)).toEqual([]);
  });

  it('The check of pages finds functions next to their file', () => {
    expect(callsIn('| 1 | `src/a.ts` | `press()` calls `world.page()` and `#put()` |')).toEqual([
      { file: 'src/a.ts', name: 'press' },
      { file: 'src/a.ts', name: 'page' },
      { file: 'src/a.ts', name: '#put' },
    ]);
  });
});
