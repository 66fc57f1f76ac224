import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../../../src/base/text/width.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import { bindingFor } from '../../../../../src/explorer/app/keymap.ts';
import { highlighted, lineWidth, span } from '../../../../../src/explorer/core/line.ts';
import { visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { THEMES } from '../../../../../src/explorer/terminal/theme.ts';
import { browserOf, press } from '../../../support/fake-world.ts';
import { paintedLines } from '../../../support/frame.ts';
import { onFirstPage, type } from '../../../support/list-scenes.ts';

async function searched(text: string) {
  const { session } = await onFirstPage();
  press(session, '/');
  type(session, text);
  press(session, 'enter');
  const resource = resourceById(session.state().tab);
  if (resource === undefined) throw new Error('there is no list');
  const count = visibleRows(resource, browserOf(session)).length;
  return { session, count };
}

describe('Keys n and N in a list', () => {
  it('The n and N keys go from match to match during a search, and wrap around at the end', async () => {
    const { session, count } = await searched('reference-1');
    expect(count).toBeGreaterThan(2);
    const rows = Array.from({ length: count }, () => {
      press(session, 'n');
      return browserOf(session).view.row;
    });
    expect(rows).toEqual([...Array.from({ length: count - 1 }, (_, index) => index + 1), 0]);
    expect(session.state().notice?.text).toBe('back at the first match of this page; ] turns to the next');
    press(session, 'N');
    expect(browserOf(session).view.row).toBe(count - 1);
    press(session, 'N');
    expect(browserOf(session).view.row).toBe(count - 2);
  });

  it('The n and N keys report when there is only one match, and when there is none', async () => {
    const { session, count } = await searched('reference-49');
    expect(count).toBe(1);
    press(session, 'n');
    expect(session.state().notice?.text).toBe('the only match of this page; ] turns to the next');
    const none = await searched('nowhere at all');
    press(none.session, 'n');
    expect(none.session.state().notice?.text).toBe('nothing was found: Esc clears the search');
  });

  it('The n and N keys turn pages and open the nodes again once the search has ended', async () => {
    const { session } = await searched('reference-1');
    expect(bindingFor(session.state(), 'n')?.action).toMatchObject({ event: { type: 'next-match' } });
    expect(bindingFor(session.state(), ']')?.action).toMatchObject({ event: { type: 'next-page' } });
    press(session, 'esc');
    expect(bindingFor(session.state(), 'n')?.action).toMatchObject({ event: { type: 'next-page' } });
    expect(bindingFor(session.state(), 'N')?.action).toEqual({ type: 'toggle-screen', screen: 'nodes' });
  });
});

/** A match, on the selected row as well. */
const LIT = /\u001b\[[\d;]*(?:30;43|48;5;221)m(?:ACTIVE|active)/i;

describe('Match highlighting', () => {
  it('A match is highlighted wherever the text is in a line, in either case, and nothing else is', () => {
    const line = [span(sanitize('Abc abc')), span(sanitize(' xaBCx '), 'good')];
    const parts = highlighted(line, 'ABC');
    expect(parts.map(({ text }) => text).join('')).toBe('Abc abc xaBCx ');
    expect(parts.map(({ text, style }) => [text, style])).toEqual([
      ['Abc', 'match'],
      [' ', 'plain'],
      ['abc', 'match'],
      [' x', 'good'],
      ['aBC', 'match'],
      ['x ', 'good'],
    ]);
    expect(highlighted(line, '')).toBe(line);
    expect(highlighted(line, ' ')).toBe(line);
  });

  // A character in several code units is one to the terminal: cut in two it is wider, or a mark on nothing.
  it('A match is never highlighted as a part of what the terminal takes for one character', () => {
    const texts = [
      'e\u0301a',
      '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}!',
      '\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7}',
      '\u0130stanbul x',
      '\u6f22\u5b57 a',
    ];
    const character = fc.constantFrom(...texts.flatMap(text => [...text]), 'i', 's', ' ');
    const wanted = fc.array(character, { maxLength: 4 }).map(letters => letters.join(''));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...texts)), wanted, (words, find) => {
        const text = sanitize(words.join(''));
        const parts = highlighted([span(text)], find);
        expect(parts.map(part => part.text).join('')).toBe(text);
        expect(lineWidth(parts)).toBe(widthCells(text));
        const isFound = find.trim() !== '' && text.toLowerCase().includes(find.toLowerCase());
        expect(parts.some(({ style }) => style === 'match')).toBe(isFound);
      }),
    );
  });

  it('A match is highlighted in the rows of a list and in a record, until the search ends', async () => {
    const { session } = await searched('active');
    const lit = (): number => paintedLines(session.state(), THEMES.auto.utf8).filter(line => LIT.test(line)).length;
    expect(lit()).toBeGreaterThan(5);
    press(session, 'esc');
    expect(lit()).toBe(0);
    press(session, 'enter', '/');
    type(session, 'active');
    press(session, 'enter');
    expect(lit()).toBeGreaterThan(0);
    press(session, 'q');
    expect(lit()).toBe(0);
  });
});
