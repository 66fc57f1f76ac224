import { expect, test } from 'vitest';
import { accountWords } from '../../../src/chain/insight/account-words.ts';

test('an account has the same words by its type in a ledger, in a figure and of a market maker', () => {
  expect(
    ['LP_LIQUIDITY_FEES', 'ACCOUNT_TYPE_VESTING_REWARDS', 'AMM_GENERAL', 'ORDER_MARGIN'].map(accountWords),
  ).toEqual(['liquidity fees not paid yet', 'locked rewards', 'own AMM: general', 'order margin']);
});
