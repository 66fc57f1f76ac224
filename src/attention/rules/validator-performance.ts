import { countOf } from '../../chain/insight/count-of.ts';
import { compareDecimals, percent } from '../../chain/insight/decimal.ts';
import { isScore } from '../../chain/insight/validator-scores.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { listFewNames, nameOrId } from './name-texts.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';

export const validatorPerformance = defineRule({
  id: 'validator-performance',
  about: 'validators below 90 % performance',
  subject: 'Performance',
  needs: ['validators'],
  find: (read, { directory }) => {
    const rows = read('validators');
    if (rows.length === 0)
      return [listedUnknown('Performance', 'performance is not known: the node lists no validators')];
    const all = rows
      .map(row => ({ row, ...readValidator(row) }))
      // A pending validator has not been measured yet.
      .filter(({ rankingScore }) => rankingScore.status !== 'VALIDATOR_NODE_STATUS_PENDING')
      .map(({ row, id, rankingScore }) => ({ row, id, score: rankingScore.performanceScore }));
    const unread = all.filter(({ score }) => !isScore(score));
    const slow = all
      .filter(({ score }) => isScore(score) && compareDecimals(score, MIN_SCORE) < 0)
      .toSorted((one, other) => compareDecimals(one.score, other.score));
    const [first] = slow;
    const words = slow.map(({ id, score }) => `${nameOrId(directory, 'node', id)} at ${percent(score)}`);
    const found: readonly ListedFinding[] =
      first === undefined
        ? []
        : [
            {
              severity: 'warning',
              subject:
                slow.length === 1
                  ? `Validator ${nameOrId(directory, 'node', first.id)}`
                  : `${slow.length} of ${countOf(all.length, 'validator')}`,
              fact: `${slow.length === 1 ? `performance ${percent(first.score)}` : `performance from ${percent(first.score)}`}, below 90 %`,
              sentence: `${slow.length} of ${countOf(all.length, 'validator')} below 90 % performance: ${listFewNames(words)}`,
              resource: validators.id,
              key: validators.keyOf(first.row),
            },
          ];
    return unread.length === 0
      ? found
      : [
          ...found,
          listedUnknown(
            'Performance',
            `the performance of ${countOf(unread.length, 'validator')} cannot be read`,
            `of ${countOf(unread.length, 'validator')} cannot be read`,
          ),
        ];
  },
});

const MIN_SCORE = '0.9';
