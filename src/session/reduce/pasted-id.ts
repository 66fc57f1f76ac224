import type { Directory } from '../../directory/directory.ts';
import type { Filter } from '../../resources/filter.ts';
import type { SessionState } from '../model/state.ts';
import { resourceOf } from './transitions.ts';

const ID = /^[0-9a-f]{64}$/i;

/**
 * How many fields after the one that is typed into the pasted text is for: an id that is none of the markets known here is
 * for the first field after it that takes an id of whatever is not known by name.
 */
export function fieldsToPasted(state: SessionState, text: string): number {
  const draft = state.browsers[state.tab]?.draft;
  const filters = resourceOf(state)?.filters ?? [];
  if (!draft || !ID.test(text.trim())) return 0;
  const [first, ...others] = filters.slice(draft.field);
  if (first === undefined || !isForeign(first, state.directory, text.trim().toLowerCase())) return 0;
  return 1 + others.findIndex(({ kind, entity }) => kind === 'id' && entity === 'party');
}

function isForeign({ entity }: Filter, { markets, assets }: Directory, id: string): boolean {
  const known = entity === 'market' ? markets : entity === 'asset' ? assets : undefined;
  return known !== undefined && known.size > 0 && !known.has(id);
}
