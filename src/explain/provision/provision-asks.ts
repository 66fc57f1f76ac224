import { readPage } from '../../api/page.ts';
import type { NodeRequest } from '../../api/request.ts';
import { areOfMarket, type ProvisionRow, readProvision, type Version } from '../../resources/provision-row.ts';
import type { Ask } from '../explanation.ts';

/** All live provisions of a market; undefined if they cannot be loaded completely. */
export async function marketProvisions(ask: Ask, marketId: string): Promise<readonly ProvisionRow[] | undefined> {
  const query = { marketId, live: 'true' };
  const answer = (await ask(listOf('all-provisions', query))) ?? (await ask(listOf('provisions', query)));
  const rows = answer === undefined ? undefined : wholeList(answer);
  return rows !== undefined && areOfMarket(rows, marketId) ? rows : undefined;
}

/** Every version of a provision, latest first; undefined if they cannot be loaded completely. */
export async function versionsOf(
  ask: Ask,
  { id, marketId, partyId }: Version,
): Promise<readonly Version[] | undefined> {
  const answer = await ask(listOf('provisions', { marketId, partyId }));
  const rows = answer === undefined ? undefined : wholeList(answer);
  return rows?.map(({ current }) => current).filter(version => version.id === id);
}

function listOf(name: string, filters: { readonly [name: string]: string }): NodeRequest {
  return {
    path: `api/v2/liquidity/${name}`,
    query: [...Object.entries(filters), ['pagination.first', '5000']],
  };
}

type Answer = Parameters<typeof readPage>[0];

function wholeList(answer: Answer): readonly ProvisionRow[] | undefined {
  const page = readPage(answer, 'liquidityProvisions');
  if (page === undefined || page.hasNextPage || page.flaws.length > 0) return undefined;
  return page.records.map(readProvision);
}
