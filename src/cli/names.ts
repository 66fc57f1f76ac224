import type { Directory } from '../directory/directory.ts';
import type { Connection, Context } from './context.ts';

/** The names of the node's chain, with the user's aliases. Names that cannot be fetched stay unknown. */
export async function namesFor({ client, label }: Connection, context: Context): Promise<Directory> {
  const { directoryFor } = await import('../directory/directory-for.ts');
  const { cacheFolder } = await import('../directory/cache-folder.ts');
  const folder = label === 'demo' ? null : cacheFolder(context.env);
  const directory = await directoryFor(client, { signal: context.signal, folder, nowMs: Date.now() });
  // Unusable settings cost only the aliases here.
  const { aliases = {} } = await context.settings().catch(() => ({ aliases: {} }));
  const { aliasesById } = await import('../directory/aliases.ts');
  return { ...directory, aliases: aliasesById(aliases) };
}

/** The same, loaded once when first needed. */
export function namesOnce(connection: Connection, context: Context): () => Promise<Directory> {
  let asked: Promise<Directory> | undefined;
  return () => {
    asked ??= namesFor(connection, context);
    return asked;
  };
}
