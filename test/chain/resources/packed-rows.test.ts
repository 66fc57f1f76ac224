import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type JsonObject, parseJson, printJson } from '../../../src/chain/api/json.ts';
import { PackedRowList } from '../../../src/chain/resources/packed-rows.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { FULL_RECORDS } from './full-records.ts';

function packedRows(rows: readonly JsonObject[]): PackedRowList {
  const packed = new PackedRowList();
  for (const row of rows) packed.add(row);
  packed.end();
  return packed;
}

function rowsOf(text: string): readonly JsonObject[] {
  const rows = parseJson(text);
  return isJsonArray(rows) ? rows.filter(isJsonObject) : [];
}

const anyRow = fc.dictionary(
  fc.oneof(fc.constantFrom('id', 'current', '__proto__', '0', 'digits'), fc.string({ unit: anyCharacter })),
  fc.oneof(fc.jsonValue(), fc.string({ unit: anyCharacter }), fc.constantFrom('ACTIVE', '', '0', 0, -1, null, [], {})),
);

describe('Packed rows', () => {
  it('Packed rows are read as they were added, whatever a node sent, in any order of access', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 200 }), fc.array(fc.nat(210)), (written, places) => {
        const rows = rowsOf(JSON.stringify(written));
        const packed = packedRows(rows);
        expect(packed.length).toBe(rows.length);
        const read = packed.reader();
        for (const [place, row] of rows.entries()) expect(printJson(read(place) ?? null)).toBe(printJson(row));
        for (const place of places) expect(printJson(packed.at(place) ?? null)).toBe(printJson(rows[place] ?? null));
        expect(packed.slice(3, 90).map(row => printJson(row))).toEqual(rows.slice(3, 90).map(row => printJson(row)));
      }),
    );
  });

  it('Packed rows keep every digit and every member of the records of every list', () => {
    const rows = FULL_RECORDS.map(([, record]) => record);
    expect(rows.length).toBeGreaterThan(10);
    expect(packedRows(rows).slice()).toEqual(rows);
    const [exact] = rowsOf('[{"a":9007199254740993,"b":1.0,"c":{"d":-0,"e":[1e400]},"f":"9007199254740993"}]');
    const packed = packedRows(exact ? [exact] : []);
    expect(printJson(packed.at(0) ?? null)).toBe(
      '{"a":9007199254740993,"b":1.0,"c":{"d":-0,"e":[1e400]},"f":"9007199254740993"}',
    );
  });

  it('Packed rows are the same objects while recently read, and do not exist past their end', () => {
    const packed = packedRows(Array.from({ length: 3000 }, (_, place) => ({ place })));
    const first = packed.at(0);
    expect(packed.at(0)).toBe(first);
    for (let place = 1; place < 3000; place++) packed.at(place);
    expect(packed.at(0)).not.toBe(first);
    expect(packed.at(0)).toEqual(first);
    expect([packed.at(-1), packed.at(3000), packed.reader()(3000)]).toEqual([undefined, undefined, undefined]);
  });

  it('Packed rows are found in ascending order with any of them left out', () => {
    const packed = packedRows(Array.from({ length: 1000 }, (_, place) => ({ place })));
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999)), places => {
        const read = packed.reader();
        for (const place of places.toSorted((one, other) => one - other)) expect(read(place)).toEqual({ place });
      }),
    );
  });

  it('Packed rows are read as they were added if no row is like another', () => {
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      [`member ${index}`]: `text ${index}`,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`more ${place}`, `${index} ${place}`])),
    }));
    const packed = packedRows(rows);
    const read = packed.reader();
    for (const [place, row] of rows.entries()) {
      expect(packed.at(place)).toEqual(row);
      expect(read(place)).toEqual(row);
    }
  });

  it('Packed rows take a third of their text if members and texts repeat', () => {
    const [party, market] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const rows = Array.from({ length: 1000 }, (_, place) => ({
      id: place.toString(16).padStart(64, '0'),
      partyId: party,
      marketId: market,
      status: 'STATUS_ACTIVE',
      reference: `reference ${place}`,
      commitmentAmount: String(place * 1000),
    }));
    const characters = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    expect(packedRows(rows).characters).toBeLessThan(characters * 0.4);
  });
});
