import { expect, it } from 'vitest';
import { isSummable } from '../../../src/chain/resources/amount-sums.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';

it('A column with numbers of decimals has no sum', () => {
  const columns = RESOURCES.flatMap(resource => resource.columns).filter(({ title }) => /DECIMALS/.test(title));
  expect(columns.length).toBeGreaterThan(0);
  expect(columns.filter(isSummable)).toEqual([]);
});
