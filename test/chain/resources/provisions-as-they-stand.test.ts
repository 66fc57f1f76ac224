import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { JsonObject } from '../../../src/chain/api/json.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { shortText } from '../../../src/chain/insight/kind.ts';
import { qualifyText, valueInContext } from '../../../src/chain/resources/columns.ts';
import { fetchPage } from '../../../src/chain/resources/fetch-page.ts';
import type { FilterValues } from '../../../src/chain/resources/filter.ts';
import { liquidityProvisions, normalizeProvision } from '../../../src/chain/resources/liquidity-provisions.ts';
import type { Row } from '../../../src/chain/resources/resource.ts';
import { listening } from '../../support/loopback.ts';

const version = (id: string, commitmentAmount: string, members: JsonObject = {}): JsonObject => ({
  ...{ id, marketId: '0a', partyId: `${id}ff`, commitmentAmount, fee: '0.0025', reference: '', buys: [], sells: [] },
  ...{ version: '2', status: 'STATUS_ACTIVE', createdAt: '1', updatedAt: '1700000000000000000', ...members },
});
const waiting = (commitmentAmount: string) => ({ status: 'STATUS_PENDING', version: '3', commitmentAmount });

const STAYS = { current: version('01', '600') };
const LEAVES = { current: version('02', '300'), pending: version('02', '', waiting('0')) };
const GROWS = { current: version('03', '100'), pending: version('03', '', waiting('150')) };
const ENTERS = { current: version('04', '500', { status: 'STATUS_PENDING', version: '1' }) };
const ROWS: readonly Row[] = [STAYS, LEAVES, GROWS, ENTERS].map(normalizeProvision);

const ON_MARKET: FilterValues = { marketId: ['0a'], live: ['true'] };

/** What the cells of a column show. */
function cells(id: string, filters: FilterValues = ON_MARKET, isWhole = true, sent = ROWS): readonly string[] {
  const rows = sent.map(normalizeProvision);
  const column = liquidityProvisions.columns.find(candidate => candidate.id === id);
  if (column === undefined) throw new Error(`no column ${id}`);
  return rows.map(row => {
    const value = valueInContext(column, row, { rows, filters, isWhole });
    return qualifyText(column, { row, rows }, shortText(column.kind, value, 1_700_000_000_000));
  });
}

describe('Provision record', () => {
  it.each<readonly [string, Row, Row]>([
    ['the current version with what is pending', LEAVES, { ...LEAVES.current, pending: LEAVES.pending }],
    ['and null if nothing is', STAYS, { ...STAYS.current, pending: null }],
    ['null in place of nothing', { ...STAYS, pending: null }, { ...STAYS.current, pending: null }],
    ['with what else the node sent', { ...STAYS, more: 1 }, { more: 1, ...STAYS.current, pending: null }],
    [
      'the pending version if it is alone',
      { current: null, pending: STAYS.current },
      { ...STAYS.current, pending: null },
    ],
    ['a single version as it came: what is pending is not said', STAYS.current, STAYS.current],
  ])('The provision record is flat: %s', (_, sent, flat) => {
    expect(normalizeProvision(sent)).toEqual(flat);
    expect(normalizeProvision(flat)).toEqual(flat);
  });
});

describe('Provision row', () => {
  it('The provision row shows what applies now and from the next epoch', () => {
    expect(cells('status')).toEqual(['ACTIVE', 'ACTIVE -> 0', 'ACTIVE -> +50 %', 'PENDING (new)']);
    expect(cells('commitment')).toEqual(['600', '300', '100', '500']);
    expect(cells('pending-commitment')).toEqual(['', '0', '150', '']);
    expect(cells('fee')).toEqual(['0.25 %', '0.25 %', '0.25 %', '0.25 %']);
    expect(cells('id')).toEqual(['01', '02', '03', '04']);
  });

  it('The provision row has the pending version if a node lists nothing else', () => {
    const alone = [{ current: null, pending: version('07', '', waiting('150')) }];
    expect(['id', 'status', 'commitment'].map(id => cells(id, ON_MARKET, true, alone)[0])).toEqual([
      '07',
      'PENDING',
      '150',
    ]);
  });

  it('The provision row shows its market share if the whole market is loaded, and nothing otherwise', () => {
    expect(cells('share')).toEqual(['60.0 %', '30.0 %', '10.0 %', '-']);
    const none = ['-', '-', '-', '-'];
    expect(cells('share', ON_MARKET, false)).toEqual(none);
    expect(cells('share', { partyId: ['0b'], live: ['true'] })).toEqual(none);
    expect(cells('share', { ...ON_MARKET, partyId: ['0b'] })).toEqual(none);
    expect(cells('share', { marketId: ['0a'] })).toEqual(none);
    for (const row of [version('06', '1', { marketId: '0b' }), version('06', '1', { status: '' }), STAYS])
      expect(cells('share', ON_MARKET, true, [...ROWS, row])).toEqual([...none, '-']);
    expect(cells('share', ON_MARKET, true, [...ROWS, version('05', '1', { status: 'STATUS_PENDING' })])).toEqual([
      ...none,
      '-',
    ]);
  });

  it('The provision rows show the share of others while a new one is amended before its first epoch', () => {
    const fresh = { status: 'STATUS_PENDING', createdAt: '1699999000000000000' };
    const rows = [...ROWS, { current: version('05', '900', fresh) }];
    expect(cells('share', ON_MARKET, true, rows)).toEqual(['60.0 %', '30.0 %', '10.0 %', '-', '-']);
    expect(cells('status', ON_MARKET, true, rows).at(-1)).toBe('PENDING (new)');
    // By itself, from the list that hides what is in force, it may be an amendment.
    expect(cells('share', ON_MARKET, true, [...ROWS, version('05', '900', fresh)])[0]).toBe('-');
  });

  it('The provision row does not call a pending change superseded because of a fee-only amendment', () => {
    const versions = [
      version('01', '600', { version: '3', fee: '0.001', updatedAt: '3' }),
      version('01', '900', { version: '3', status: 'STATUS_PENDING', updatedAt: '2' }),
      version('01', '600', { version: '2', updatedAt: '1' }),
    ];
    expect(cells('status', { marketId: ['0a'] }, true, versions)).toEqual(['ACTIVE', 'PENDING', 'was ACTIVE (now 3)']);
    const applied = version('01', '900', { version: '3', updatedAt: '4' });
    expect(cells('status', { marketId: ['0a'] }, true, [applied, ...versions]).slice(0, 3)).toEqual([
      'ACTIVE',
      'was ACTIVE',
      'was PENDING',
    ]);
  });

  it('The provision row of every version shows which version superseded it', () => {
    const versions = [
      version('01', '3', { version: '3', updatedAt: '3' }),
      version('01', '2', { version: '2', updatedAt: '2' }),
      version('02', '1', { version: '1' }),
    ];
    expect(cells('status', { marketId: ['0a'] }, true, versions)).toEqual(['ACTIVE', 'was ACTIVE (now 3)', 'ACTIVE']);
  });
});

/** A node that has the list of what stands, or has it not in one of the ways that nodes have; it keeps what it was asked. */
async function node(has: 'it' | 404 | 501) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://n');
    asked.push(pathname.replace('/api/v2/liquidity/', ''));
    if (!searchParams.has('marketId')) {
      const inner = 'partyID: , marketID: , reference: : market or party filters are required';
      response.writeHead(500);
      response.end(
        JSON.stringify({ code: 13, message: 'Internal error', details: [{ code: 280001, message: 'failed', inner }] }),
      );
    } else if (pathname.endsWith('all-provisions') && has !== 'it') {
      response.writeHead(has).end('{"code":5,"message":"Not Found","details":[]}');
    } else {
      const edges = [{ node: pathname.endsWith('all-provisions') ? LEAVES : LEAVES.pending, cursor: 'c' }];
      response.end(JSON.stringify({ liquidityProvisions: { edges, pageInfo: {} } }));
    }
  });
  const { url, [Symbol.asyncDispose]: dispose } = await listening(server);
  const client = createClient({ base: baseAddress(url) });
  const page = (filters: FilterValues) =>
    fetchPage(client, liquidityProvisions, { filters, size: 5, newestFirst: true, position: { kind: 'first' } });
  return { asked, page, [Symbol.asyncDispose]: dispose };
}

describe('List of provisions', () => {
  it('The list of provisions has current and pending versions, or all versions on request', async () => {
    await using one = await node('it');
    const { page, note } = await one.page(ON_MARKET);
    expect(page.rows).toEqual([{ ...LEAVES.current, pending: LEAVES.pending }]);
    expect([page.path, note]).toEqual(['api/v2/liquidity/all-provisions', undefined]);
    await one.page({ marketId: ['0a'] });
    await one.page({ marketId: ['0a'], live: ['false'] });
    expect(one.asked).toEqual(['all-provisions', 'provisions', 'provisions']);
  });

  it.each([404, 501] as const)(
    'The list of provisions is the older one if a node answers %i, found out and reported once',
    async status => {
      await using one = await node(status);
      const first = await one.page(ON_MARKET);
      expect([first.page.rows, first.page.path]).toEqual([[LEAVES.pending], 'api/v2/liquidity/provisions']);
      expect(first.note).toContain('only the pending version');
      expect((await one.page(ON_MARKET)).note).toBe(undefined);
      expect(one.asked).toEqual(['all-provisions', 'provisions', 'provisions']);
    },
  );

  it('The list of provisions asks for a missing filter that the node requires, on either list, and says which', async () => {
    await using one = await node('it');
    const refused = await one.page({ live: ['true'] }).catch((error: unknown) => error);
    expect(refused instanceof RefusedError && liquidityProvisions.demandsFilters?.(refused.fault)).toContain(
      'Choose one',
    );
    expect(one.asked).toEqual(['all-provisions']);
  });
});
