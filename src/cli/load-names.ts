import { type MineIds, mineIdsOnChain, minePath, readMine } from '../base/settings/mine-file.ts';
import { safeLine } from '../base/text/safe-text.ts';
import type { Directory } from '../chain/directory/directory.ts';
import { type Mine, mineFromLists } from '../chain/directory/mine.ts';
import type { Connection, Context } from './context.ts';

type NamesConnection = Pick<Connection, 'client' | 'isEmbedded'>;

/** The names of the node's chain, with the user's aliases. Names that cannot be fetched stay unknown. */
export const loadNames = (connection: NamesConnection, context: Context): Promise<Directory> =>
  loadNamesWithAliases(connection, context);

/** The same for readers: the names mark the user's own entities. Output for programs does not depend on that. */
export const loadNamesForReader = async (connection: NamesConnection, context: Context): Promise<Directory> =>
  loadNamesWithAliases(connection, context, await loadMineByChain(context));

/** The same, loaded once when first needed. */
export function lazyNames(
  connection: NamesConnection,
  context: Context,
  { isForReader }: { readonly isForReader: boolean },
): () => Promise<Directory> {
  let asked: Promise<Directory> | undefined;
  return () => {
    asked ??= (isForReader ? loadNamesForReader : loadNames)(connection, context);
    return asked;
  };
}

/** Whether anything is the user's on any chain. */
export const isAnythingMine = ({ env }: Pick<Context, 'env'>): boolean =>
  Object.keys(readMine(minePath(env)).chains).length > 0;

/** The user's own entities on any chain, for a command that does not request the node's chain. */
export async function mineOnAnyChain({ env, stderr }: Pick<Context, 'env' | 'stderr'>): Promise<Mine> {
  const { chains, problem } = readMine(minePath(env));
  if (problem !== undefined) await stderr.safe(safeLine(`warning: ${problem}`));
  const all = Object.values(chains);
  const idsIn = (list: keyof MineIds): readonly string[] => all.flatMap(ids => ids[list]);
  return mineFromLists({
    ...{ parties: idsIn('parties'), submitters: idsIn('submitters') },
    ...{ validators: idsIn('validators'), markets: idsIn('markets') },
  });
}

/** The user's own entities on a chain. A mistake in the file is reported on stderr; only that part is ignored. */
export async function loadMineByChain({
  env,
  stderr,
}: Pick<Context, 'env' | 'stderr'>): Promise<(chainId: string) => Mine> {
  const { chains, problem } = readMine(minePath(env));
  if (problem !== undefined) await stderr.safe(safeLine(`warning: ${problem}`));
  return chainId => mineFromLists(mineIdsOnChain(chains, chainId));
}

async function loadNamesWithAliases(
  { client, isEmbedded }: NamesConnection,
  context: Context,
  mineOn?: (chainId: string) => Mine,
): Promise<Directory> {
  const { loadDirectory } = await import('../chain/directory/load-directory.ts');
  const { cacheFolder } = await import('../chain/directory/cache-folder.ts');
  const folder = isEmbedded ? null : cacheFolder(context.env);
  const directory = await loadDirectory(client, { signal: context.signal, folder, nowMs: context.nowMs(), mineOn });
  return { ...directory, aliases: await userAliases(context) };
}

/** The user's own names by id. Unusable settings have none here. */
export async function userAliases(context: Pick<Context, 'settings'>): Promise<Directory['aliases']> {
  const { aliases = {} } = await context.settings().catch(() => ({ aliases: {} }));
  const { aliasesById } = await import('../chain/directory/aliases.ts');
  return aliasesById(aliases);
}
