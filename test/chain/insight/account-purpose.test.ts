import { expect, test } from 'vitest';
import { accountPurpose } from '../../../src/chain/insight/account-purpose.ts';

test('An account type has the same words in a ledger, in a figure and for a market maker', () => {
  expect(
    ['LP_LIQUIDITY_FEES', 'ACCOUNT_TYPE_VESTING_REWARDS', 'AMM_GENERAL', 'ORDER_MARGIN'].map(accountPurpose),
  ).toEqual(['liquidity fees not paid yet', 'locked rewards', 'own AMM: general', 'order margin']);
});
