import type { Directory } from '../directory/directory.ts';
import type { Connection, Context } from './context.ts';

/** The names of the node's chain, with the user's own; whatever cannot be had is not known. */
export async function namesFor({ client, label }: Connection, context: Context): Promise<Directory> {
  const { directoryFor } = await import('../directory/directory-for.ts');
  const { cacheFolder } = await import('../directory/cache-folder.ts');
  const folder = label === 'demo' ? null : cacheFolder(context.env);
  const directory = await directoryFor(client, { signal: context.signal, folder, nowMs: Date.now() });
  // A file that cannot be used says nothing here: the node was named without it.
  const { aliases = {} } = await context.settings().catch(() => ({ aliases: {} }));
  const { aliasesById } = await import('../directory/aliases.ts');
  return { ...directory, aliases: aliasesById(aliases) };
}

/** The same, asked for when they are first needed and no second time. */
export function namesOnce(connection: Connection, context: Context): () => Promise<Directory> {
  let asked: Promise<Directory> | undefined;
  return () => {
    asked ??= namesFor(connection, context);
    return asked;
  };
}
