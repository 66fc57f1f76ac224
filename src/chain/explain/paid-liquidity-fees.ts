import type { JsonObject } from '../api/json.ts';
import { type Directory, nameOf, nameOrEnds, type Unit, unitOfAsset } from '../directory/directory.ts';
import { bar } from '../insight/bar.ts';
import {
  compareFees,
  type FeeRow,
  type PartyFee,
  sharePercent,
  shareText,
  sumPaid,
  wholeAmount,
} from '../insight/paid-fees.ts';
import { isFilterActive } from '../resources/filter.ts';
import { readFeeRow } from '../resources/paid-liquidity-fees.ts';
import { alignAmounts, amountInWords, amountJson, shareJson } from './amounts.ts';
import type { ExplainedLine, Explainer } from './explanation.ts';

/** Who was allocated how much of the fees of a market in an epoch, largest first, before penalties and bonuses. */
export const explainPaidFees: Explainer = async (row, { directory, around }) => {
  const read = readFeeRow(row);
  const fee: Fee = {
    row: { ...read, feesPaidPerParty: read.feesPaidPerParty.toSorted(compareFees) },
    unit: unitOfAsset(directory, read.asset),
    isOfSome: isFilterActive(around.filters, 'partyIds'),
  };
  const title = fee.isOfSome ? 'Allocated to the requested parties' : 'Allocated to';
  const paid = fee.row.feesPaidPerParty;
  const texts = alignAmounts(
    paid.map(({ amount }) => amount),
    fee.unit,
  );
  const [largest] = paid.map(({ amount }) => wholeAmount(amount) ?? 0n);
  const lines = paid.map((one, index) => ({
    ...partyLine({ ...one, text: texts[index] ?? '' }, fee, directory),
    bar: bar(wholeAmount(one.amount) ?? 0n, largest ?? 0n, BAR_CELLS),
  }));
  return {
    parts: [{ title: '', lines: headline(fee, directory) }, ...(lines.length === 0 ? [] : [{ title, lines }])],
    json: asJson(fee, directory),
    copies: [],
  };
};

interface Fee {
  readonly row: FeeRow;
  readonly unit: Unit | undefined;
  /** Requested by party: others may have some too. */
  readonly isOfSome: boolean;
}

function headline(fee: Fee, directory: Directory): readonly ExplainedLine[] {
  const { row, unit, isOfSome } = fee;
  const { market, asset, epochSeq, totalFeesPaid, feesPaidPerParty: paid } = row;
  const whom = paid.length === 1 ? '1 party' : `${paid.length} parties`;
  const scope = isOfSome ? `for the whole market; below, ${whom} of those requested` : `to ${whom}`;
  return [
    { label: 'market', text: nameOf(directory, 'market', market) ?? market, copied: market, ...to('market', market) },
    { label: 'epoch', text: epochSeq },
    {
      label: 'total',
      text: `${amountInWords(totalFeesPaid, unit)}, ${scope}`,
      short: amountInWords(totalFeesPaid, unit),
      copied: totalFeesPaid,
    },
    { label: '', text: 'allocated, before penalties and bonuses; the ledger shows what arrived' },
    { label: 'asset', text: nameOf(directory, 'asset', asset) ?? asset, copied: asset, ...to('asset', asset) },
    ...feeDoubts(fee).map(text => ({ label: '', text, tone: 'bad' }) as const),
  ];
}

function partyLine(
  { party, amount, text }: PartyFee & { readonly text: string },
  { row }: Fee,
  directory: Directory,
): ExplainedLine {
  const percent = shareText(amount, row.totalFeesPaid);
  const share = percent === undefined ? '' : `${percent} %`;
  return {
    label: nameOrEnds(directory, 'party', party),
    text: `${share.padStart(SHARE_CELLS)}  ${text}  ${party}`,
    short: share.padStart(SHARE_CELLS),
    copied: party,
    ...to('party', party),
  };
}

/** Next to the largest share. */
const BAR_CELLS = 6;

/** `100.0 %` */
const SHARE_CELLS = 7;

const to = (entity: 'market' | 'asset' | 'party', id: string): Pick<ExplainedLine, 'leadsTo'> =>
  id === '' ? {} : { leadsTo: { entity, id } };

function feeDoubts({ row, isOfSome }: Fee): readonly string[] {
  const total = wholeAmount(row.totalFeesPaid);
  const sum = sumPaid(row);
  const doubts = [
    ...(total === undefined ? ['the total is not a whole number: shares are unknown'] : []),
    ...(row.feesPaidPerParty.length === 0
      ? ['the row has no party ids']
      : sum === undefined
        ? ['the amount of a party is not a whole number: the parties cannot be added up']
        : []),
  ];
  if (total === undefined || sum === undefined) return doubts;
  const isOff = isOfSome ? BigInt(sum) > total : BigInt(sum) !== total;
  return isOff ? [`the parties add up to ${sum}, the total is ${total}, in smallest units`] : [];
}

function asJson(fee: Fee, directory: Directory): JsonObject {
  const { row, unit, isOfSome } = fee;
  const { market, asset, epochSeq, totalFeesPaid, feesPaidPerParty } = row;
  const paid = sumPaid(row);
  return {
    epoch: epochSeq,
    market: { id: market, name: nameOf(directory, 'market', market) ?? null },
    asset: { id: asset, symbol: unit?.symbol ?? null, decimals: unit?.decimals ?? null },
    total: amountJson(totalFeesPaid, unit),
    allocated: paid === undefined ? null : amountJson(paid, unit),
    onlySomeParties: isOfSome,
    parties: feesPaidPerParty.map(({ party, amount }) => ({
      party,
      name: nameOf(directory, 'party', party) ?? null,
      amount: amountJson(amount, unit),
      share: shareJson(amount, totalFeesPaid, sharePercent(amount, totalFeesPaid) ?? ''),
    })),
    problems: feeDoubts(fee),
  };
}
