import { expect, it } from 'vitest';
import { isSummable } from '../../../src/chain/resources/amount-sums.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';

it('Only amounts, and counts of the things of one row, have a sum in lists', () => {
  const sums = RESOURCES.map(({ id, columns }) => [id, columns.filter(isSummable).map(column => column.id)]);
  expect(Object.fromEntries(sums)).toMatchInlineSnapshot(`
    {
      "bundles": [],
      "fees": [
        "paid",
        "total",
        "parties",
      ],
      "markets": [],
      "oracles": [],
      "parameters": [],
      "provisions": [
        "commitment",
        "pending-commitment",
        "buys",
        "sells",
      ],
      "validators": [
        "stake",
        "stake-change",
      ],
    }
  `);
});
