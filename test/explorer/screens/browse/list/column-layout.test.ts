import { describe, expect, it } from 'vitest';
import { type Kind, statusKind } from '../../../../../src/chain/insight/kind.ts';
import type { Column, Resource } from '../../../../../src/chain/resources/resource.ts';
import { signerBundles } from '../../../../../src/chain/resources/signer-bundles.ts';
import { columnLayout } from '../../../../../src/explorer/screens/browse/list/column-layout.ts';
import { newList } from '../../../../../src/explorer/screens/browse/open-list.ts';
import type { LoadedPage } from '../../../../../src/explorer/screens/browse/state.ts';
import { loaded, pageOf } from '../../../support/provision-pages.ts';

const column = (id: string, kind: Kind = 'text'): Column => ({
  id,
  title: id,
  kind,
  value: row => String(row[id] ?? ''),
});

const status = statusKind('STATUS_');

const resourceWith = (...columns: readonly Column[]): Resource => ({ ...signerBundles, columns });

/** A page with rows whose members are as long as this. */
const pageWith = (...rows: readonly { readonly [column: string]: number }[]) =>
  loaded(
    pageOf(rows.map(row => Object.fromEntries(Object.entries(row).map(([id, length]) => [id, 'x'.repeat(length)])))),
  );

interface Choice {
  readonly left?: number;
  readonly sorted?: string;
}

/** Cells of the columns that fit into a table this wide, and how many have no room at each side. */
function laidOut(resource: Resource, page: LoadedPage, tableCells: number, { left = 0, sorted }: Choice = {}) {
  const list = newList(resource, {});
  const sort = sorted === undefined ? null : { column: sorted, isDescending: false };
  const browser = { ...list, page, sort, view: { ...list.view, left } };
  const { fitted, hiddenLeft, hiddenRight } = columnLayout(resource, browser, page, tableCells);
  return [hiddenLeft, fitted.map(item => [item.column.id, item.cells] as const), hiddenRight] as const;
}

describe('Columns of a list', () => {
  const columns = resourceWith(column('a'), column('b', 'integer'), column('c'), column('d', status));
  const page = pageWith({ a: 30, b: 10, c: 5, d: 8 }, { a: 3, b: 1, c: 20, d: 2 });
  const cells = (...widths: readonly number[]) => widths.map((width, index) => ['abcd'[index], width]);

  it('The columns of a list are as wide as their widest text, with two cells between, before and after them', () => {
    expect(laidOut(columns, page, 78)).toEqual([0, cells(30, 10, 20, 8), 0]);
    expect(laidOut(columns, page, 200)).toEqual([0, cells(30, 10, 20, 8), 0]);
  });

  it('The columns of a list give up text evenly when there is less room, but nothing of a number or a status', () => {
    expect(laidOut(columns, page, 77)).toEqual([0, cells(29, 10, 20, 8), 0]);
    expect(laidOut(columns, page, 61)).toEqual([0, cells(16, 10, 16, 8), 0]);
    expect(laidOut(columns, page, 56)).toEqual([0, cells(14, 10, 14, 8), 0]);
  });

  it('The columns of numbers, states and booleans keep their width where text is cut', () => {
    const kinds = resourceWith(column('a'), column('b', 'integer'), column('c', status), column('d', 'boolean'));
    expect(laidOut(kinds, pageWith({ a: 30, b: 20, c: 18, d: 16 }), 78)).toEqual([0, cells(14, 20, 18, 16), 0]);
  });

  it('The columns of a list are laid out again on the same page when others are chosen', () => {
    expect(laidOut(resourceWith(column('a'), column('b')), page, 80)).toEqual([0, cells(30, 10), 0]);
    expect(laidOut(resourceWith(column('a'), column('d')), page, 80)[1]).toContainEqual(['d', 8]);
  });

  it('The columns of a list that have no room are counted', () => {
    expect(laidOut(columns, page, 53)).toEqual([0, cells(17, 10, 17), 1]);
  });

  it('The columns of a list scroll next to the first, and no further than to see the last', () => {
    const scrolled = [['a', 19] as const, ['c', 19] as const, ['d', 8] as const];
    expect(laidOut(columns, page, 55, { left: 1 })).toEqual([1, scrolled, 0]);
    expect(laidOut(columns, page, 55, { left: 9 })).toEqual([1, scrolled, 0]);
    expect(laidOut(columns, page, 56, { left: 9 })).toEqual([0, cells(14, 10, 14, 8), 0]);
    expect(laidOut(columns, page, 78, { left: 9 })).toEqual([0, cells(30, 10, 20, 8), 0]);
  });

  it('The columns of a list have room for the mark of the one that is sorted by', () => {
    const narrow = resourceWith(column('a'), column('name', status));
    expect(laidOut(narrow, pageWith({ a: 1, name: 2 }), 80)).toEqual([
      0,
      [
        ['a', 1],
        ['name', 4],
      ],
      0,
    ]);
    expect(laidOut(narrow, pageWith({ a: 1, name: 2 }), 80, { sorted: 'name' })).toEqual([
      0,
      [
        ['a', 1],
        ['name', 6],
      ],
      0,
    ]);
  });

  it('The columns too wide for what the first leaves are shown cut, unless only a glimpse is left', () => {
    const wide = resourceWith(column('a'), column('b', 'integer'));
    const long = pageWith({ a: 30, b: 40 });
    expect(laidOut(wide, long, 32)).toEqual([0, cells(14, 12), 0]);
    expect(laidOut(wide, long, 26)).toEqual([0, cells(14, 6), 0]);
    expect(laidOut(wide, long, 23)).toEqual([0, cells(19), 1]);
    expect(laidOut(wide, long, 12)).toEqual([0, cells(8), 1]);
  });

  it('The columns of numbers are as wide as most rows need if there is no room for all, never wider for one row', () => {
    const amounts = resourceWith(column('a', 'id'), column('b', 'integer'), column('c', 'factor'), column('d', status));
    const usual = { a: 64, b: 9, c: 6, d: 9 };
    const outlier = pageWith({ ...usual, b: 51 }, usual, usual, { ...usual, c: 40 });
    expect(laidOut(amounts, outlier, 80)).toEqual([0, cells(13, 23, 23, 9), 0]);
    expect(laidOut(amounts, outlier, 69)).toEqual([0, cells(10, 20, 20, 9), 0]);
    expect(laidOut(amounts, outlier, 200)).toEqual([0, cells(64, 51, 40, 9), 0]);
    const allLong = pageWith({ ...usual, b: 34 }, { ...usual, b: 34 }, { ...usual, b: 34 });
    expect(laidOut(amounts, allLong, 75)[1]).toContainEqual(['b', 34]);
  });

  it('The columns of a list keep as much of an ID as identifies it, and at most ninety cells of any value', () => {
    const ids = resourceWith(column('a', 'id'), column('b'));
    expect(laidOut(ids, pageWith({ a: 64, b: 14 }), 30)).toEqual([0, cells(10, 14), 0]);
    expect(laidOut(ids, pageWith({ a: 4, b: 200 }), 300)).toEqual([0, cells(4, 90), 0]);
  });

  it('The columns of a list have the width of the widest of 799 rows, wherever it is', () => {
    const rows = Array.from({ length: 799 }, (_, index) => ({ a: index === 797 ? 12 : 1 }));
    expect(laidOut(resourceWith(column('a')), pageWith(...rows), 80)).toEqual([0, cells(12), 0]);
  });

  it('The columns of a list are none when the list has none', () => {
    expect(laidOut(resourceWith(), page, 80)).toEqual([0, [], 0]);
  });
});
