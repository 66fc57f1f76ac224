import type { Entity } from './entity.ts';

/** Kinds of entities that can be the user's own. */
export const MINE_ENTITIES = ['party', 'submitter', 'node', 'market'] as const satisfies readonly Entity[];

export type MineEntity = (typeof MINE_ENTITIES)[number];

/** The user's own entities on one chain, by kind: ids in lower case. */
export type Mine = { readonly [entity in MineEntity]: ReadonlySet<string> };

export const NOTHING_MINE: Mine = { party: new Set(), submitter: new Set(), node: new Set(), market: new Set() };

/** The same from the lists of the file. */
export const mineFromLists = ({
  parties,
  submitters,
  validators,
  markets,
}: {
  readonly [list in (typeof MINE_LIST_NAMES)[MineEntity]]: readonly string[];
}): Mine => ({
  party: new Set(parties),
  submitter: new Set(submitters),
  node: new Set(validators),
  market: new Set(markets),
});

/** What an id of this kind is called in commands and messages. */
export const MINE_WORDS = { party: 'party', submitter: 'submitter', node: 'validator', market: 'market' } as const;

/** The list of the file that ids of this kind are in. */
export const MINE_LIST_NAMES = {
  party: 'parties',
  submitter: 'submitters',
  node: 'validators',
  market: 'markets',
} as const;

export const isMineEntity = (entity: Entity | undefined): entity is MineEntity =>
  MINE_ENTITIES.some(one => one === entity);

export const isSameMine = (one: Mine, other: Mine): boolean =>
  MINE_ENTITIES.every(entity => one[entity].symmetricDifference(other[entity]).size === 0);

export const isNothingMine = (mine: Mine): boolean => MINE_ENTITIES.every(entity => mine[entity].size === 0);
