import type { Json } from '../api/json.ts';
import { type Page, readPage } from '../api/page.ts';
import type { NodeRequest } from '../api/request.ts';
import type { Directory } from '../directory/directory.ts';
import type { Lead } from '../resources/leads.ts';

/** Something that the value is. Text may hold words of the chain: sanitise it before drawing. */
export interface Role {
  /** `market`, `signer of an oracle spec`. */
  readonly role: string;
  readonly text: string;
  /** What one can go to from it. */
  readonly lead?: Lead;
}

export interface WhatFound {
  readonly roles: readonly Role[];
  /** What is to be said when it has no role here: `not among the 46 oracle specs listed`. */
  readonly otherwise: string;
}

/** One question to the node, and what its answer says; whatever JSON that is, reading it throws nothing. */
export interface LookUp {
  /** `oracle specs`. */
  readonly where: string;
  readonly request: NodeRequest;
  /** What a refusal says that only means that there is no such thing. */
  readonly missing?: string;
  readonly read: (answer: Json, directory: Directory) => WhatFound;
}

/** As many as one page has; so many are never looked at by eye. */
export const MOST_ROWS = 1000;

/** Roles of one sort that are told one by one. */
const MOST_ROLES = 10;

/** How a list is asked for, and what to call it. */
export interface ListAsked {
  readonly wrapper: string;
  readonly name: string;
  /** What an empty list says that was narrowed to the value. */
  readonly empty?: string;
}

/** Reads a page of a list: what its records say, and how much of the list they are. */
export function inList(
  answer: Json,
  asked: ListAsked,
  roles: (records: Page['records'], isCut: boolean) => readonly Role[],
): WhatFound {
  const { wrapper, name, empty } = asked;
  const page = readPage(answer, wrapper);
  if (page === undefined) return { roles: [], otherwise: `the answer for ${name} holds no list` };
  const { records, hasNextPage, flaws } = page;
  const all = hasNextPage ? `the first ${records.length} ${name}` : `the ${records.length} ${name} listed`;
  const listed = empty ?? `not among ${all}`;
  return {
    roles: fewRoles(roles(records, hasNextPage)),
    otherwise: flaws.length === 0 ? listed : `${listed} (${flaws.join('; ')})`,
  };
}

/** The first of each sort, and how many more there are. */
function fewRoles(roles: readonly Role[]): readonly Role[] {
  return [...Map.groupBy(roles, ({ role }) => role)].flatMap(([role, same]) =>
    same.length <= MOST_ROLES
      ? same
      : [...same.slice(0, MOST_ROLES), { role, text: `and ${same.length - MOST_ROLES} more` }],
  );
}
