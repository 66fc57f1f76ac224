import type { Client } from '../api/client.ts';
import { isNotServed, UndecodableError } from '../api/errors.ts';
import { type Boundaries, boundariesOf } from './boundaries.ts';
import { judgeSegments } from './history.ts';
import { SEGMENTS_REQUEST, segmentsFlaw } from './segment.ts';

/** Segments where the node lists them; the rule of 1000 where it has no such operation. */
export async function fetchBoundaries(
  client: Pick<Client, 'get'>,
  signal?: AbortSignal,
): Promise<{ readonly boundaries: Boundaries; readonly hint: string | null }> {
  try {
    const reply = await client.get(SEGMENTS_REQUEST, signal);
    const history = judgeSegments(reply);
    const flaw = segmentsFlaw(reply.json);
    if (flaw !== undefined && history?.segments.length === 0)
      throw new UndecodableError(flaw, {
        url: SEGMENTS_REQUEST.path,
        hint: 'this node may be of another version',
      });
    if (history !== undefined)
      return {
        boundaries: boundariesOf(history),
        hint: flaw ?? (history.segments.length === 0 ? 'this node keeps no history' : null),
      };
    return {
      boundaries: { kind: 'rule' },
      hint: 'the node lists no segments: using the rule of 1000 blocks',
    };
  } catch (error) {
    if (isNotServed(error)) {
      return {
        boundaries: { kind: 'rule' },
        hint: 'this node does not list its segments: using the rule of 1000 blocks',
      };
    }
    throw error;
  }
}
