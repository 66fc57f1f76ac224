import { NOT_ANSWERED, notKnownText } from '../../../attention/overview/facts/fact.ts';
import { createOwnFact, type OwnFact } from '../../../attention/overview/facts/mine.ts';
import { NO_CHAIN_NAME } from '../../../chain/directory/chain-state.ts';
import type { OverviewState } from './state.ts';

const NOTHING_YET = 'nothing yet: M on any party, validator or market marks it as yours';

/** If none of the user's own records are known: they are stored by chain. */
export function noOwnReason({ mine, overview }: OverviewState, room: number): string {
  if (mine !== undefined) return NOTHING_YET.length <= room ? NOTHING_YET : 'nothing yet: M marks an id as yours';
  const { node } = overview ?? { node: undefined };
  const isNameless = node?.kind === 'unread' || (node?.kind === 'read' && node.value.chainId === null);
  return isNameless ? notKnownText(NO_CHAIN_NAME) : NOT_ANSWERED;
}

export const ownLines = ({ overview }: OverviewState): readonly OwnFact[] => (overview?.mine ?? []).map(createOwnFact);
