import { namesOf } from '../../directory/directory.ts';
import type { Filter } from '../../resources/filter.ts';
import type { SessionState } from '../model/state.ts';
import { resourceOf } from './transitions.ts';

/** The field that a pasted id is for where that is another one than the one in focus, and why. */
export interface OtherField {
  /** How many fields on from the one in focus, behind the last one from the first on. */
  readonly steps: number;
  readonly why: string;
}

const ID = /^[0-9a-f]{64}$/i;

/**
 * What an id was seen or named as says which field it is for. Of one that nothing is known of nobody can say; in a bar
 * that opened by itself, where no field was chosen, it is taken for a party's: these are what has no names.
 */
export function fieldOfPasted(state: SessionState, text: string, isOffered: boolean): OtherField | undefined {
  const draft = state.browsers[state.tab]?.draft;
  const filters = resourceOf(state)?.filters ?? [];
  const focused = draft && filters[draft.field];
  const id = text.trim().toLowerCase();
  if (!draft || focused?.kind !== 'id' || !ID.test(id) || draft.texts[draft.field] !== '') return;
  const kinds = filters.filter(filter => isKnownAs(state, filter, id));
  const isFree = (field: number): boolean => draft.texts[field] === '';
  if (kinds.includes(focused)) return;
  const field = filters.findIndex((filter, place) => kinds.includes(filter) && isFree(place));
  const stepsTo = (place: number): number => (place - draft.field + filters.length) % filters.length;
  if (field >= 0) return { steps: stepsTo(field), why: `known here as ${filters[field]?.entity}: put into that field` };
  const party = filters.findIndex(({ entity }, place) => entity === 'party' && isFree(place));
  const isAnything = kinds.length > 0 || NAMED.some(entity => namesOf(state.directory, entity).has(id));
  if (!isOffered || isAnything || party < 0 || !haveNames(state, focused)) return;
  return { steps: stepsTo(party), why: `no ${focused.entity} known here has it: put where a party goes` };
}

function isKnownAs({ seen, directory }: SessionState, { kind, entity }: Filter, id: string): boolean {
  if (kind !== 'id' || entity === undefined) return false;
  return namesOf(directory, entity).has(id) || (seen[entity] ?? []).some(known => known.toLowerCase() === id);
}

/** What the chain names, and no party is. */
const NAMED = ['market', 'asset', 'node'] as const;

/** Whether what the field takes has names, and some are known. */
const haveNames = ({ directory }: SessionState, { entity }: Filter): boolean =>
  NAMED.some(named => named === entity && namesOf(directory, named).size > 0);
