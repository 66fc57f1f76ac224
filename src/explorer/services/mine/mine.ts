import { sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { type Directory, plainNameOf } from '../../../chain/directory/directory.ts';
import { MINE_WORDS, type Mine, type MineEntity } from '../../../chain/directory/mine.ts';
import type { WorldEffect } from '../effect.ts';
import { errorMessage } from '../failure.ts';
import type { NodeState } from '../node/node.ts';

/** An id that becomes the user's, or is no longer. */
export interface MarkedId {
  readonly entity: MineEntity;
  readonly id: string;
  readonly isMine: boolean;
}

/** `party abc`, by its name where it has one. */
export const markedIdText = ({ entity, id }: Pick<MarkedId, 'entity' | 'id'>, directory: Directory): string =>
  `${MINE_WORDS[entity]} ${plainNameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), SHORT_ID)}`;

const SHORT_ID = 12;

/** The state of the file with the user's own records. */
export interface MineState {
  /** The chain it was read for; null before that, and when it is to be read again. */
  readonly readFor: string | null;
  /** The problem with the file at that time. */
  readonly problem: string | null;
  /** The change being written. */
  readonly saving: (MarkedId & { readonly requestId: number; readonly chainId: string }) | null;
}

export const MINE_NOT_READ_YET: MineState = { readFor: null, problem: null, saving: null };

/** The user's own records on a chain, and the problem with the file. */
interface ReadMineOnChain {
  readonly mine: Mine;
  readonly problem: string | null;
}

export interface MineRead extends ReadMineOnChain {
  readonly type: 'mine-read';
  readonly chainId: string;
}

export type MineEvent =
  | MineRead
  | { readonly type: 'mine-saved'; readonly requestId: number; readonly mine: Mine }
  | { readonly type: 'mine-not-saved'; readonly requestId: number; readonly problem: string };

/** Its requirements from the world. */
export interface MineWorld {
  readonly readMine: (chainId: string) => Promise<ReadMineOnChain>;
  /** Writes a change, and resolves with the user's own records after it. Throws if it cannot be written. */
  readonly saveMine: (chainId: string, change: MarkedId) => Promise<Mine>;
}

/**
 * The file is read for each chain as soon as the chain is known, and again whenever a list or the overview is read: its
 * content is dropped with the chain. A change is always written.
 */
export function mineEffects(
  { readFor, saving }: MineState,
  { status, chainId }: NodeState,
): readonly WorldEffect<MineWorld, MineEvent>[] {
  const isKnown = status === 'ready' && chainId !== null && chainId !== '';
  return [
    ...(isKnown && readFor !== chainId ? [readEffect(chainId)] : []),
    ...(saving === null ? [] : [saveEffect(saving)]),
  ];
}

const readEffect = (chainId: string): WorldEffect<MineWorld, MineEvent> => ({
  key: `mine of ${chainId}`,
  run: async world => [{ type: 'mine-read', chainId, ...(await world.readMine(chainId)) }],
  failed: () => [],
});

const saveEffect = ({
  requestId,
  chainId,
  ...change
}: NonNullable<MineState['saving']>): WorldEffect<MineWorld, MineEvent> => ({
  key: `mine ${requestId}`,
  run: async world => [{ type: 'mine-saved', requestId, mine: await world.saveMine(chainId, change) }],
  failed: error => [{ type: 'mine-not-saved', requestId, problem: errorMessage(error) }],
  mustFinish: true,
});
