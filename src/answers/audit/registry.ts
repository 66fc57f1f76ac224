import type { Check } from './check.ts';
import { balanceSteps, boundaries } from './checks/balance-steps.ts';
import { blockNumbers, skippedBlocks } from './checks/block-numbers.ts';
import { conservation, conservationPartial } from './checks/conservation.ts';
import { deposits } from './checks/deposits.ts';
import { feesInLedger, rewardsInLedger } from './checks/ledger-cover.ts';
import { ledgerNumbers } from './checks/ledger-numbers.ts';
import { liquidityFees } from './checks/liquidity-fees.ts';
import { orderRemainders } from './checks/order-remainders.ts';
import { positions } from './checks/positions.ts';
import { rewardPayouts } from './checks/rewards.ts';
import { tradeFees } from './checks/trade-fees.ts';
import { tradeOrders } from './checks/trade-orders.ts';
import { unlistedAccounts } from './checks/unlisted-accounts.ts';
import { firstVersions, orderVersions, versions } from './checks/versions.ts';
import { withdrawals } from './checks/withdrawals.ts';

/** Every check, in the order in which results are printed. */
export const CHECKS: readonly Check[] = [
  balanceSteps,
  boundaries,
  deposits,
  withdrawals,
  conservation,
  ledgerNumbers,
  versions,
  rewardsInLedger,
  feesInLedger,
  blockNumbers,
  rewardPayouts,
  tradeFees,
  orderRemainders,
  positions,
  tradeOrders,
  orderVersions,
  firstVersions,
  liquidityFees,
  unlistedAccounts,
  conservationPartial,
  skippedBlocks,
];
