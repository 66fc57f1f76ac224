import { shownAddress } from '../chain/api/request.ts';
import { cacheFolder } from '../chain/directory/cache-folder.ts';
import { cacheKeys, DEMO_KEYS, MOST_KEYS } from '../chain/directory/completion-cache.ts';
import type { Resource, Row } from '../chain/resources/resource.ts';
import type { Connection, Context } from './context.ts';
import type { RowSink } from './list-sink.ts';

interface SeenFrom {
  readonly resource: Resource;
  readonly connection: Connection;
  readonly context: Pick<Context, 'env'>;
}

/** Caches the keys of these rows for shell completion. */
export function cacheSeenKeys(rows: readonly Row[], { resource, connection, context }: SeenFrom): Promise<void> {
  const { client, isEmbedded, label } = connection;
  // Keys of a snapshot may be gone.
  if (isEmbedded && label !== 'demo') return Promise.resolve();
  const node = isEmbedded ? DEMO_KEYS : shownAddress(client.base);
  return cacheKeys(cacheFolder(context.env), node, { [resource.id]: rows.slice(0, MOST_KEYS).map(resource.keyOf) });
}

/** A sink that caches the keys of its first rows. */
export function cachingKeys(sink: RowSink, from: SeenFrom): RowSink {
  let isCached = false;
  return {
    ...sink,
    take: async came => {
      await sink.take(came);
      if (isCached || came.rows.length === 0) return;
      isCached = true;
      await cacheSeenKeys([...came.rows.slice(0, MOST_KEYS)], from);
    },
  };
}
