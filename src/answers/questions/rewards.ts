import type { Directory } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import {
  answerOf,
  assetPlaces,
  countColumn,
  type MadeColumn,
  namedColumns,
  textColumn,
  unitColumns,
  unknownPlaces,
  wordsOf,
} from './cells.ts';
import { equalsNamed, partiesOf } from './named-ids.ts';
import type { Answering, RangedContext, ReadyAnswer } from './question.ts';
import { rowsWithin } from './row-range.ts';
import { Columns, exactSum, firstColumns, isOneOf, where } from './sql-parts.ts';

/** The rewards of parties, by asset and epoch. */
export const rewards: Answering = {
  sql: async context => ({ sql: rewardsSql(context), notes: [] }),
  answer: rewardsAnswer,
};

function rewardsSql(context: RangedContext): string {
  const { values, table, target } = context;
  const columns = new Columns(table, target);
  const { types = false } = values;
  const game = columns.has('game_id') ? columns.hex('game_id') : 'NULL';
  const groups = types ? 5 : 3;
  return `SELECT ${columns.hex('party_id')} AS party, ${columns.hex('asset_id')} AS asset, ${columns.plain('epoch_id')} AS epoch,${
    types ? `\n  ${columns.plain('reward_type')} AS reason, ${game} AS game,` : ''
  }
  ${exactSum(target.dialect, columns.whole('amount'))} AS amount, count(*) AS payouts
FROM ${columns.table}${where(conditionsOf(context, columns))}
GROUP BY ${firstColumns(groups)}
ORDER BY ${firstColumns(groups, ' NULLS LAST')}`;
}

function conditionsOf({ names, values, range }: RangedContext, columns: Columns): readonly string[] {
  const { parties, asset } = values;
  return [
    ...(parties === undefined ? [] : [isOneOf(columns, columns.id('party_id'), partiesOf('rewards', parties))]),
    ...equalsNamed({ names, columns }, 'asset', asset, 'asset_id'),
    // A reward is paid in the first block after its epoch.
    ...rowsWithin(range, columns.times(columns.plain('epoch_id'))),
  ];
}

async function rewardsAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, signal } = context;
  const sql = rewardsSql(context);
  const { types = false } = values;
  const { raw, ...answer } = answerOf(sql, await dataset.database.all(sql, signal), columnsOf(names, types));
  const unknown = unknownPlaces(raw, 'asset', assetPlaces(names), 'the decimals of asset');
  const isOfAll = raw.length > 0 ? [NOT_IN_IT] : [];
  return { ...answer, notes: [...isOfAll, ...unknown, ...(await withoutAmount(context))] };
}

/** The column of amounts may be NULL, which is not 0. */
async function withoutAmount(context: RangedContext): Promise<readonly string[]> {
  const { dataset, table, target, signal } = context;
  const columns = new Columns(table, target);
  const conditions = [...conditionsOf(context, columns), `${columns.plain('amount')} IS NULL`];
  const { rows } = await dataset.database.all(`SELECT count(*) FROM ${columns.table}${where(conditions)}`, signal);
  const count = BigInt(rows[0]?.[0] ?? 0);
  if (count === 0n) return [];
  const [have, are] = count === 1n ? ['has', 'it is'] : ['have', 'they are'];
  return [`${countOf(count, 'reward')} ${have} no amount: ${are} among the payouts, and not in the amounts`];
}

const NOT_IN_IT = 'fees of makers, liquidity providers and referrers are in the ledger, not in the rewards';

function columnsOf(names: Directory, types: boolean): readonly MadeColumn[] {
  const code = textColumn('reason', 'for');
  const words: MadeColumn = { ...code, cell: row => wordsOf('rewards', 'reward_type', row('reason')) };
  const reasons: readonly MadeColumn[] = [
    { ...words, in: 'table' },
    { ...words, id: 'why', in: 'data' },
    { ...code, in: 'data' },
  ];
  return [
    ...namedColumns(names, 'party', 'party'),
    ...namedColumns(names, 'asset', 'asset'),
    countColumn('epoch', 'epoch'),
    ...(types ? [...reasons, textColumn('game', 'game')] : []),
    ...unitColumns('amount', 'amount', assetPlaces(names)),
    countColumn('payouts', 'payouts'),
  ];
}
