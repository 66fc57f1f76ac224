import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText } from '../../../src/base/text/safe-text.ts';
import { type Line, lineWidth, span, textLine } from '../../../src/explorer/core/line.ts';
import { fittingParts, ruleCells, ruleTitle, titledRule } from '../../../src/explorer/core/rule.ts';

const textOf = (line: Line): string => line.map(({ text }) => text).join('');

describe('Titled rule', () => {
  it('A titled rule carries its parts between strokes, and leaves empty ones out', () => {
    const parts = [ruleTitle('Provisions'), textLine('40 rows'), [], textLine('')];
    expect(textOf(titledRule(parts, 40))).toBe(
      '\u2500 Provisions \u2500 40 rows \u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500',
    );
    expect(textOf(titledRule([], 5))).toBe('\u2500\u2500\u2500\u2500\u2500');
  });

  it('A titled rule keeps its parts, and drops what is at its end, where both have no room', () => {
    const right = [span(safeText`in sync`)];
    expect(textOf(titledRule([ruleTitle('Home')], 20, right))).toBe('\u2500 Home \u2500\u2500\u2500 in sync \u2500');
    expect(textOf(titledRule([ruleTitle('Home')], 16, right))).toBe(
      '\u2500 Home \u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500',
    );
  });

  it('A titled rule gives up the strokes between its parts before it cuts one of them', () => {
    const parts = [ruleTitle('ledger'), textLine('34 rows'), textLine('1 filter')];
    expect(ruleCells(parts)).toBe(31);
    expect(textOf(titledRule(parts, 28))).toBe('\u2500 ledger  34 rows  1 filter\u2500');
    expect(fittingParts([parts, parts.slice(0, 2)], 30)).toEqual(parts.slice(0, 2));
  });

  it('A titled rule is as wide as the screen, whatever it carries', () => {
    const texts = fc.array(fc.string({ maxLength: 30 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.string({ maxLength: 20 }), fc.integer({ min: 1, max: 120 }), (parts, right, cells) => {
        const line = titledRule(
          parts.map(text => textLine(text)),
          cells,
          right === '' ? [] : textLine(right),
        );
        expect(lineWidth(line)).toBeLessThanOrEqual(cells);
        expect(lineWidth(line)).toBeGreaterThanOrEqual(cells - 1);
      }),
    );
  });
});
