import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { arrange } from '../../../src/chain/resources/arrange.ts';
import type { ArrangedRows, Arrangement } from '../../../src/chain/resources/arrangement.ts';
import { rowContext } from '../../../src/chain/resources/cell-text.ts';
import {
  FIND_MINE,
  isNarrowerSearch,
  readSearch,
  searchText,
  searchWithin,
} from '../../../src/chain/resources/record-search.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Resource, Row } from '../../../src/chain/resources/resource.ts';
import { sortedRows } from '../../../src/chain/resources/sorted-rows.ts';
import { WholeRowsBuilder } from '../../../src/chain/resources/whole-rows.ts';
import { loaded, pageOf, provision } from '../../explorer/support/provision-pages.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { FULL_RECORDS } from './full-records.ts';

const ALL: ArrangedRows = { find: '', sort: null, names: NO_NAMES, places: null };

function wholePage(resource: Resource, rows: readonly Row[]) {
  const maker = new WholeRowsBuilder(resource, {});
  for (const _ of maker.add(rows));
  const whole = maker.made();
  return { ...loaded(pageOf(whole.sample)), whole };
}

/** The rows as they are arranged, and how often the work could have been left. */
function arranged(resource: Resource, rows: readonly Row[], wanted: Partial<Arrangement>, before = ALL) {
  const page = wholePage(resource, rows);
  const work = arrange({ resource, page, wanted: { ...ALL, ...wanted }, before });
  let steps = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    if (!(step.value.done >= 0 && step.value.done <= 1)) throw new Error(`${step.value.done} of the work is done`);
    steps++;
  }
  const places = step.value;
  return { page, places, steps, rows: places === null ? rows : [...places].flatMap(place => rows[place] ?? []) };
}

const text = fc.oneof(
  fc.constantFrom('', '0', '-0', '1', '10', '9', '1.50', '1.5', '-3', '18446744073709551616', 'x', '0.1e3'),
  fc.bigInt().map(String),
  fc.string({ unit: anyCharacter }),
);

/** Records of a list with any of their members changed. */
function anyRows(resource: Resource): fc.Arbitrary<readonly Row[]> {
  const records = FULL_RECORDS.flatMap(([id, record]) => (id === resource.id ? [record] : []));
  const row = fc
    .tuple(fc.constantFrom(...records), fc.dictionary(fc.constantFrom(...Object.keys(records[0] ?? {})), text))
    .map(([record, members]): JsonObject => ({ ...record, ...members }));
  return fc.array(row, { maxLength: 80 });
}

describe('Sorting and searching a whole list', () => {
  it.each(RESOURCES.map(resource => [resource.id, resource] as const))(
    'Sorting %s in steps gives the same order as at once, by any column, in either direction',
    (_, resource) => {
      fc.assert(
        fc.property(
          anyRows(resource),
          fc.constantFrom(...resource.columns),
          fc.boolean(),
          (rows, column, isDescending) => {
            const sorted = arranged(resource, rows, { sort: { column: column.id, isDescending } });
            const [first] = rows;
            const among = first === undefined ? undefined : rowContext(sorted.page, first);
            const place = { directory: NO_NAMES, among: among ?? { rows, filters: {}, isWhole: true } };
            expect(sorted.rows).toEqual(sortedRows(column, rows, place, isDescending));
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  it.each(RESOURCES.map(resource => [resource.id, resource] as const))(
    'Searching %s finds what a page would, also when only earlier matches are searched',
    (_, resource) => {
      fc.assert(
        fc.property(anyRows(resource), fc.constantFrom('a', '1', '00', 'st', 'ID', 'no such text'), (rows, find) => {
          const found = arranged(resource, rows, { find });
          const wanted = rows.filter(row =>
            searchText(resource, row, found.page, NO_NAMES).includes(find.toLowerCase()),
          );
          expect(found.rows).toEqual(wanted);
          const narrower = `${find}0`;
          const before = { ...ALL, find, places: found.places };
          expect(arranged(resource, rows, { find: narrower }, before).rows).toEqual(
            arranged(resource, rows, { find: narrower }).rows,
          );
        }),
        { numRuns: 20 },
      );
    },
  );

  it('A list longer than a page is sorted and searched by its JSON, with equal rows in the order of the node', () => {
    const [resource] = RESOURCES.filter(({ id }) => id === 'provisions');
    if (resource === undefined) throw new Error('no provisions');
    const rows = Array.from({ length: 6000 }, (_, place) =>
      provision(place, { commitmentAmount: String((place * 7919) % 100) }),
    );
    const [column] = resource.columns.filter(({ id }) => id === 'commitment');
    if (column === undefined) throw new Error('no commitment');
    const sorted = arranged(resource, rows, { sort: { column: 'commitment', isDescending: true } });
    const place = { directory: NO_NAMES, among: { rows, filters: {}, isWhole: false } };
    expect(sorted.rows).toEqual(sortedRows(column, rows, place, true));
    expect(sorted.steps).toBeGreaterThan(6000);
    expect(arranged(resource, rows, { find: 'reference-59' }).rows.length).toBe(111);
  });

  it('A row of a whole list is read with the other rows of its provision, however far away they are', () => {
    const [resource] = RESOURCES.filter(({ id }) => id === 'provisions');
    if (resource === undefined) throw new Error('no provisions');
    const rows = Array.from({ length: 9000 }, (_, place) => provision(place));
    const old = provision(4, { version: '1' });
    const page = wholePage(resource, [provision(4, { version: '2' }), ...rows.slice(10), old]);
    const { whole } = page;
    const last = whole.list.at(whole.list.length - 1);
    expect(last && whole.around(last).map(({ version }) => version)).toEqual(['2', '1']);
    const alone = whole.list.at(5);
    expect(alone && whole.around(alone)).toEqual([alone]);
  });

  it('A whole list keeps rows with a number in place of text, and is sorted by the shown values', () => {
    const row = parseJson('{"key":1,"value":9007199254740993}');
    const [resource] = RESOURCES;
    expect(
      resource &&
        arranged(
          resource,
          [row].flatMap(one => (isRow(one) ? [one] : [])),
          { find: '993' },
        ).rows,
    ).toEqual([row]);
  });

  it('The rows of a value of a whole list are looked for among those of the wider search alone, and never miss one', () => {
    const provisions = RESOURCES.find(({ id }) => id === 'provisions');
    if (provisions === undefined) throw new Error('there are no provisions');
    const rows = [1, 2, 12, 21].map(index => provision(index, { commitmentAmount: `${index % 2}` }));
    const places = (find: string, before?: ArrangedRows) => [
      ...(arranged(provisions, rows, { find }, before).places ?? []),
    ];
    const text = 'reference-2';
    const value = { column: 'reference', value: 'reference-2', of: '' };
    expect([places(text), places(searchWithin(text, value)), places(searchWithin('', value))]).toEqual([
      [1, 3],
      [1],
      [1],
    ]);
    const foundBy = (find: string): ArrangedRows => ({ ...ALL, find, places: Uint32Array.from(places(find)) });
    expect(places(searchWithin(text, value), foundBy(text))).toEqual([1]);
    expect(places(text, foundBy(searchWithin(text, value)))).toEqual([1, 3]);
    expect(places('mine', foundBy('m'))).toEqual(places('mine'));
    expect(isNarrowerSearch(FIND_MINE, 'mine')).toBe(false);
  });

  it('A search for any value of any column reads as it was written', () => {
    const part = fc.oneof(text, fc.string());
    fc.assert(
      fc.property(part, part, part, part, (find, column, value, of) => {
        expect(readSearch(searchWithin(find, { column, value, of }))).toEqual({
          text: find,
          values: [{ column, value, of }],
        });
      }),
    );
  });
});

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
