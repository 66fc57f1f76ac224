import fc from 'fast-check';
import {
  isScore,
  powerShare,
  type ScoredValidator,
  stakeChange,
  totalPower,
  zeroScoreReason,
} from '../../../../src/chain/insight/validator-scores.ts';
import { anyBigint, anyText, some } from '../../../support/any-text.ts';
import { type Feed, feed } from './feed.ts';

const number = fc.oneof(anyText, fc.nat(20_000).map(String), fc.constantFrom('0', '1', '0.0'));
const validator: fc.Arbitrary<ScoredValidator> = fc.record({
  ...{ isConsensus: fc.boolean(), multisigScore: number, votingPower: number },
});
const all = fc.option(fc.record({ together: anyBigint, isOfAll: fc.boolean() }), { nil: undefined });

/** Of the scores of validators. */
export const VALIDATOR_FEEDS: readonly Feed[] = [
  feed(totalPower, [some(validator)]),
  feed(isScore, [number]),
  feed(powerShare, [number, all]),
  feed(zeroScoreReason, [validator, some(validator)]),
  feed(stakeChange, [fc.oneof(number, anyBigint.map(String)), number]),
];
