import { isId } from '../../../base/text/ids.ts';
import { type Directory, ownIds } from '../../../chain/directory/directory.ts';

/** The party that is meant: its id, or the user's own name for it. */
export function parseParty({ directory }: { readonly directory: Directory }, typed: string): string | undefined {
  const word = typed.trim();
  const [called] = [...directory.aliases].find(([, name]) => name === word.replace(/^@/, '')) ?? [];
  const party = called ?? word.toLowerCase().replace(/^0x/, '');
  return isId(party) ? party : undefined;
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
