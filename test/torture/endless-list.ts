import { createServer } from 'node:http';
import { listening } from '../support/loopback.ts';

/** Rows of a page. */
const PAGE_ROWS = 50;
const GENEROUS = { 'ratelimit-limit': '1000000', 'ratelimit-remaining': '1000000' };

/** A node whose provisions never end. The first row of each page bears the number of the page, from 0. */
export async function startEndlessList() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.writeHead(200, { 'content-type': 'application/json', 'x-block-height': '4000', ...GENEROUS });
    response.end(/\/liquidity\/(?:all-)?provisions$/.test(pathname) ? pageText(pageNumber(searchParams)) : '{}');
  });
  return listening(server);
}

// A cursor is the number of its page; each page of the list begins where the one before it ended.
function pageNumber(query: URLSearchParams): number {
  const after = query.get('pagination.after');
  const before = query.get('pagination.before');
  if (after !== null) return Number(after) + 1;
  return before === null ? 0 : Number(before) - 1;
}

function pageText(page: number): string {
  const info = `"hasNextPage":true,"hasPreviousPage":${page > 0},"startCursor":"${page}","endCursor":"${page}"`;
  return `{"liquidityProvisions":{"edges":[${edge(page, 0)}${REST.replaceAll('PAGE', String(page))}],"pageInfo":{${info}}}}`;
}

function edge(page: number | string, row: number): string {
  const members = {
    id: row.toString(16).padStart(64, '0'),
    marketId: (row % 3).toString(16).padStart(64, '1'),
    partyId: (row % 7).toString(16).padStart(64, '2'),
    createdAt: '1799999000000000000',
    updatedAt: '1799999900000000000',
    commitmentAmount: '340282366920938463463374607431768211455',
    fee: '0.001',
    sells: [],
    buys: [],
    version: '1',
    status: 'STATUS_ACTIVE',
    reference: `${page}`,
  };
  return `{"node":${JSON.stringify(members)},"cursor":"${page}"}`;
}

const REST = Array.from({ length: PAGE_ROWS - 1 }, (_, row) => `,${edge('PAGE', row + 1)}`).join('');
