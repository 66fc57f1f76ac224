import { NetworkError, NodeError, RefusedError, TimeoutError } from '../../../chain/api/errors.ts';
import type { NodeEvent } from './node.ts';

/** The events about the node that an error implies, whatever the request was. */
export function contactEvents(error: unknown, atMs: number): readonly NodeEvent[] {
  if (error instanceof NetworkError || error instanceof TimeoutError) return [{ type: 'node-silent', atMs }];
  if (!(error instanceof NodeError)) return [];
  return [{ type: 'node-refused', atMs, isByNode: error instanceof RefusedError && isByNode(error) }];
}

// A proxy answers with 502 to 504 for a node that is gone.
const isByNode = ({ status }: RefusedError): boolean => status < 500 || status === 501;
