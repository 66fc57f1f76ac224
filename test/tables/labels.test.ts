import { expect, test } from 'vitest';
import { sanitize } from '../../src/base/text/safe-text.ts';
import { truncateMiddle } from '../../src/base/text/width.ts';
import { columnSchema } from '../../src/tables/columns.ts';

test('Each ledger and reward reason has its own label, without jargon, notes or capitals', () => {
  const reasons = Object.values(columnSchema('ledger', 'type')?.values ?? {});
  const pools = Object.values(columnSchema('rewards', 'reward_type')?.values ?? {});
  expect([new Set(reasons).size, new Set(pools).size]).toEqual([TRANSFER_TYPES.length, 13]);
  expect(Object.keys(columnSchema('ledger', 'type')?.values ?? {}).toSorted()).toEqual(
    TRANSFER_TYPES.map(type => `TRANSFER_TYPE_${type}`),
  );
  for (const words of [...reasons, ...pools]) {
    expect(words).toMatch(/^[a-z]/);
    expect(words).not.toMatch(/[_()0-9]|\b(?:LP|SLA|account to|pool|transit)\b(?! passed)/);
  }
});

test('The labels of ledger reasons stay distinct when a narrow table cuts them in the middle', () => {
  const reasons = Object.values(columnSchema('ledger', 'type')?.values ?? {});
  expect(new Set(reasons.map(words => truncateMiddle(sanitize(words), 12))).size).toBe(reasons.length);
});

/** Every reason that the interface can name, in the order of their names. */
const TRANSFER_TYPES = `
  AMM_HIGH AMM_LOW AMM_RELEASE BOND_HIGH BOND_LOW BOND_SLASHING BUY_BACK_FEE_PAY CHECKPOINT_BALANCE_RESTORE
  CLEAR_ACCOUNT DEPOSIT FEE_REFERRER_REWARD_DISTRIBUTE FEE_REFERRER_REWARD_PAY HIGH_MAKER_FEE_REBATE_PAY
  HIGH_MAKER_FEE_REBATE_RECEIVE HOLDING_LOCK HOLDING_RELEASE INFRASTRUCTURE_FEE_DISTRIBUTE
  INFRASTRUCTURE_FEE_PAY ISOLATED_MARGIN_HIGH ISOLATED_MARGIN_LOW LIQUIDITY_FEE_ALLOCATE
  LIQUIDITY_FEE_DISTRIBUTE LIQUIDITY_FEE_NET_DISTRIBUTE LIQUIDITY_FEE_PAY LIQUIDITY_FEE_UNPAID_COLLECT LOSS
  MAKER_FEE_PAY MAKER_FEE_RECEIVE MARGIN_CONFISCATED MARGIN_HIGH MARGIN_LOW MTM_LOSS MTM_WIN ORDER_MARGIN_HIGH
  ORDER_MARGIN_LOW PERPETUALS_FUNDING_LOSS PERPETUALS_FUNDING_WIN REWARDS_VESTED REWARD_PAYOUT
  SLA_PENALTY_BOND_APPLY SLA_PENALTY_LP_FEE_APPLY SLA_PERFORMANCE_BONUS_DISTRIBUTE SPOT
  SUCCESSOR_INSURANCE_FRACTION TRANSFER_FUNDS_DISTRIBUTE TRANSFER_FUNDS_SEND TREASURY_FEE_PAY UNSPECIFIED WIN
  WITHDRAW
`
  .trim()
  .split(/\s+/);
