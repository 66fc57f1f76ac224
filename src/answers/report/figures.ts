import type { Directory } from '../../chain/directory/directory.ts';
import { groupDigits, toWholeUnits } from '../../chain/insight/decimal.ts';
import type { ReadyAnswer } from '../index.ts';
import type { FigureRecord } from './report.ts';

/** A sum of columns of an answer: each by its id there, and its name in the SQL. */
export interface NamedAmount {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly SourceColumn[];
}

interface SourceColumn {
  readonly id: string;
  readonly sql: string;
  /** Columns that follow from it. */
  readonly also?: readonly string[];
}

interface SumOptions {
  readonly by: readonly SourceColumn[];
  readonly amounts: readonly NamedAmount[];
  /** Only rows whose column matches. */
  readonly only?: { readonly column: string; readonly pattern: string };
  /** Leaves out sums that are all 0. */
  readonly without?: 'zero';
}

export interface AnswerSums {
  readonly records: readonly FigureRecord[];
  readonly sql: string;
}

/** Adds up the rows of an answer, exactly, with the SQL that gives the same sums. */
export function sumAnswer(answer: ReadyAnswer, { by, amounts, only, without }: SumOptions): AnswerSums {
  const groups = new Map<string, { readonly first: FigureRecord; readonly sums: bigint[] }>();
  for (const record of answerRecords(answer)) {
    if (only !== undefined && !new RegExp(only.pattern).test(record[only.column] ?? '')) continue;
    const key = JSON.stringify(by.map(({ id }) => record[id] ?? null));
    const group = groups.get(key) ?? { first: record, sums: amounts.map(() => 0n) };
    groups.set(key, group);
    for (const [at, { parts }] of amounts.entries())
      for (const { id } of parts) group.sums[at] = (group.sums[at] ?? 0n) + BigInt(record[id] ?? 0);
  }
  const shown = [...groups.values()]
    .filter(({ sums }) => without === undefined || sums.some(sum => sum !== 0n))
    .toSorted((one, other) => byColumns(one.first, other.first, by));
  return {
    records: shown.map(({ first, sums }) => ({
      ...Object.fromEntries(by.flatMap(({ id, also = [] }) => [id, ...also].map(name => [name, first[name] ?? null]))),
      ...Object.fromEntries(amounts.map(({ id }, at) => [id, String(sums[at] ?? 0n)])),
    })),
    sql: summingSql(answer.sql, { by, amounts, ...(only && { only }), ...(without && { without }) }),
  };
}

/** The order of the SQL: whole numbers by their size. */
function byColumns(one: FigureRecord, other: FigureRecord, by: SumOptions['by']): number {
  for (const { id } of by) {
    const [a, b] = [one[id] ?? '', other[id] ?? ''];
    if (a === b) continue;
    const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
    return areNumbers ? (BigInt(a) < BigInt(b) ? -1 : 1) : a < b ? -1 : 1;
  }
  return 0;
}

function summingSql(sql: string, { by, amounts, only, without }: SumOptions): string {
  const names = by.map(({ sql: name }) => name);
  const sums = amounts.map(({ id, parts }) => ({
    name: id.replace(/Smallest$/, ''),
    sum: parts.map(part => `sum(${part.sql})`).join(' + '),
  }));
  const some =
    without === undefined ? '' : `\nHAVING ${sums.map(({ sum }) => `(${sum})::VARCHAR <> '0'`).join(' OR ')}`;
  return `SELECT ${[...names, ...sums.map(({ name, sum }) => `${sum} AS "${name}"`)].join(', ')}
FROM (
${sql}
)${only === undefined ? '' : `\nWHERE regexp_matches(${only.column}, '${only.pattern}')`}
GROUP BY ${names.join(', ')}${some}
ORDER BY ${names.join(', ')}`;
}

/** The rows of an answer by the ids of its columns, as programs get them. */
export const answerRecords = ({ columns, rows }: ReadyAnswer): readonly FigureRecord[] =>
  rows.map(row =>
    Object.fromEntries(columns.flatMap(({ id, in: where }, at) => (where === 'table' ? [] : [[id, row[at] ?? null]]))),
  );

/** An amount in units of its asset, or in smallest units if its decimals are not known. */
export function unitAmountText({ assets }: Directory, asset: string, smallest: string): string {
  const decimals = assets.get(asset)?.decimals ?? null;
  const units = decimals === null ? undefined : toWholeUnits(smallest, decimals);
  return units === undefined ? `${groupDigits(smallest)} smallest` : groupDigits(units);
}
