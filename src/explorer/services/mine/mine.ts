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

/** What is known of the file that says what is the user's. */
export interface MineState {
  /** The chain it was read for; null before that, and when it is to be read again. */
  readonly readFor: string | null;
  /** What was wrong with it then. */
  readonly problem: string | null;
  /** What is being written. */
  readonly saving: (MarkedId & { readonly requestId: number; readonly chainId: string }) | null;
}

export const MINE_UNREAD: MineState = { readFor: null, problem: null, saving: null };

/** What is the user's on a chain, and what is wrong with the file. */
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

/** What it needs of the world. */
export interface MineWorld {
  readonly readMine: (chainId: string) => Promise<ReadMineOnChain>;
  /** Writes a change, and resolves with what is the user's then. Throws if it cannot be written. */
  readonly saveMine: (chainId: string, change: MarkedId) => Promise<Mine>;
}

/**
 * The file is read for each chain as soon as one is heard of, and again when a list or the overview is: what it says is
 * forgotten with the chain. A change is written whatever happens meanwhile.
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
