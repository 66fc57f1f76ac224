import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedTerms,
  commitmentRank,
  committedCount,
  marketTotal,
  nextEpochOutlook,
  type ProvisionState,
  type ProvisionTerms,
  shareOfTotal,
} from '../../../src/chain/insight/provision.ts';

const terms = (commitmentAmount: string, members: Partial<ProvisionTerms> = {}): ProvisionTerms => ({
  version: '2',
  status: 'STATUS_ACTIVE',
  commitmentAmount,
  fee: '0.01',
  reference: '',
  createdAt: '1700000000000000000',
  updatedAt: '1800000000000000000',
  ...members,
});

const alone = (commitmentAmount: string, members: Partial<ProvisionTerms> = {}): ProvisionState => ({
  current: terms(commitmentAmount, members),
  pending: null,
  isPair: false,
});

/** Of the list that shows what is in force beside what waits. */
const pair = (commitmentAmount: string, members: Partial<ProvisionTerms>): ProvisionState => ({
  ...alone(commitmentAmount, members),
  isPair: true,
});

const young = { status: 'STATUS_PENDING', version: '2', updatedAt: '1700086399999999999' };

const then = (current: string, pending: string): ProvisionState => ({
  current: terms(current),
  pending: terms(pending, { version: '3', status: 'STATUS_PENDING' }),
  isPair: true,
});

/** A new provision that was amended before it took effect. */
const unbegun = (first: string, amended: string): ProvisionState => ({
  current: terms(first, { version: '1', status: 'STATUS_PENDING' }),
  pending: terms(amended, { version: '2', status: 'STATUS_PENDING' }),
  isPair: true,
});

describe('Effect of the next epoch on a provision', () => {
  it.each([
    ['nothing when nothing waits', alone('5'), { kind: 'stays' }],
    ['ends it when its commitment becomes 0', then('5', '0'), { kind: 'leaves' }],
    ['also when the 0 is written otherwise', then('5', '000'), { kind: 'leaves' }],
    ['enlarges it', then('1000', '1125'), { kind: 'changes', percent: '+12.5 %' }],
    ['makes it smaller', then('3', '2'), { kind: 'changes', percent: '-33.3 %' }],
    [
      'makes it many times as large',
      then('1', '1000000000000000000000'),
      { kind: 'changes', percent: '+99999999999999999999900 %' },
    ],
    ['changes it by less than is told', then('1000000', '1000001'), { kind: 'changes', percent: undefined }],
    ['changes what cannot be compared', then('0', '5'), { kind: 'changes', percent: undefined }],
    ['changes what is no number', then('5', 'much'), { kind: 'changes', percent: undefined }],
    ['begins it', alone('5', { status: 'STATUS_PENDING', version: '1' }), { kind: 'enters' }],
    ['begins it, amended before it began', pair('5', young), { kind: 'enters' }],
    ['begins it, and its amendment waits too', unbegun('5', '9'), { kind: 'enters' }],
    [
      'ends it, and its current version is not shown',
      alone('0', { status: 'STATUS_PENDING', version: '4' }),
      { kind: 'leaves' },
    ],
    ['ends it before it began', unbegun('5', '0'), { kind: 'leaves' }],
    ['what the list of versions does not tell', alone('5', young), { kind: 'unknown' }],
    ['what a node may have dropped', pair('5', { ...young, updatedAt: '1700086400000000000' }), { kind: 'unknown' }],
    ['what has no times', pair('5', { ...young, createdAt: '0', updatedAt: '0' }), { kind: 'unknown' }],
    ['what the node does not tell', alone('5', { status: 'STATUS_PENDING', version: '4' }), { kind: 'unknown' }],
  ])('The next epoch affects a provision as stated: %s', (_, provision, outlook) =>
    expect(nextEpochOutlook(provision)).toEqual(outlook),
  );
});

describe('Share of a provision', () => {
  const entering = alone('900', { status: 'STATUS_PENDING', version: '1' });
  const market = [alone('600'), then('300', '0'), alone('99', { status: 'STATUS_UNDEPLOYED' }), alone('1'), entering];

  it('The share of a provision is relative to all that applies on its market now', () => {
    expect(marketTotal(market)).toBe('1000');
    expect(market.map(provision => shareOfTotal(provision, '1000'))).toEqual(['60.0', '30.0', '9.9', '0.1', undefined]);
    expect(shareOfTotal(alone('1'), '1000000')).toBe('<0.1');
    expect(shareOfTotal(alone('0'), '1000')).toBe('0.0');
    expect(market.map(provision => commitmentRank(provision, market))).toEqual([1, 2, 3, 4, 1]);
    expect(committedCount(market)).toBe(4);
  });

  it('The share of a provision is left out if the current amount of another is unknown or not a number', () => {
    expect(marketTotal([...market, pair('5', young)])).toBe('1000');
    expect(marketTotal([...market, alone('5', { status: 'STATUS_PENDING', version: '2' })])).toBe(undefined);
    expect(marketTotal([...market, alone('0', { status: 'STATUS_PENDING', version: '2' })])).toBe(undefined);
    expect(marketTotal([...market, alone('5.5')])).toBe(undefined);
    expect(shareOfTotal(alone('5'), '0')).toBe(undefined);
  });
});

describe('Changes of a provision version', () => {
  it('The changes of a version are the terms that differ', () => {
    expect(changedTerms(terms('5'), terms('6', { version: '3', fee: '0.02' }))).toEqual([
      { what: 'commitmentAmount', from: '5', to: '6' },
      { what: 'fee', from: '0.01', to: '0.02' },
    ]);
    expect(changedTerms(terms('5'), terms('5', { version: '3' }))).toEqual([]);
  });
});

it('A provision in any state that a node reports is described, and nothing is thrown', () => {
  const text = fc.oneof(
    fc.string(),
    fc.bigInt().map(String),
    fc.constantFrom('STATUS_ACTIVE', 'STATUS_PENDING', '1', '0'),
  );
  const any = fc.record({
    version: text,
    status: text,
    commitmentAmount: text,
    fee: text,
    reference: text,
    createdAt: text,
    updatedAt: text,
  });
  const state = fc.record({ current: any, pending: fc.option(any), isPair: fc.boolean() });
  fc.assert(
    fc.property(fc.array(state, { minLength: 1 }), all => {
      const total = marketTotal(all) ?? '';
      for (const one of all) {
        expect(nextEpochOutlook(one).kind).not.toBe('');
        expect(shareOfTotal(one, total) ?? '').not.toContain('NaN');
        expect(commitmentRank(one, all)).toBeLessThanOrEqual(all.length);
        expect(changedTerms(one.current, one.pending ?? one.current).length).toBeLessThanOrEqual(4);
      }
    }),
  );
});
