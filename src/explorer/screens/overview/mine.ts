import { NO_CHAIN_NAME } from '../../../directory/chain-state.ts';
import { MINE_WORDS } from '../../../directory/mine.ts';
import type { FactLead } from '../../../overview/facts/fact.ts';
import { NOT_ANSWERED, notKnown } from '../../../overview/facts/fact.ts';
import type { MineLine } from '../../../overview/mine.ts';
import { shortName } from '../../../text/short-name.ts';
import type { LineId, OverviewState } from './state.ts';

/** A line of what is the user's. */
export interface OwnLine {
  readonly id: LineId;
  /** What it is: `validator Ashgrove`. */
  readonly title: string;
  readonly sentence: string;
  readonly isKnown: boolean;
  /** When that was answered; null if it was not. */
  readonly atMs: number | null;
  readonly about: Pick<MineLine, 'entity' | 'id'>;
  readonly lead: FactLead;
}

const NOTHING_YET = 'nothing yet: M on any party, validator or market marks it as yours';

/** Where nothing is known to be the user's: what is, is stored by chain. */
export function noOwnText({ mine, overview }: OverviewState, room: number): string {
  if (mine !== undefined) return NOTHING_YET.length <= room ? NOTHING_YET : 'nothing yet: M marks an id as yours';
  const { node } = overview ?? { node: undefined };
  const isNameless = node?.kind === 'unread' || (node?.kind === 'read' && node.value.chainId === null);
  return isNameless ? notKnown(NO_CHAIN_NAME) : NOT_ANSWERED;
}

export const ownLines = ({ overview }: OverviewState): readonly OwnLine[] => (overview?.mine ?? []).map(ownLine);

function ownLine(line: MineLine): OwnLine {
  const { entity, id, name, facts, unread, atMs } = line;
  const said = [...facts.map(({ sentence }) => sentence), ...unread];
  return {
    id: `mine ${entity} ${id}`,
    title: `${MINE_WORDS[entity]} ${name ?? shortId(id)}`,
    sentence: said.length === 0 ? NOT_ANSWERED : said.join(', '),
    isKnown: facts.length > 0,
    atMs,
    about: { entity, id },
    lead: ownLead(line),
  };
}

const shortId = (id: string): string => shortName(id).replace(/^((?:0x)?.{4}).{4,}(.{4})$/, '$1..$2');

function ownLead({ entity, id }: MineLine): FactLead {
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
