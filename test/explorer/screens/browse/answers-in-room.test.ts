import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/chain/api/client.ts';
import { baseAddress } from '../../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../../src/chain/directory/directory.ts';
import { loadDirectory } from '../../../../src/chain/directory/load-directory.ts';
import { isAnswerColumn } from '../../../../src/chain/resources/columns.ts';
import { fetchPage } from '../../../../src/chain/resources/fetch-page.ts';
import { RESOURCES } from '../../../../src/chain/resources/registry.ts';
import type { Resource, RowPage } from '../../../../src/chain/resources/resource.ts';
import { columnLayout } from '../../../../src/explorer/screens/browse/list/column-layout.ts';
import { shownColumns } from '../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { newList } from '../../../../src/explorer/screens/browse/open-list.ts';
import type { BrowseState } from '../../../../src/explorer/screens/browse/state.ts';
import { startNode } from '../../../../src/node/index.ts';
import { answerPage, browserOf, press, startSession } from '../../support/fake-world.ts';
import { layoutOf } from '../../support/layers.ts';
import { loaded, pageOf, provision } from '../../support/provision-pages.ts';

const node = await startNode({});
const client = createClient({ base: baseAddress(node.url) });
const { signal } = new AbortController();
const names = await loadDirectory(client, { signal, folder: null, nowMs: 0 });
const party = await partyOfTheFees();

async function partyOfTheFees(): Promise<string> {
  const fees = await pageOfList('fees', {});
  return /"party":"([0-9a-f]+)"/.exec(JSON.stringify(fees.rows))?.[1] ?? '';
}

async function pageOfList(id: string, filters: { readonly [name: string]: readonly string[] }): Promise<RowPage> {
  const resource = RESOURCES.find(candidate => candidate.id === id);
  if (resource === undefined) throw new Error(`no list ${id}`);
  const position = { kind: 'first' } as const;
  return (await fetchPage(client, resource, { filters, size: 50, newestFirst: true, position }, signal)).page;
}

/** Each list as people look at it: with the filter that a node wants, or the one of their own. */
const VIEWS: readonly (readonly [list: string, filters: { readonly [name: string]: readonly string[] }])[] = [
  ...RESOURCES.filter(({ id }) => id !== 'provisions').map(({ id }) => [id, {}] as const),
  ['provisions', { partyId: [party], live: ['true'] }],
  ['fees', { partyIds: [party] }],
];

/** In several units, some of them about to come into force. */
const PROVISIONS = [...names.markets.keys()]
  .slice(0, 6)
  .flatMap(marketId => [
    provision(1, { marketId, partyId: party, commitmentAmount: '6121370000000', version: '2', fee: '0.0025' }),
    provision(2, { marketId, partyId: party, commitmentAmount: '1905000123456', status: 'STATUS_PENDING' }),
  ]);

async function view(list: string, filters: { readonly [name: string]: readonly string[] }) {
  const resource = RESOURCES.find(({ id }) => id === list);
  if (resource === undefined) throw new Error(`no list ${list}`);
  const fresh = newList(resource, {});
  const page = loaded(list === 'provisions' ? pageOf(PROVISIONS) : await pageOfList(list, filters));
  const shown = { ...page, request: { ...page.request, filters } };
  return { resource, browser: { ...fresh, page: shown } };
}

const answersOf = (resource: Resource, browser: BrowseState): readonly string[] =>
  shownColumns(resource, browser).flatMap(column =>
    isAnswerColumn(column, browser.page?.request.filters ?? {}) ? [column.id] : [],
  );

function laidOut(resource: Resource, browser: BrowseState, cells: number) {
  if (browser.page === null) throw new Error('no page');
  return columnLayout(resource, browser, browser.page, cells).fitted.map(({ column: { id }, cells: width }) => [
    id,
    width,
  ]);
}

/** Beside the inspector of a terminal that is just wide enough for both. */
async function besideInspector(): Promise<number> {
  const { session, world } = await startSession({ columns: 120, rows: 24, tab: 'markets' });
  await answerPage(world, await pageOfList('markets', {}));
  press(session, 'enter');
  expect(browserOf(session).inspector).not.toBeNull();
  return layoutOf(session.state()).tableColumns;
}

describe('Main columns of a list', () => {
  it.each(VIEWS)(
    'The main columns of a list fit on a screen of 60 columns and next to the inspector: %s %j',
    async (list, filters) => {
      const { resource, browser } = await view(list, filters);
      const answers = answersOf(resource, browser);
      expect(answers.length).toBeGreaterThan(1);
      for (const cells of [60, await besideInspector()])
        for (const directory of [NO_NAMES, names]) {
          const fitted = laidOut(resource, { ...browser, namesLaidOut: directory }, cells);
          expect(
            fitted.map(([id]) => String(id).replace(' in its group', '')),
            `${cells} cells`,
          ).toEqual(expect.arrayContaining([...answers]));
        }
    },
  );
});
