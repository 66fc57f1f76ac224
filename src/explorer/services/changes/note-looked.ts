import { join } from 'node:path';
import { LOOKED_FILE, lookedAt } from '../../../diff/recent-changes.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { putFile } from '../../../disk/put-file.ts';

/** Notes that the overview of this chain is shown now. The chains looked at longest ago are forgotten. */
export async function noteLooked(folder: string, chainId: string, nowMs: number): Promise<void> {
  if (chainId.length > LONGEST_ID) return;
  const others = [...lookedAt(folder)].filter(([chain]) => chain !== chainId);
  const kept = [...others, [chainId, nowMs] as const].slice(-MOST_CHAINS);
  makeFolder(folder);
  await putFile(join(folder, LOOKED_FILE), `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

const LONGEST_ID = 200;
const MOST_CHAINS = 100;
