import { describe, expect, it } from 'vitest';
import { baseAddress, requestUrl } from '../../../src/chain/api/request.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import { networkParameters } from '../../../src/chain/resources/network-parameters.ts';
import { dropKnownRows, positionAfter, positionBefore } from '../../../src/chain/resources/page-overlap.ts';
import { type Position, pageRequest } from '../../../src/chain/resources/page-request.ts';
import type { RowPage } from '../../../src/chain/resources/resource.ts';

const page = (...cursors: readonly string[]): RowPage => ({
  rows: cursors.map(cursor => ({ id: `row ${cursor}` })),
  cursors,
  startCursor: 'start',
  endCursor: 'end',
  hasNextPage: true,
  hasPreviousPage: true,
  flaws: [],
});

const live = { live: ['true'] };
const letters = [...'abcdefghijklmno'];

describe('Position of the next page', () => {
  const placed = (filters: { readonly [name: string]: readonly string[] }, ...cursors: readonly string[]) =>
    positionAfter(liquidityProvisions, filters, page(...cursors));

  it('The position of the next page is ten known rows back if rows move, or as many as there are', () => {
    expect(placed(live, ...letters)).toEqual({
      kind: 'after',
      cursor: 'end',
      overlap: { cursor: 'e', known: [...'fghijklmno'] },
    });
    expect(placed(live, 'a', 'b', 'c')).toMatchObject({ overlap: { cursor: 'a', known: ['b', 'c'] } });
  });

  it.each([
    ['rows that do not move', {}, letters],
    ['one row', live, ['a']],
    ['no row', live, []],
    ['a row without a cursor', live, ['a', '', 'c']],
  ])('The position of the next page is only its cursor after %s', (_, filters, cursors) => {
    expect(placed(filters, ...cursors)).toEqual({ kind: 'after', cursor: 'end' });
  });

  it('The position of the next page is only its cursor in a list whose rows never move', () => {
    expect(positionAfter(networkParameters, live, page('a', 'b'))).toEqual({ kind: 'after', cursor: 'end' });
  });
});

describe('Position of the previous page', () => {
  const placed = (...cursors: readonly string[]) => positionBefore(liquidityProvisions, live, page(...cursors));

  it('The position of the previous page is ten known rows ahead if rows move, or as many as there are', () => {
    expect(placed(...letters)).toEqual({
      kind: 'before',
      cursor: 'start',
      overlap: { cursor: 'k', known: [...'abcdefghij'] },
    });
    expect(placed('a', 'b', 'c')).toMatchObject({ overlap: { cursor: 'c', known: ['a', 'b'] } });
  });

  it.each([[['a']], [[]], [['a', '', 'c']]])(
    'The position of the previous page is only its cursor before %j',
    cursors => {
      expect(placed(...cursors)).toEqual({ kind: 'before', cursor: 'start' });
    },
  );
});

describe('Page requested with known rows', () => {
  const known = { cursor: 'k0', known: ['k1', 'k2'] };
  const after: Position = { kind: 'after', cursor: 'k2', overlap: known };
  const before: Position = { kind: 'before', cursor: 'k1', overlap: known };

  it.each([
    ['after', after, ['k1', 'k2', 'a', 'b'], ['a', 'b']],
    ['after, one of them gone', after, ['k2', 'a', 'b'], ['a', 'b']],
    ['before', before, ['a', 'b', 'k1', 'k2'], ['a', 'b']],
    ['before, one of them gone', before, ['a', 'b', 'k1'], ['a', 'b']],
  ])('A page requested with known rows keeps only the new ones: %s', (_, position, cursors, left) => {
    expect(dropKnownRows(page(...cursors), position)).toEqual({ ...page(...left), startCursor: 'a', endCursor: 'b' });
  });

  it('A page loses only the known rows at its border', () => {
    expect(dropKnownRows(page('k1', 'a', 'k2'), after).cursors).toEqual(['a', 'k2']);
    expect(dropKnownRows(page('k2', 'a', 'k1'), before).cursors).toEqual(['k2', 'a']);
  });

  it.each([after, before])('A page with nothing but known rows has no row and no flaw: %j', position => {
    expect(dropKnownRows(page('k1', 'k2'), position)).toEqual(page());
  });

  it.each([after, before])('A page without any known row reports that a row may be missing: %j', position => {
    const { flaws, ...rest } = dropKnownRows({ ...page('a', 'b'), flaws: ['odd'] }, position);
    expect(flaws).toEqual(['odd', expect.stringContaining('one may be missing here')]);
    expect(rest).toMatchObject({ cursors: ['a', 'b'], startCursor: 'a', endCursor: 'b' });
  });

  it.each<Position>([{ kind: 'first' }, { kind: 'last' }, { kind: 'after', cursor: 'x' }])(
    'A page requested at %j is left as received',
    position => expect(dropKnownRows(page('k1', 'a'), position)).toEqual(page('k1', 'a')),
  );

  it('A page is requested from the row before the known rows, with room for them, within the node limit', () => {
    const asked = (position: Position, size: number): string =>
      requestUrl(
        baseAddress('http://n'),
        pageRequest(liquidityProvisions, { filters: {}, size, newestFirst: true, position }),
      );
    expect(asked(after, 20)).toMatch(/\?pagination\.first=22&pagination\.after=k0$/);
    expect(asked(before, 20)).toMatch(/\?pagination\.last=22&pagination\.before=k0$/);
    expect(asked(after, 4999)).toContain('pagination.first=5000&');
  });
});
