import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { simpleWidth } from '../../../src/base/text/cluster-width.ts';
import { safeJson, sanitize } from '../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../src/base/text/width.ts';
import { HIDDEN } from '../../support/any-character.ts';

describe('Every code point', () => {
  const all = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));

  it('A control, format, private, unassigned or invisible code point is replaced, every other one kept', () => {
    const kept = all.filter(character => sanitize(character).endsWith(character));
    expect(kept.filter(character => HIDDEN.test(character))).toEqual([]);
    expect(all.length - kept.length).toBe(all.filter(character => HIDDEN.test(character)).length);
  });

  it('A code point is escaped in JSON on a terminal if it is replaced elsewhere', () => {
    // Many at once: one by one they take as many seconds as all other tests of texts.
    const together = 256;
    const wrong: unknown[] = [];
    for (let from = 0; from < all.length; from += together) {
      const text = `a${all.slice(from, from + together).join('a')}`;
      const shown = safeJson(JSON.stringify(text));
      if (HIDDEN.test(shown) || JSON.parse(shown) !== text) wrong.push([from.toString(16), HIDDEN.exec(shown)?.[0]]);
    }
    expect(wrong).toEqual([]);
  });
});

it('The width known without a Unicode lookup equals the width that Unicode gives', () => {
  const wrong: number[] = [];
  for (let code = 0; code < 0x1_00_00; code++) {
    const character = String.fromCharCode(code);
    const simple = simpleWidth(code);
    const safe = sanitize(character);
    if ((simple > 0 && simple !== stringWidth(character)) || widthCells(safe) !== stringWidth(safe)) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});
