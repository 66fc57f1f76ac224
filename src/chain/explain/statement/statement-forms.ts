import type { RecordsToSerialise } from '../../../base/text/serialise.ts';
import { indentedJson, type JsonObject, printJson } from '../../api/json.ts';
import { type Directory, nameOf, unitOfAsset } from '../../directory/directory.ts';
import { toWholeUnits } from '../../insight/decimal.ts';
import type { AllocatedFeesLine, AssetTotal, StatementLine } from '../../insight/statement.ts';
import { amountJson, shareJson } from '../amounts.ts';
import type { FeeStatement } from './fee-statement.ts';

const COLUMNS = [
  ...['kind', 'epoch', 'to_epoch', 'market', 'market_name', 'asset', 'symbol'],
  ...['amount', 'amount_scaled', 'amm_amount', 'amm_amount_scaled', 'market_total', 'market_total_scaled', 'share'],
  ...['running_total', 'running_total_scaled', 'parties'],
  ...['top_party', 'top_amount', 'top_amount_scaled', 'top_share', 'why'],
] as const;

type Cells = { readonly [column in (typeof COLUMNS)[number]]?: string };

type StatementRecord =
  | { readonly kind: 'line'; readonly line: StatementLine }
  | { readonly kind: 'total'; readonly total: AssetTotal };

/** The columns of docs/guides/statement.md. Nothing is rounded but the percentages; a table of cells leaves the totals out. */
export const statementForms = (statement: FeeStatement, directory: Directory): RecordsToSerialise<StatementRecord> => ({
  records: [
    ...statement.lines.map(line => ({ kind: 'line', line }) as const),
    ...statement.totals.map(total => ({ kind: 'total', total }) as const),
  ],
  head: () => COLUMNS,
  cells: record => {
    if (record.kind === 'total') return [];
    const cells = statementCells(record.line, directory);
    return [COLUMNS.map(column => cells[column] ?? '')];
  },
  json: record =>
    printJson(record.kind === 'line' ? lineJson(record.line, directory) : totalJson(record.total, directory)),
  document: () => indentedJson(statementJson(statement, directory)),
});

function statementCells(line: StatementLine, directory: Directory): Cells {
  const unit = unitOfAsset(directory, line.asset);
  const value = (raw: string): string => (unit === undefined ? '' : (toWholeUnits(raw, unit.decimals) ?? ''));
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

/** A statement with the stable member names of docs/guides/statement.md. */
function statementJson(statement: FeeStatement, directory: Directory): JsonObject {
  const { query, epochs, span, basis, ammIncome, requests, notes, problems } = statement;
  return {
    party: query.party || null,
    market: query.market || null,
    asset: query.asset || null,
    epochs: epochs && { from: String(epochs.from), to: String(epochs.to) },
    span,
    basis,
    ammIncome,
    lines: statement.lines.map(line => lineJson(line, directory)),
    totals: statement.totals.map(total => totalJson(total, directory)),
    notes,
    problems,
    requests,
  };
}

function lineJson(line: StatementLine, directory: Directory): JsonObject {
  const { kind, epoch, market, asset } = line;
  const place = {
    kind,
    epoch,
    market: market || null,
    marketName: nameOf(directory, 'market', market) ?? null,
    asset: asset || null,
  };
  switch (line.kind) {
    case 'allocated':
      return { ...place, ...allocatedJson(line, directory) };
    case 'none':
    case 'not-known':
    case 'open':
    case 'future':
      return { ...place, toEpoch: line.toEpoch };
    case 'unreadable':
      return { ...place, why: line.why };
  }
}

function allocatedJson(line: AllocatedFeesLine, directory: Directory): JsonObject {
  const unit = unitOfAsset(directory, line.asset);
  const amount = (raw: string) => amountJson(raw, unit);
  const share = (part: string, percent: string) => shareJson(part, line.marketTotal, percent);
  return {
    amount: amount(line.amount),
    ammAmount: amount(line.ammAmount),
    marketTotal: amount(line.marketTotal),
    share: share(line.amount, line.share),
    runningTotal: amount(line.running),
    ...(line.parties !== null && { parties: line.parties }),
    ...(line.parties !== null && {
      top: line.top && {
        party: line.top.party,
        amount: amount(line.top.amount),
        share: share(line.top.amount, line.top.share),
      },
    }),
  };
}

function totalJson(total: AssetTotal, directory: Directory): JsonObject {
  const unit = unitOfAsset(directory, total.asset);
  const amount = (raw: string) => amountJson(raw, unit);
  const { asset, allocations, unreadable, largest } = total;
  return {
    kind: 'total',
    asset,
    amount: amount(total.amount),
    ammAmount: amount(total.ammAmount),
    marketTotal: total.marketTotal === '' ? null : amount(total.marketTotal),
    share: shareJson(total.amount, total.marketTotal, total.share),
    allocations,
    unreadable,
    largest: largest && { epoch: largest.epoch, market: largest.market, amount: amount(largest.amount) },
  };
}
