import fc from 'fast-check';
import { expect } from 'vitest';
import { sparkline } from '../../../../src/chain/insight/bar.ts';
import { derivedParty } from '../../../../src/chain/insight/derived-party.ts';
import { computeFeeShares, fractionAsPercent, isFraction } from '../../../../src/chain/insight/fee-share.ts';
import {
  compareFees,
  epochNumber,
  type FeeRow,
  type PartyFee,
  wholeAmount,
} from '../../../../src/chain/insight/paid-fees.ts';
import {
  committedVersion,
  compareAge,
  createMarketTotal,
  exceedsBond,
  isBonded,
  type ProvisionState,
  type ProvisionTerms,
  type ProvisionVersion,
  stageOf,
  successionOf,
  supersedes,
} from '../../../../src/chain/insight/provision.ts';
import { clipSpans, createStatement, type EpochSpan } from '../../../../src/chain/insight/statement.ts';
import { anyBigint, anyText, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const partyFee: fc.Arbitrary<PartyFee> = fc.record({ party: anyText, amount: anyText });
const feeRow: fc.Arbitrary<FeeRow> = fc.record({
  ...{ market: anyText, asset: anyText, epochSeq: fc.oneof(anyText, fc.nat(50).map(String)), totalFeesPaid: anyText },
  feesPaidPerParty: some(partyFee),
});

const status = fc.oneof(
  fc.constantFrom('STATUS_ACTIVE', 'STATUS_PENDING', 'STATUS_UNDEPLOYED', 'STATUS_STOPPED', 'STATUS_CANCELLED'),
  anyText,
);
const version: fc.Arbitrary<ProvisionVersion> = fc.record({
  ...{ version: anyText, status, commitmentAmount: anyText, updatedAt: anyText },
});
const terms: fc.Arbitrary<ProvisionTerms> = fc.record({
  ...{ version: fc.oneof(anyText, fc.constant('1')), status, commitmentAmount: anyText, fee: anyText },
  ...{ reference: anyText, createdAt: anyText, updatedAt: anyText },
});
const provision: fc.Arbitrary<ProvisionState> = fc.record({
  current: terms,
  pending: fc.option(terms),
  isPair: fc.boolean(),
});

const span: fc.Arbitrary<EpochSpan> = fc.record({
  kind: fc.constantFrom('known', 'not-known', 'open', 'future'),
  ...{ from: anyBigint, to: anyBigint },
});
const party = fc.oneof(fc.constant(''), anyText);

const fractionText = fc.oneof(
  anyText,
  fc.integer({ min: 0, max: 10_000 }).map(part => String(part / 10_000)),
);
const weight = fc.record({ equityLikeShare: fractionText, averageScore: fractionText, feePenalty: fractionText });

/** Of paid fees, of what was paid over many epochs, and of provisions. */
export const FEE_FEEDS: readonly Feed[] = [
  feed(wholeAmount, [anyText], {
    check: (amount, [text]) => expect(amount === undefined || amount === BigInt(text)).toBe(true),
  }),
  feed(epochNumber, [anyText], {
    check: epoch => expect(epoch === undefined || (epoch >= 0n && epoch < 2n ** 64n)).toBe(true),
  }),
  feed(compareFees, [partyFee, partyFee], {
    check: (order, [one, other]) => expect(order + compareFees(other, one)).toBe(0),
  }),
  feed(supersedes, [version, version], {
    check: (does, [later, earlier]) => expect(does && supersedes(earlier, later)).toBe(false),
  }),
  feed(compareAge, [version, version], {
    check: (order, [one, other]) => expect(order + compareAge(other, one)).toBe(0),
  }),
  feed(successionOf<ProvisionVersion>, [some(version)], {
    check: ({ waiting, successorOf }) => expect(waiting && successorOf(waiting)).toBe(undefined),
  }),
  feed(isFraction, [fractionText], {
    check: (is, [text]) => expect(!is || (Number(text) >= 0 && Number(text) <= 1)).toBe(true),
  }),
  feed(fractionAsPercent, [fractionText], {
    check: (shown, [text]) => expect(shown !== undefined).toBe(isFraction(text)),
  }),
  feed(computeFeeShares, [some(weight), fractionText], {
    check: (shares, [all]) => expect(shares).toHaveLength(all.length),
  }),
  feed(committedVersion, [provision], {
    check: (one, [{ current, pending }]) => expect([current, pending]).toContain(one),
  }),
  feed(isBonded, [terms], {
    check: (is, [{ status }]) => expect(!is || stageOf({ status }) === 'in-force').toBe(true),
  }),
  feed(exceedsBond, [terms, anyText], {
    check: (isAbove, [{ status }, bond]) => {
      if (isAbove) expect([stageOf({ status }), wholeAmount(bond) === undefined]).toEqual(['in-force', false]);
    },
  }),
  feed(sparkline, [some(anyBigint)], { check: (drawn, [values]) => expect(drawn).toHaveLength(values.length) }),
  feed(createMarketTotal, [], { check: ({ result }) => expect(result()).toBe('0') }),
  feed(
    createStatement,
    [fc.record({ party, market: anyText, asset: anyText, spans: some(span), rows: some(feeRow) })],
    {
      check: ({ lines, totals }) => {
        for (const { asset, amount } of totals) {
          const paid = lines.flatMap(of => (of.kind === 'allocated' && of.asset === asset ? [BigInt(of.amount)] : []));
          expect(paid.reduce((sum, one) => sum + one, 0n)).toBe(BigInt(amount));
        }
      },
    },
  ),
  feed(derivedParty, [anyText, anyText], { check: id => expect(id).toMatch(/^[0-9a-f]{64}$/) }),
  feed(clipSpans, [some(span), fc.record({ from: anyBigint, to: anyBigint })], {
    check: (spans, [, range]) => expect(spans.every(({ from, to }) => from >= range.from && to <= range.to)).toBe(true),
  }),
];
