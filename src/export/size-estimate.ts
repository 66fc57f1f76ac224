import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { groupDigits } from '../insight/decimal.ts';
import { byteCount } from '../text/byte-count.ts';
import { askedByName } from './archive-name.ts';
import type { ExportPlan } from './plan.ts';

/** Names that are looked at in a folder, which may have very many. */
const MOST_NAMES = 10_000;

/**
 * About how large an export will be, by the longest one of the same table and chain that lies in the folder; null
 * where none does. An older stretch of history can be busier or quieter: it is an estimate, and said to be one.
 */
export async function estimatedSize(folder: string, plan: ExportPlan): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  let best: { readonly name: string; readonly blocks: bigint } | undefined;
  for (const name of names.slice(0, MOST_NAMES)) {
    const asked = name.endsWith('.zip') && !name.endsWith('.incomplete.zip') ? askedByName(name) : undefined;
    if (asked === undefined || asked.table !== plan.table.id || asked.chainId !== plan.chainId) continue;
    const blocks = asked.toBlock - asked.fromBlock + 1n;
    if (best === undefined || blocks > best.blocks) best = { name, blocks };
  }
  if (best === undefined) return null;
  const found = await stat(join(folder, best.name)).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size === 0) return null;
  const blocks = Number(plan.toBlock - plan.fromBlock + 1n);
  const bytes = (found.size / Number(best.blocks)) * blocks;
  return `about ${byteCount(bytes)}, if it is like ${best.name}: ${byteCount(found.size)} for ${groupDigits(String(best.blocks))} blocks`;
}
