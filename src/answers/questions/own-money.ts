import type { Directory } from '../../directory/directory.ts';
import { unitOfAsset } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
import { groupDigits, scaled } from '../../insight/decimal.ts';
import { exactSum, where } from './sql-parts.ts';

type All = (sql: string) => Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;

interface Asked {
  readonly conditions: readonly string[];
  readonly names: Directory;
  readonly all: All;
}

/** Notes on money that moved to and from the party's own AMM or staking account, which is neither received nor sent. */
export async function ownMoney(tables: string, { conditions, names, all }: Asked): Promise<readonly string[]> {
  const sql = `${tables}
SELECT ${BUCKET} AS bucket, asset, ${exactSum('received')} AS came, ${exactSum('sent')} AS went, count(*) AS moves
FROM judged${where(["part = 'own'", `${BUCKET} <> ''`, `${BUCKET} <> ${bucketOf("coalesce(other_kind, '')")}`, ...conditions])}
GROUP BY ALL
ORDER BY ALL`;
  const { rows } = await all(sql);
  return rows.map(([bucket, asset, came, went, moves]) => {
    const amount = (value: string | null | undefined): string => amountText(names, asset ?? '', value ?? '0');
    const words = bucket === 'AMM' ? AMM_WORDS : STAKING_WORDS;
    return `${words}: ${amount(came)} went to it and ${amount(went)} came back in ${countOf(BigInt(moves ?? 0), 'move')}, neither received nor sent`;
  });
}

const AMM_WORDS = "the party's own AMM is its own";
const STAKING_WORDS = 'what is locked for staking stays its own';

const bucketOf = (kind: string): string =>
  `CASE WHEN ${kind} LIKE 'AMM_%' THEN 'AMM' WHEN ${kind} = 'LOCKED_FOR_STAKING' THEN 'STAKING' ELSE '' END`;
const BUCKET = bucketOf('own_kind');

function amountText(names: Directory, asset: string, value: string): string {
  const unit = unitOfAsset(names, asset);
  const whole = unit && scaled(value, unit.decimals);
  return unit === undefined || whole === undefined
    ? `${groupDigits(value)} smallest units of ${asset}`
    : `${groupDigits(whole)} ${unit.symbol}`;
}
