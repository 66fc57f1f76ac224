import { sqlText } from '../engine/sql-text.ts';
import type { Columns } from './sql-parts.ts';
import { WITHIN_A_PARTY } from './transfer-words.ts';

/** The two halves of a transfer. Other rows with its id, such as a fee, are not part of it. */
const SEND = 'TRANSFER_TYPE_TRANSFER_FUNDS_SEND';
const DISTRIBUTE = 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE';
export const OF_TRANSFER = `type IN ('${SEND}', '${DISTRIBUTE}')`;

/** Fees on this account are not the party's yet: some are withheld, only the rest is received. */
const FEE_ACCOUNT = 'LP_LIQUIDITY_FEES';

/**
 * Tables for a WITH, after those of the accounts. The last is judged(party, asset, time, type, transfer_id, is_whole,
 * received, sent, own_kind, other_kind, part): each move from the side of each account of the parties, and the part of
 * the answer that it belongs to (protocol.md section 1.4).
 */
export function movesSql(columns: Columns): string {
  const transfer = columns.has('transfer_id') ? columns.id('transfer_id') : 'NULL::BLOB';
  const [from, to, quantity] = [columns.id('account_from_id'), columns.id('account_to_id'), columns.whole('quantity')];
  const common = `party, asset, ${columns.time('vega_time')} AS time, ledger.${columns.plain('type')} AS type, ${transfer} AS transfer_id, kind AS own_kind`;
  return `${transfersSql(columns)},
moves AS (
  SELECT ${common}, ${from} AS other_id, ${quantity} AS received, NULL::BIGNUM AS sent
  FROM ledger JOIN accounts ON accounts.id = ${to}
  UNION ALL
  SELECT ${common}, ${to}, NULL::BIGNUM, ${quantity}
  FROM ledger JOIN accounts ON accounts.id = ${from}
),
judged AS (
  SELECT moves.*, other.kind AS other_kind, half.transfer_id IS NOT NULL AS is_whole, CASE
    -- fees first go to a fee account: they are received when they move on to another account of the party
    WHEN own_kind <> '${FEE_ACCOUNT}' AND other.kind = '${FEE_ACCOUNT}' THEN 'income'
    WHEN other.id IS NOT NULL OR own.transfer_id IS NOT NULL THEN 'own'
    WHEN own_kind = '${FEE_ACCOUNT}' THEN CASE WHEN sent IS NULL THEN 'allocated' ELSE 'withheld' END
    WHEN moves.type = 'TRANSFER_TYPE_CHECKPOINT_BALANCE_RESTORE' THEN 'restored'
    WHEN moves.type = 'TRANSFER_TYPE_DEPOSIT' THEN 'deposited'
    WHEN moves.type = 'TRANSFER_TYPE_WITHDRAW' THEN 'withdrawn'
    WHEN moves.type IN (${WITHIN_A_PARTY.map(sqlText).join(', ')}) THEN 'unclear'
    ELSE 'income' END AS part
  FROM moves
  LEFT JOIN accounts AS other ON other.id = moves.other_id AND other.party = moves.party
  LEFT JOIN own_transfers AS own ON own.transfer_id = moves.transfer_id AND own.party = moves.party AND moves.${OF_TRANSFER}
  LEFT JOIN halves AS half ON half.transfer_id = moves.transfer_id AND half.type <> moves.type AND moves.${OF_TRANSFER}
)`;
}

/** A transfer is two moves with its id through an account of the network: which halves exist, and which are both own. */
function transfersSql(columns: Columns): string {
  if (!columns.has('transfer_id'))
    return `halves AS (SELECT NULL::BLOB AS transfer_id, '' AS type WHERE false),
own_transfers AS (SELECT NULL::BLOB AS transfer_id, '' AS party WHERE false)`;
  const transfer = columns.id('transfer_id');
  const type = `ledger.${columns.plain('type')}`;
  const of = (half: string, account: 'account_from_id' | 'account_to_id'): string =>
    `SELECT ${transfer} AS transfer_id, party FROM ledger JOIN accounts ON accounts.id = ${columns.id(account)}
  WHERE ${type} = '${half}' AND octet_length(${transfer}) > 0`;
  return `halves AS (
  SELECT DISTINCT ${transfer} AS transfer_id, ${type} AS type FROM ledger
  WHERE ${type} IN ('${SEND}', '${DISTRIBUTE}') AND octet_length(${transfer}) > 0
),
own_transfers AS (
  -- a transfer of a party to itself
  ${of(SEND, 'account_from_id')}
  INTERSECT
  ${of(DISTRIBUTE, 'account_to_id')}
)`;
}
