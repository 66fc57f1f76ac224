import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sanitize } from '../../src/base/text/safe-text.ts';
import type { CheckOutcome } from '../../src/cli/check/checker.ts';
import { nagiosText } from '../../src/cli/check/nagios.ts';
import { anyCharacter } from '../support/any-character.ts';

/** What a check found: so many alarms of each severity, each with such a sentence. */
const checked = (sentences: readonly string[], blockAgeMs: number | null = 500): CheckOutcome =>
  ({
    entries: sentences.map((sentence, index) => ({
      rule: `rule-${index}`,
      severity: (['critical', 'warning', 'unknown'] as const)[index % 3] ?? 'unknown',
      sentence: sanitize(sentence),
      sinceMs: 0,
    })),
    ...{
      rules: sentences.map((_, index) => `rule-${index}`),
      silence: undefined,
      node: { blockAgeMs, isArchive: false },
      requests: 26,
    },
    ...{ atMs: 0, changes: [] },
  }) as never;

const LIMITS = { ms: 60_000, isLive: false };

it('The Nagios line with its figures has at most 1,024 bytes, whatever the number of alarms and length of names', () => {
  const names = [
    'market '.repeat(200),
    '\u4e16\u754c'.repeat(300),
    '\u{1f600}'.repeat(300),
    '\u001b[2J\u202e'.repeat(300),
    'a|b\nc'.repeat(300),
  ];
  for (const name of names)
    for (const count of [1, 3, 200]) {
      const text = String(nagiosText(checked(Array.from({ length: count }, () => name)), LIMITS));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
      expect(text).toMatch(
        new RegExp(
          `^BLOCKGLASS CRITICAL - critical rule-0: [^|\\n]*\\.\\.\\. \\| block_age=0\\.500s;60 critical=${Math.ceil(count / 3)};;;0 [^|\\n]*requests=26;;;0\\n$`,
          'u',
        ),
      );
      expect(text).not.toContain('\ufffd...');
    }
});

it('The Nagios line has at most 1,024 bytes for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 400 }), { maxLength: 12 }), sentences => {
      const text = String(nagiosText(checked(sentences, null), LIMITS));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
      expect(text.split('\n').length).toBe(2);
      expect(text.split('|').length).toBe(2);
    }),
    { numRuns: 60 },
  );
});
