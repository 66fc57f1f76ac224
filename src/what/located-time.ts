import type { Client } from '../api/client.ts';
import { locate } from '../export/range/locate.ts';
import { PlaceError } from '../export/range/named-range.ts';
import type { Role } from './look-up.ts';

interface LocatedTime {
  readonly role?: Role;
  readonly problem?: string;
  readonly requests: number;
}

/** The block at a time, found by searching the epochs, in at most `most` requests. */
export async function locatedTime(
  timeMs: number,
  most: number,
  { client, signal }: { readonly client: Pick<Client, 'get'>; readonly signal: AbortSignal },
): Promise<LocatedTime> {
  let requests = 0;
  const counting: Pick<Client, 'get'> = {
    get: (request, given) => {
      if (requests === most) throw new PlaceError(`its block was not found within ${most} requests`);
      requests++;
      return client.get(request, given, { isOnce: true });
    },
  };
  const written = new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
  try {
    const { note } = await locate(counting, written, 'from', signal);
    const lead = /epoch (\d+)$/.exec(note)?.[1];
    const role = {
      role: 'time of the chain',
      text: note,
      ...(lead && { lead: { entity: 'epoch', id: lead } as const }),
    };
    return { role, requests };
  } catch (error) {
    if (!(error instanceof PlaceError)) throw error;
    return { problem: error.message, requests };
  }
}
