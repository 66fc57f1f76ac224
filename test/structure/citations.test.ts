import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = new Map(
  readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => [basename(name), readFileSync(join('docs', name), 'utf8')]),
);
const onTop: readonly string[] = readdirSync('.').filter(name => name.endsWith('.md'));

const sources = ['src', 'test', 'bench', 'build'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.startsWith('structure/'))
    .map(name => join(folder, name)),
);

interface Citation {
  readonly from: string;
  readonly page: string;
  readonly sections: readonly string[];
}

/** `page.md section 1.2`, `page.md sections 3.3 and 6`, `page.md`; a comment may break a line in between. */
const citations: readonly Citation[] = sources.flatMap(from =>
  [
    ...readFileSync(from, 'utf8').matchAll(
      /\b(?<page>[A-Za-z][\w-]*\.md)\b(?:,?(?: |\n *(?:\*|\/\/) )sections?(?: |\n *(?:\*|\/\/) )(?<sections>\d[\d.]*(?:(?:,| and) \d[\d.]*)*))?/g,
    ),
  ].map(({ groups }) => ({
    from,
    page: groups?.page ?? '',
    sections: groups?.sections?.match(/\d+(?:\.\d+)*/g) ?? [],
  })),
);

describe('Comments that cite a page', () => {
  it('A comment gives the name of the page it cites, and calls a section a section', () => {
    expect(sources.filter(from => /\bfacts \d|\.md,? \d/.test(readFileSync(from, 'utf8')))).toEqual([]);
  });

  it('A comment cites a page that is in the repository', () => {
    expect(citations.filter(({ page }) => !pages.has(page) && !onTop.includes(page))).toEqual([]);
  });

  it('A comment cites a section that the page has', () => {
    const hasSection = (page: string, section: string) =>
      new RegExp(`^#+ ${section.replaceAll('.', '\\.')} `, 'm').test(pages.get(page) ?? '');
    const cited = citations.flatMap(({ from, page, sections }) => sections.map(section => ({ from, page, section })));
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ page, section }) => !hasSection(page, section))).toEqual([]);
  });

  it('A comment cites the table of a section that has one', () => {
    const tables = sources.flatMap(from =>
      [...readFileSync(from, 'utf8').matchAll(/\btable of ([\w-]+\.md) section (\d[\d.]*\d|\d)/g)].map(
        ([, page = '', section = '']) => ({ from, page, section }),
      ),
    );
    const sectionOf = (page: string, section: string) =>
      pages
        .get(page)
        ?.split(new RegExp(`^#+ ${section.replaceAll('.', '\\.')} `, 'm'))[1]
        ?.split(/^#+ /m)[0] ?? '';
    expect(tables.length).toBeGreaterThan(1);
    expect(tables.filter(({ page, section }) => !/^\|/m.test(sectionOf(page, section)))).toEqual([]);
  });
});
