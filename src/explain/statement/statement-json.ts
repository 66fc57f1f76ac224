import type { JsonObject } from '../../api/json.ts';
import { type Directory, nameOf, unitOfAsset } from '../../directory/directory.ts';
import type { AssetTotal } from '../../insight/statement.ts';
import type { AllocatedLine, StatementLine } from '../../insight/statement-line.ts';
import { amountJson, shareJson } from '../amount-json.ts';
import type { FeeStatement } from './fee-statement.ts';

/** A statement with the stable member names of docs/statement.md. */
export function statementJson(statement: FeeStatement, directory: Directory): JsonObject {
  const { question, epochs, span, basis, ammIncome, requests, notes, problems } = statement;
  return {
    party: question.party || null,
    market: question.market || null,
    asset: question.asset || null,
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

export function lineJson(line: StatementLine, directory: Directory): JsonObject {
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

function allocatedJson(line: AllocatedLine, directory: Directory): JsonObject {
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

export function totalJson(total: AssetTotal, directory: Directory): JsonObject {
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
