import type { Directory } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import {
  assetPlaces,
  type ComputedColumn,
  countColumn,
  createAnswer,
  namedColumns,
  ordinalColumn,
  textColumn,
  unitColumns,
  unknownPlacesNote,
  valueMeaning,
} from './answer-columns.ts';
import type { AnswerMethod, RangedContext, ReadyAnswer } from './question.ts';
import { idConditions, requireParties } from './resolve-ids.ts';
import { rangeConditions } from './row-range.ts';
import { exactSum, firstColumns, isOneOfSql, SqlColumns, where } from './sql-parts.ts';

/** The rewards of parties, by asset and epoch. */
export const rewards: AnswerMethod = {
  sql: async context => ({ sql: rewardsSql(context), notes: [] }),
  answer: rewardsAnswer,
};

function rewardsSql(context: RangedContext): string {
  const { values, table, target } = context;
  const columns = new SqlColumns(table, target);
  const { types = false } = values;
  const game = columns.has('game_id') ? columns.hex('game_id') : 'NULL';
  const groups = types ? 5 : 3;
  return `SELECT ${columns.hex('party_id')} AS party, ${columns.hex('asset_id')} AS asset, ${columns.plain('epoch_id')} AS epoch,${
    types ? `\n  ${columns.plain('reward_type')} AS reason, ${game} AS game,` : ''
  }
  ${exactSum(target.dialect, columns.whole('amount'))} AS amount, count(*) AS payouts
FROM ${columns.table}${where(rewardConditions(context, columns))}
GROUP BY ${firstColumns(groups)}
ORDER BY ${firstColumns(groups, ' NULLS LAST')}`;
}

function rewardConditions({ names, values, range }: RangedContext, columns: SqlColumns): readonly string[] {
  const { parties, asset } = values;
  return [
    ...(parties === undefined ? [] : [isOneOfSql(columns, columns.id('party_id'), requireParties('rewards', parties))]),
    ...idConditions({ names, columns }, 'asset', asset, 'asset_id'),
    // A reward is paid in the first block after its epoch.
    ...rangeConditions(range, columns.times(columns.plain('epoch_id'))),
  ];
}

async function rewardsAnswer(context: RangedContext): Promise<ReadyAnswer> {
  const { dataset, names, values, signal } = context;
  const sql = rewardsSql(context);
  const { types = false } = values;
  const { raw, ...answer } = createAnswer(sql, await dataset.database.all(sql, signal), rewardColumns(names, types));
  const unknown = unknownPlacesNote(raw, 'asset', assetPlaces(names), 'the decimals of asset');
  const isOfAll = raw.length > 0 ? [NOT_INCLUDED_NOTE] : [];
  return { ...answer, notes: [...isOfAll, ...unknown, ...(await missingAmountNotes(context))] };
}

/** The column of amounts may be NULL, which is not 0. */
async function missingAmountNotes(context: RangedContext): Promise<readonly string[]> {
  const { dataset, table, target, signal } = context;
  const columns = new SqlColumns(table, target);
  const conditions = [...rewardConditions(context, columns), `${columns.plain('amount')} IS NULL`];
  const { rows } = await dataset.database.all(`SELECT count(*) FROM ${columns.table}${where(conditions)}`, signal);
  const count = BigInt(rows[0]?.[0] ?? 0);
  if (count === 0n) return [];
  const [have, are] = count === 1n ? ['has', 'it is'] : ['have', 'they are'];
  return [`${countOf(count, 'reward')} ${have} no amount: ${are} among the payouts, and not in the amounts`];
}

const NOT_INCLUDED_NOTE = 'fees of makers, liquidity providers and referrers are in the ledger, not in the rewards';

function rewardColumns(names: Directory, types: boolean): readonly ComputedColumn[] {
  const code = textColumn('reason', 'for');
  const words: ComputedColumn = { ...code, cell: row => valueMeaning('rewards', 'reward_type', row('reason')) };
  const reasons: readonly ComputedColumn[] = [
    { ...words, in: 'table' },
    { ...words, id: 'why', in: 'data' },
    { ...code, in: 'data' },
  ];
  return [
    ...namedColumns(names, 'party', 'party'),
    ...namedColumns(names, 'asset', 'asset'),
    ordinalColumn('epoch', 'epoch'),
    ...(types ? [...reasons, textColumn('game', 'game')] : []),
    ...unitColumns('amount', 'amount', assetPlaces(names)),
    countColumn('payouts', 'payouts'),
  ];
}
