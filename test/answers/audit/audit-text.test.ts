import { expect, it } from 'vitest';
import { auditText } from '../../../src/answers/audit/audit-lines.ts';
import type { Audit, CheckResult, NamedDifference } from '../../../src/answers/audit/result.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';

const difference: NamedDifference = {
  ...{ what: 'a reward has no payout', amount: '1200', amounts: null, block: '7', time: null },
  ...{ account: null, party: null, asset: null, market: null, type: null },
};

const check = (name: string, change: Partial<CheckResult> = {}): CheckResult => ({
  ...{ name, title: `title of ${name}`, kind: 'differs', isMoney: true, isOptional: false, unjudged: undefined },
  compared: { accounts: 3, blocks: 2, rows: 40_000, values: 37_099 },
  ...{ agreed: 37_099, differences: [], total: 0, blindSpots: [`what ${name} misses`] },
  ...change,
});

const audit: Audit = {
  ...{ verdict: 'differs', reason: '1 difference (gone)', chainId: 'c', blocks: [], lastRows: {}, missing: [] },
  counts: { amounts: 0, amountsAgreeing: 0, blockNumbers: 0, others: 0 },
  checks: [
    check('fine'),
    check('nothing', { compared: { accounts: 0, blocks: 0, rows: 0, values: 0 } }),
    check('skipped', { unjudged: 'rewards not exported' }),
    check('odd', { kind: 'look', total: 1, differences: [difference], agreed: 37_098 }),
    check('gone', { total: 12, differences: Array.from({ length: 12 }, () => difference), agreed: 37_087 }),
  ],
  notes: [],
};

it('The text of an audit has a line for each check, those that need a look first', () => {
  expect(`\n${auditText(audit, NO_NAMES).summary.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    differs: 1 ok · 1 differ · 1 worth a look · 1 not made (rewards not exported) · 1 had nothing to compare
    1 difference (gone)

    RESULT              COMPARED  CHECK
    differs               37 099  gone: title of gone
    look                  37 099  odd: title of odd
    not made                   -  skipped: title of skipped (rewards not exported)
    ok                    37 099  fine: title of fine
    nothing to compare         0  nothing: title of nothing
    "
  `);
});

it('The text of an audit has details only of checks that differ, then what no check detects', () => {
  expect(`\n${auditText(audit, NO_NAMES).details.join('\n')}\n`).toMatchInlineSnapshot(`
    "

    gone: 12 differences; compared 37 099 values of 3 accounts in 2 blocks, from 40 000 rows: 37 087 agree
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      a reward has no payout, block 7, amount 1 200
      and 2 more, 12 in all

    odd: 1 difference, worth a look; compared 37 099 values of 3 accounts in 2 blocks, from 40 000 rows: 37 098 agree
      a reward has no payout, block 7, amount 1 200

    The checks cannot detect:
      gone: what gone misses
      odd: what odd misses
      fine: what fine misses
      nothing: what nothing misses
    "
  `);
});
