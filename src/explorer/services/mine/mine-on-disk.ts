import { changeMine, mineIdsOnChain, readMine } from '../../../base/settings/mine-file.ts';
import { MINE_LIST_NAMES, mineFromLists } from '../../../chain/directory/mine.ts';
import type { MineWorld } from './mine.ts';

/** The user's own records, in their file. Without a file there are none, and a change is refused. */
export const mineOnDisk = (path: string | undefined): MineWorld => ({
  readMine: async chainId => {
    const { chains, problem = null } = readMine(path);
    return { mine: mineFromLists(mineIdsOnChain(chains, chainId)), problem };
  },
  saveMine: async (chainId, { entity, id, isMine }) => {
    const { ids } = await changeMine(path, chainId, [{ list: MINE_LIST_NAMES[entity], id: id.toLowerCase(), isMine }]);
    return mineFromLists(ids);
  },
});
