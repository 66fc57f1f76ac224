import type { Json } from '../../../src/chain/api/json.ts';
import type { Side } from '../../../src/memory/diff/side.ts';
import type { StoredList } from '../../../src/memory/snapshots/index.ts';

/** A list that was read, of values. */
export const readList = (list: string, records: readonly Json[], scope = ''): StoredList => ({
  ...{ list, scope, kind: 'read' },
  records: records.map(record => JSON.stringify(record)),
});

export const unreadList = (list: string, problem = 'HTTP 500', scope = ''): StoredList => ({
  ...{ list, scope, kind: 'unread', problem },
});

export const side = (...lists: readonly StoredList[]): Side => ({ chainId: 'c', lists });

export const parameter = (key: string, value: string) => ({ key, value });
