import { type Directory, nameOf, unitOfAsset } from '../../directory/directory.ts';
import { scaled } from '../../insight/decimal.ts';
import type { StatementLine } from '../../insight/statement-line.ts';
import type { FeeStatement } from './fee-statement.ts';

const COLUMNS = [
  ...['kind', 'epoch', 'to_epoch', 'market', 'market_name', 'asset', 'symbol'],
  ...['amount', 'amount_scaled', 'amm_amount', 'amm_amount_scaled', 'market_total', 'market_total_scaled', 'share'],
  ...['running_total', 'running_total_scaled', 'parties'],
  ...['top_party', 'top_amount', 'top_amount_scaled', 'top_share', 'why'],
] as const;

type Cells = { readonly [column in (typeof COLUMNS)[number]]?: string };

/** The columns of docs/statement.md and a record a line; nothing is rounded but the percentages. */
export const statementCsv = (statement: FeeStatement, directory: Directory): readonly (readonly string[])[] => [
  COLUMNS,
  ...statement.lines.map(line => {
    const cells = cellsOf(line, directory);
    return COLUMNS.map(column => cells[column] ?? '');
  }),
];

function cellsOf(line: StatementLine, directory: Directory): Cells {
  const unit = unitOfAsset(directory, line.asset);
  const value = (raw: string): string => (unit === undefined ? '' : (scaled(raw, unit.decimals) ?? ''));
  const place = {
    kind: line.kind,
    epoch: line.epoch,
    to_epoch: 'toEpoch' in line ? line.toEpoch : line.epoch,
    market: line.market,
    market_name: nameOf(directory, 'market', line.market) ?? '',
    asset: line.asset,
    symbol: unit?.symbol ?? '',
  };
  switch (line.kind) {
    case 'allocated':
      return {
        ...place,
        amount: line.amount,
        amount_scaled: value(line.amount),
        amm_amount: line.ammAmount,
        amm_amount_scaled: value(line.ammAmount),
        market_total: line.marketTotal,
        market_total_scaled: value(line.marketTotal),
        share: line.share,
        running_total: line.running,
        running_total_scaled: value(line.running),
        parties: String(line.parties ?? ''),
        top_party: line.top?.party ?? '',
        top_amount: line.top?.amount ?? '',
        top_amount_scaled: value(line.top?.amount ?? ''),
        top_share: line.top?.share ?? '',
      };
    case 'none':
    case 'not-known':
    case 'open':
    case 'future':
      return place;
    case 'unreadable':
      return { ...place, why: line.why };
  }
}
