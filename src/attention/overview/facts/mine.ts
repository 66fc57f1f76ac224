import { shortenName } from '../../../base/text/shorten-name.ts';
import { MINE_WORDS } from '../../../chain/directory/mine.ts';
import type { MineLine } from '../mine.ts';
import { type Fact, type FactLead, NOT_ANSWERED } from './fact.ts';

/** The facts about one of the user's own entities. */
export interface OwnFact extends Fact {
  readonly about: Pick<MineLine, 'entity' | 'id'>;
  readonly json: () => object;
}

/** The label is the entity: `validator Ashgrove`. */
export function createOwnFact({ entity, id, name, facts, unread, atMs }: MineLine): OwnFact {
  const all = [...facts.map(({ sentence }) => sentence), ...unread];
  const parts = all.length === 0 ? [NOT_ANSWERED] : all;
  return {
    id: `mine ${entity} ${id}`,
    label: `${MINE_WORDS[entity]} ${name ?? shortId(id)}`,
    status: facts.length > 0 ? 'known' : all.length > 0 ? 'unknown' : 'waiting',
    ...{ atMs, parts, line: parts.join('; '), sentence: parts.join(', ') },
    lead: ownLead(entity, id),
    json: () => ({ kind: MINE_WORDS[entity], id, name, facts, unread }),
    about: { entity, id },
  };
}

const shortId = (id: string): string => shortenName(id).replace(/^((?:0x)?.{4}).{4,}(.{4})$/, '$1..$2');

function ownLead(entity: MineLine['entity'], id: string): FactLead {
  switch (entity) {
    case 'party':
      return { kind: 'list', goal: { kind: 'list', resource: 'provisions', filter: 'partyId', lead: { entity, id } } };
    case 'submitter':
      return { kind: 'list', goal: { kind: 'list', resource: 'bundles', filter: 'submitter', lead: { entity, id } } };
    case 'node':
      return { kind: 'record', resource: 'validators', key: id };
    case 'market':
      return { kind: 'record', resource: 'markets', key: id };
  }
}
