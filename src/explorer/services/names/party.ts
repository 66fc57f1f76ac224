import { isId } from '../../../base/text/ids.ts';
import { type Directory, ownIds } from '../../../chain/directory/directory.ts';
import { findIds } from '../../../chain/directory/find-ids.ts';

/** The party that is meant: by its id, the beginning of a known one, or a name; undefined for several. */
export function parseParty(
  { directory, seen }: { readonly directory: Directory; readonly seen?: { readonly party?: readonly string[] } },
  typed: string,
): string | undefined {
  const [party, ...others] = findIds(directory, 'party', typed, { isId, seen: seen?.party ?? [] });
  return others.length === 0 ? party : undefined;
}

/** The party that a field proposes: the one that was asked for last, or the first that is the user's. */
export function proposedParty({
  partyRequest,
  directory,
}: {
  readonly partyRequest: { readonly party: string };
  readonly directory: Directory;
}): string {
  return partyRequest.party || ([...ownIds(directory, 'party')][0] ?? '');
}

export const NO_PARTY_PROBLEM = 'type a party id (64 hexadecimal digits) or an alias';
