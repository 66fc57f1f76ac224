import { describe, expect, it } from 'vitest';
import { COLUMNS } from '../../support/fake-tables.ts';
import { press, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { tableOf, viewing } from '../../support/viewer-scenes.ts';

async function headed(keys: readonly string[], columns: number) {
  const { session } = await viewing({ screen: { columns, rows: 16 } });
  for (const key of keys) {
    press(session, key);
    await told();
    await told();
  }
  const lines = paintedLines(session.state()).map(plain);
  return { view: tableOf(session).view, of: lines[2] ?? '', body: lines.slice(3, -2) };
}

const SORTED = ['s', 'j', 'j', 'enter'];
const FILTERED = ['=', 'j', 'enter'];
const TWICE = [...FILTERED, '=', 'j', 'j', 'j', 'enter'];

describe('Viewer at any width', () => {
  it.each([
    ['as in the file', []],
    ['sorted', SORTED],
    ['narrowed', FILTERED],
    ['narrowed and sorted', [...FILTERED, ...SORTED]],
    ['narrowed twice', TWICE],
    ['narrowed twice and sorted', [...TWICE, ...SORTED]],
  ])('The title line of a table shows which rows it has and in which order, and is not cut: %s', async (_, keys) => {
    for (let columns = 40; columns <= 120; columns += 4) {
      const { view, of } = await headed(keys, columns);
      const { filters = [], sort = null } = view?.shown.look ?? {};
      expect(of, String(columns)).not.toContain('\u2026');
      expect(of).toContain(`${view?.shown.count} `);
      if (sort !== null)
        expect(of).toMatch(
          /quantity (?:in smallest units )?\u25bc|sorted by quantity(?: in smallest units)?, largest first/,
        );
      if (filters.length > 0) expect(of).toMatch(/type deposit|\d filters?/);
    }
  });

  it('The figures above counts are never cut, and a number that is too long is shown by its magnitude', async () => {
    for (let columns = 40; columns <= 120; columns += 4)
      for (const keys of [
        ['F', 'j', 'j', 'enter'],
        ['F', 'end', 'up', 'up', 'enter'],
      ]) {
        const { body } = await headed(keys, columns);
        for (const line of body.slice(0, 2)) expect(line, `${keys} at ${columns}`).not.toMatch(/\d\u2026|\d \u2026$/);
      }
  });

  it('A counted text keeps both of its ends, and a NULL number is shown as such', async () => {
    const columns = COLUMNS.filter(({ name }) => name === 'quantity' || name === 'type');
    const table = { rows: 3, columns, row: () => [null, `BEGIN-${'x'.repeat(60)}-END`] };
    const counted = async (...keys: readonly string[]) => {
      const { session } = await viewing({ table, screen: { columns: 40, rows: 16 } });
      for (const key of keys) {
        press(session, key);
        await told();
        await told();
      }
      return paintedLines(session.state()).map(plain).join('\n');
    };
    expect(await counted('F', 'j', 'enter')).toMatch(/> BEGIN\S+END +3 +100\.0 %/);
    expect(await counted('F', 'enter')).toMatch(/> +NULL +3 +100\.0 %/);
  });

  it.each([
    [22_900, /^ 1-\d+ of the top 1 000 of 22 900 /],
    [1000, /^ 1-\d+ of 1 000 /],
  ])('%i counted values say how many there are beyond those that are listed', async (rows, place) => {
    const columns = COLUMNS.filter(({ name }) => name === 'type');
    const table = { rows, columns, row: (row: number) => [String(row)], mostValues: 1000 };
    const { session } = await viewing({ table, screen: { columns: 80, rows: 20 } });
    press(session, 'F', 'enter');
    await told();
    await told();
    expect(plain(paintedLines(session.state()).at(-1) ?? '')).toMatch(place);
  });

  it('A viewer row shows more than its time', async () => {
    const { body } = await headed([], 40);
    expect(body[0]).toContain('type');
    expect(body[1]).toContain('deposit');
  });
});
