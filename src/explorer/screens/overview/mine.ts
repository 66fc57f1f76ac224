import { MINE_WORDS } from '../../../directory/mine.ts';
import type { MineLine } from '../../../overview/mine.ts';
import { NOT_ANSWERED } from '../../../overview/sentences.ts';
import { shortName } from '../../../text/short-name.ts';
import type { LineTarget } from './lines.ts';
import type { LineId, OverviewState } from './state.ts';

/** A line of what is the user's. */
export interface OwnLine {
  readonly id: LineId;
  /** What it is: `validator Ashgrove`. */
  readonly title: string;
  readonly sentence: string;
  readonly isKnown: boolean;
  readonly about: Pick<MineLine, 'entity' | 'id'>;
  readonly target: LineTarget;
}

/** Where nothing is the user's yet. */
export const NOTHING_YET = 'nothing yet: M on any party, validator or market marks it as yours';

export const ownLines = ({ overview }: OverviewState): readonly OwnLine[] => (overview?.mine ?? []).map(ownLine);

function ownLine(line: MineLine): OwnLine {
  const { entity, id, name, facts, unread } = line;
  const said = [...facts.map(({ sentence }) => sentence), ...unread];
  return {
    id: `mine ${entity} ${id}`,
    title: `${MINE_WORDS[entity]} ${name ?? shortId(id)}`,
    sentence: said.length === 0 ? NOT_ANSWERED : said.join(', '),
    isKnown: facts.length > 0,
    about: { entity, id },
    target: ownTarget(line),
  };
}

const shortId = (id: string): string => shortName(id).replace(/^((?:0x)?.{4}).{4,}(.{4})$/, '$1..$2');

function ownTarget({ entity, id }: MineLine): LineTarget {
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
