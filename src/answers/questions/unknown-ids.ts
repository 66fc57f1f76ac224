import { countOf } from '../../insight/count-of.ts';
import type { Columns } from './sql-parts.ts';

type All = (sql: string) => Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;

/**
 * Notes on assets and markets in the ledger that are unknown here. Deposits, withdrawals and fees always use accounts of
 * the network, and those of known assets and markets can be computed.
 */
export async function unknownIds(tables: string, columns: Columns, all: All): Promise<readonly string[]> {
  const seen = SEEN.map(({ type, account, kind }) => {
    return `  SELECT DISTINCT ${columns.id(account)} AS id, '${kind}' AS kind FROM ledger WHERE ${columns.plain('type')} = 'TRANSFER_TYPE_${type}'`;
  });
  const sql = `${tables}, known AS (
  SELECT unhex(sha256(asset || 'network' || market || 'ACCOUNT_TYPE_' || kind)) AS id FROM (
    SELECT asset, '' AS market, kind FROM assets, (VALUES ('EXTERNAL'), ('FEES_INFRASTRUCTURE')) AS of_asset(kind)
    UNION ALL
    SELECT asset, market, 'FEES_MAKER' FROM markets_of
  )
)
SELECT kind, count(DISTINCT id) FROM (
${seen.join('\n  UNION ALL\n')}
) WHERE id NOT IN (SELECT id FROM known) GROUP BY kind`;
  const counts = new Map((await all(sql)).rows.map(([kind, count]) => [kind, BigInt(count ?? 0)]));
  const [external, infrastructure] = [counts.get('EXTERNAL') ?? 0n, counts.get('FEES_INFRASTRUCTURE') ?? 0n];
  const assets = external > infrastructure ? external : infrastructure;
  const markets = counts.get('FEES_MAKER') ?? 0n;
  return [
    ...(assets === 0n
      ? []
      : [
          `the ledger also has money of ${countOf(assets, 'asset')} not known here, and what the party has of it is missing: name it with --asset ID, or a node with --node URL`,
        ]),
    ...(markets === 0n
      ? []
      : [
          `the ledger also has fees of ${countOf(markets, 'market')} not known here, and the accounts of the party there are missing: name a node with --node URL`,
        ]),
  ];
}

const SEEN = [
  { type: 'DEPOSIT', account: 'account_from_id', kind: 'EXTERNAL' },
  { type: 'WITHDRAW', account: 'account_to_id', kind: 'EXTERNAL' },
  { type: 'INFRASTRUCTURE_FEE_PAY', account: 'account_to_id', kind: 'FEES_INFRASTRUCTURE' },
  { type: 'MAKER_FEE_PAY', account: 'account_to_id', kind: 'FEES_MAKER' },
] as const;
