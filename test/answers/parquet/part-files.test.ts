import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvPart, PartFiles } from '../../../src/answers/parquet/part-files.ts';
import { EntryCheck } from '../../../src/history/check/entry-check.ts';
import { csvField, inFolder } from './export-zip.ts';

const field = fc.oneof(fc.constantFrom('', 'a', '12', 'x\ny', '"', ',', '\n\n'), fc.string({ maxLength: 8 }));
/** A row that reads like the header is a finding of its own. */
const row = fc.tuple(field, field).filter(([a, b]) => a !== 'a' || b !== 'b');
const csvText = fc
  .array(row, { maxLength: 12 })
  .map(
    rows => `a,b\n${rows.map(row => `${row.map(text => csvField(text.replaceAll('\0', ''))).join(',')}\n`).join('')}`,
  );

/** The parts of CSVs that come in chunks of these sizes, over and over. */
async function partsOf(texts: readonly string[], sizes: readonly number[], partBytes: number) {
  return inFolder(async folder => {
    const files = new PartFiles(folder, partBytes);
    const parts: CsvPart[] = [];
    for (const text of texts) {
      const check = new EntryCheck('x', undefined, true);
      let [rest, turn] = [Buffer.from(text), 0];
      for (; rest.length > 0; turn++) {
        const chunk = rest.subarray(0, sizes[turn % sizes.length]);
        rest = rest.subarray(chunk.length);
        check.onBytes(chunk, { crc: 0, compressedBytes: 0, bytes: 0 });
        parts.push(...files.take(check, chunk));
      }
    }
    parts.push(...files.end());
    return parts.map(part => ({ ...part, text: readFileSync(part.path, 'utf8') }));
  });
}

test('Part files contain the same CSV rows, split between rows, wherever chunks and rows end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(csvText, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (texts, sizes, partBytes) => {
        const parts = await partsOf(texts, sizes, partBytes);
        for (const [index, text] of texts.entries()) {
          const own = parts.filter(({ csv }) => csv === index + 1);
          expect(own.map(part => part.text).join('')).toBe(text);
          expect(own.map(({ number }) => number)).toEqual(own.map((_, place) => place + 1));
          expect(own.map(({ hasHeader }) => hasHeader)).toEqual(own.map((_, place) => place === 0));
          for (const { text: ofPart, rows, hasHeader } of own) {
            const alone = new EntryCheck('x', undefined, true);
            alone.onBytes(Buffer.from(hasHeader ? ofPart : `a,b\n${ofPart}`), { crc: 0, compressedBytes: 0, bytes: 0 });
            expect([alone.rows, alone.report(true, []).findings]).toEqual([rows, []]);
          }
        }
      },
    ),
    { numRuns: 200 },
  ));

test('A row that ends with its chunk leaves no remainder, and the next part has no header', async () => {
  const parts = await partsOf(['a,b\n1,2\n3,4\n5,6\n'], [4], 1);
  expect(parts.map(({ text, hasHeader, rows }) => [text, hasHeader, rows])).toEqual([
    ['a,b\n', true, 0],
    ['1,2\n', false, 1],
    ['3,4\n', false, 1],
    ['5,6\n', false, 1],
  ]);
});

test('Part files leave out an unfinished row', async () => {
  const parts = await partsOf(['a,b\n1,2\n3,"4\n'], [100], 1000);
  expect(parts.map(({ text, rows }) => [text, rows])).toEqual([['a,b\n1,2\n', 1]]);
});
