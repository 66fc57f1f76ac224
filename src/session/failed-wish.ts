import { NetworkError, NodeError, RefusedError, TimeoutError } from '../api/errors.ts';
import { messageOf, toFailure } from '../explorer/services/failure.ts';
import { resourceById } from '../resources/registry.ts';
import type { Fact } from './model/action.ts';
import type { Wish } from './wish.ts';

/** What is told of a wish that could not be fulfilled, and of the node by that. */
export const failedWish = (wish: Wish, error: unknown, atMs: number): readonly Fact[] => [
  ...failed(wish, error, atMs),
  // Behind the rest: until that is told the wish is still open, and would be started again.
  ...contactBy(error, atMs),
];

/** What an error says of the node, whatever was asked. */
export function contactBy(error: unknown, atMs: number): readonly Fact[] {
  if (error instanceof NetworkError || error instanceof TimeoutError) return [{ type: 'node-silent', atMs }];
  if (!(error instanceof NodeError)) return [];
  return [{ type: 'node-refused', atMs, isByNode: error instanceof RefusedError && isByNode(error) }];
}

// A proxy answers with 502 to 504 for a node that is gone.
const isByNode = ({ status }: RefusedError): boolean => status < 500 || status === 501;

function failed(wish: Wish, error: unknown, atMs: number): readonly Fact[] {
  switch (wish.kind) {
    case 'page': {
      const demand =
        error instanceof RefusedError ? resourceById(wish.resource)?.demandsFilters?.(error.fault) : undefined;
      return [
        {
          type: 'page-failed',
          ticket: wish.ticket,
          resource: wish.resource,
          failure: toFailure(error),
          demand: demand ?? null,
          atMs,
        },
      ];
    }
    case 'whole':
      return [{ type: 'whole-failed', ticket: wish.ticket, resource: wish.resource, problem: messageOf(error) }];
    case 'arrange':
      return [];
    case 'explain':
      return [{ type: 'not-explained', ticket: wish.ticket, resource: wish.resource, problem: messageOf(error) }];
    case 'timer':
      return [];
  }
}
