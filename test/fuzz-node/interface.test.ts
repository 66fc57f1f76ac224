import { expect, it } from 'vitest';
import { createChain, headAtTime } from '../../src/node/demo/chain.ts';
import { SERVED_LISTS } from '../../src/node/registry.ts';
import { Store } from '../../src/node/store.ts';
import { openApi } from './interface.ts';

it('The fuzzer description has every list and look-up that the node serves', () => {
  const store = new Store([]);
  const chain = createChain({ seed: 'paths', startedMs: 0 });
  const served = SERVED_LISTS.flatMap(({ operations }) => operations(store, () => headAtTime(chain, 0)));
  store.close();
  const paths = served.map(({ path }) => path.replace(/:\w+$/, '{id}'));
  const described = Object.keys(openApi(new Map()).paths ?? {});
  // Without a key it is no look-up, and always refused.
  const missing = paths.filter(path => !described.includes(path));
  expect(missing).toEqual(['/api/v2/network/parameters/']);
  expect(paths.length).toBeGreaterThan(10);
});
