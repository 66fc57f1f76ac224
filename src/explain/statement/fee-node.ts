import type { Client } from '../../api/client.ts';
import { UndecodableError } from '../../api/errors.ts';
import { requestUrl } from '../../api/request.ts';
import { fetchPage } from '../../resources/fetch-page.ts';
import { pageRequest } from '../../resources/page-request.ts';
import type { FeeNode } from './fee-question.ts';

/** A node as a statement asks it: a page with anything about it that cannot be read is none, since a sum would be wrong. */
export function feeNode(client: Client, signal: AbortSignal, onSend: () => void): FeeNode {
  const told: Client = { ...client, get: (request, given) => client.get(request, given, { onSend }) };
  return {
    get: async request => (await told.get(request, signal)).json,
    page: async (resource, request) => {
      const { page } = await fetchPage(told, resource, request, signal);
      if (page.flaws.length === 0) return page;
      throw new UndecodableError(page.flaws.join('; '), {
        url: requestUrl(client.base, pageRequest(resource, request)),
        hint: 'nothing was added up: try again, or another node',
      });
    },
  };
}
