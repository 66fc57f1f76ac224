import { expect, it } from 'vitest';
import { NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { cellText } from '../../../../../src/chain/resources/cell-text.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import { visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { answerPage, browserOf, startSession } from '../../../support/fake-world.ts';
import { pageOf, provision } from '../../../support/provision-pages.ts';

it('A search in a list finds every row by what any of its cells shows, including the words before a value', async () => {
  const { session, world } = await startSession({ columns: 120, rows: 40 });
  await answerPage(
    world,
    pageOf([provision(1, { version: '2' }), provision(1, { status: 'STATUS_PENDING' }), provision(2)]),
  );
  const resource = resourceById('provisions');
  const { page } = browserOf(session);
  if (resource === undefined || page === null) throw new Error('no provisions');
  const missed = page.rows.flatMap(row =>
    resource.columns.flatMap(column => {
      const shown = cellText(column, row, page, NO_NAMES);
      const found = visibleRows(resource, { ...browserOf(session), find: shown }).slice();
      return found.includes(row) ? [] : [shown];
    }),
  );
  expect(missed).toEqual([]);
  expect(visibleRows(resource, { ...browserOf(session), find: 'was pending' })).toEqual([page.rows[1]]);
});
