import type { Json } from '../api/json.ts';
import { type Page, readPage } from '../api/page.ts';
import type { ReplyHeaders } from '../api/reply.ts';
import type { NodeRequest } from '../api/request.ts';
import type { Directory } from '../directory/directory.ts';
import type { Link } from '../resources/links.ts';

/** Something the value is. Text may come from the chain: sanitise it before drawing. */
export interface Role {
  /** `market`, `signer of an oracle spec`. */
  readonly role: string;
  readonly text: string;
  /** Its link target. */
  readonly lead?: Link;
  /** The value is a part of something else, which comes after what the value is itself. */
  readonly isUse?: true;
}

export interface LookUpResult {
  readonly roles: readonly Role[];
  /** The sentence if it has no role here: `not among the 46 oracle specs listed`; '' for none. */
  readonly otherwise: string;
  /** Data that could not be read, if it has no role in the rest: then it may still have one. */
  readonly unread?: string;
}

/** One request to the node and how to read its answer; reading never throws, whatever the JSON. */
export interface LookUp {
  /** `oracle specs`. */
  readonly where: string;
  readonly request: NodeRequest;
  /** The sentence for a refusal that only means the record does not exist, if a single record is requested. */
  readonly missing?: string;
  readonly read: (answer: Json, directory: Directory, facts: ReplyHeaders) => LookUpResult;
  /** What to ask in its place of a data node without a core. */
  readonly ifCoreless?: readonly LookUp[];
  /** What to ask as well if it cannot be read. */
  readonly ifUnread?: readonly LookUp[];
  /** What to ask in its place if it finds nothing. */
  readonly ifNothing?: LookUp;
}

/** As many as fit on one page. */
export const MAX_ROWS = 1000;

/** The most roles of one kind to list. */
const MAX_ROLES = 10;

/** How to read a list, and what to call it. */
interface ListRequest {
  readonly wrapper: string;
  readonly name: string;
  /** The sentence for an empty filtered list. */
  readonly empty?: string;
  /** The words before `the 46 oracle specs listed` if nothing matches; `not among` if not given. */
  readonly noneOf?: string | undefined;
}

/** Reads a page of a list, and reports how much of the list was checked. */
export function readListAnswer(
  answer: Json,
  list: ListRequest,
  roles: (records: Page['records'], isCut: boolean) => readonly Role[],
): LookUpResult {
  const { wrapper, name, empty, noneOf = 'not among' } = list;
  const page = readPage(answer, wrapper);
  if (page === undefined) return { roles: [], otherwise: '', unread: `${name}: the answer has no list` };
  const { records, hasNextPage, flaws } = page;
  const found = fewRoles(roles(records, hasNextPage));
  if (flaws.length > 0) return { roles: found, otherwise: '', unread: `${name}: ${flaws.join('; ')}` };
  const all = hasNextPage ? `the first ${records.length} ${name}` : `the ${records.length} ${name} listed`;
  return { roles: found, otherwise: empty ?? `${noneOf} ${all}` };
}

/** The first of each kind, and how many more there are. */
function fewRoles(roles: readonly Role[]): readonly Role[] {
  return [...Map.groupBy(roles, ({ role }) => role)].flatMap(([role, same]) =>
    same.length <= MAX_ROLES
      ? same
      : [
          ...same.slice(0, MAX_ROLES),
          { role, text: `and ${same.length - MAX_ROLES} more`, ...(same[0]?.isUse === true && { isUse: true }) },
        ],
  );
}
