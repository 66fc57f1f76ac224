import type { DemoTable, TableRowValues } from '../store.ts';
import { memberTextOrEmpty, objectMembers, type RecordedLists, type RecordedRow } from './recorded-chain.ts';

/**
 * The tables of the lists, filled with records. Each body is the record as stored; the other columns are those that the
 * lists filter and sort by. If a record does not contain the sort value of its node, its place in the list replaces it.
 */
export function recordedTables(lists: RecordedLists): readonly DemoTable[] {
  const table = (name: string, columns: readonly string[], rows: () => TableRowValues): DemoTable => ({
    name,
    columns: ['place INTEGER', ...columns],
    primaryKey: 'place',
    indices: [],
    rows,
  });
  return [
    table('network_parameters', ['key TEXT', 'body TEXT'], () =>
      lists.records('parameters').map(({ members, body }, place) => [place, memberTextOrEmpty(members, 'key'), body]),
    ),
    table('assets', ['id TEXT', 'body TEXT'], () => rowsById(lists.records('assets'))),
    table('nodes', ['id TEXT', 'body TEXT'], () => rowsById(lists.records('validators'))),
    table('markets', ['id TEXT', 'vega_us INTEGER', 'state TEXT', 'body TEXT'], () =>
      lists
        .records('markets')
        .map(({ members, body }, place) => [
          place,
          memberTextOrEmpty(members, 'id'),
          place,
          memberTextOrEmpty(members, 'state'),
          body,
        ]),
    ),
    table('oracle_specs', ['id TEXT', 'vega_us INTEGER', 'body TEXT'], () => specRows(lists.records('oracles'))),
    table(
      'signer_bundles',
      ['id TEXT', 'vega_us INTEGER', 'node_id TEXT', 'submitter TEXT', 'epoch_seq INTEGER', 'body TEXT'],
      () => bundleRows(lists),
    ),
    table('liquidity_provisions', PROVISION_COLUMNS, () => provisionRows(lists.records('provisions'))),
    table(
      'liquidity_providers',
      ['epoch INTEGER', 'market_id TEXT', 'party_id TEXT', 'ordinality INTEGER', 'body TEXT'],
      () =>
        lists
          .records('providers')
          .map(({ members, body }, place) => [
            ...[place, 0, memberTextOrEmpty(members, 'marketId'), memberTextOrEmpty(members, 'partyId'), place],
            body,
          ]),
    ),
    table(
      'paid_liquidity_fees',
      ['market_id TEXT', 'asset_id TEXT', 'epoch_seq INTEGER', 'fees_paid_per_party TEXT', 'body TEXT'],
      () =>
        lists
          .records('fees')
          .map(({ members, body, scope }, place) => [
            ...[place, memberTextOrEmpty(members, 'market'), memberTextOrEmpty(members, 'asset'), Number(scope)],
            ...[JSON.stringify(members.get('feesPaidPerParty') ?? []), body],
          ]),
    ),
  ];
}

const rowsById = (records: readonly RecordedRow[]): TableRowValues =>
  records.map(({ members, body }, place) => [place, memberTextOrEmpty(members, 'id'), body]);

/** A spec whose definition was lost has no id: it stays behind the one it was listed after. */
function* specRows(records: readonly RecordedRow[]): TableRowValues {
  let before = '';
  for (const [place, { members, body }] of records.entries()) {
    const spec = objectMembers(objectMembers(members.get('externalDataSourceSpec')).get('spec'));
    const own = memberTextOrEmpty(spec, 'id');
    before = own === '' ? `${before}~` : own;
    yield [place, before, 0, body];
  }
}

function* bundleRows(lists: RecordedLists): TableRowValues {
  const nodes = new Map(
    lists
      .records('validators')
      .map(({ members }) => [
        memberTextOrEmpty(members, 'ethereumAddress').toLowerCase(),
        memberTextOrEmpty(members, 'id'),
      ]),
  );
  for (const [place, { members, body }] of lists.records('bundles').entries()) {
    const removed = memberTextOrEmpty(members, 'oldSigner').toLowerCase();
    const epoch = memberTextOrEmpty(members, 'epochSeq');
    yield [
      ...[place, sortableNumber(place), microseconds(memberTextOrEmpty(members, 'timestamp'))],
      ...[nodes.get(removed) ?? removed, memberTextOrEmpty(members, 'submitter').toLowerCase()],
      ...[/^\d{1,15}$/.test(epoch) ? Number(epoch) : -1, body],
    ];
  }
}

const PROVISION_COLUMNS = [
  ...['id TEXT', 'vega_us INTEGER', 'height INTEGER', 'next_height INTEGER', 'market_id TEXT', 'party_id TEXT'],
  ...['reference TEXT', 'status TEXT', 'body TEXT'],
];

/** In the order of each market. Rows of a party on several markets are sorted by when they were last updated. */
function* provisionRows(records: readonly RecordedRow[]): TableRowValues {
  let market = '';
  let latestUs = 0;
  for (const [place, { members, scope, body }] of records.entries()) {
    const [current, pending] = [objectMembers(members.get('current')), objectMembers(members.get('pending'))];
    const newest = [pending, current].find(({ size }) => size > 0) ?? members;
    latestUs = Math.max(scope === market ? latestUs : 0, microseconds(memberTextOrEmpty(newest, 'updatedAt')));
    market = scope;
    yield [
      ...[
        place,
        sortableNumber(place),
        latestUs,
        0,
        null,
        memberTextOrEmpty(newest, 'marketId'),
        memberTextOrEmpty(newest, 'partyId'),
      ],
      // Every recorded row is alive.
      ...[memberTextOrEmpty(newest, 'reference'), 'STATUS_ACTIVE', body],
    ];
  }
}

/** Sorts as text like the number. */
const sortableNumber = (place: number): string => String(place).padStart(9, '0');

/** Of a time in Unix nanoseconds; 0 for another text. */
const microseconds = (timeNs: string): number => (/^\d{4,19}$/.test(timeNs) ? Number(timeNs.slice(0, -3)) : 0);
