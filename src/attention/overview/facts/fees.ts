import { shortenName } from '../../../base/text/shorten-name.ts';
import { sparkline } from '../../../chain/insight/bar.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { Loading } from '../../rules/rule-input.ts';
import type { FeeFacts, FeeSeries } from '../fees.ts';
import { createFact, type Fact, type FactLead, type KnownPhrases, notKnownText, partJson } from './fact.ts';

/** The fees of the newest epoch. */
export const feesFact = (fees: Loading<FeeFacts>): Fact =>
  createFact(
    fees,
    { id: 'fees', label: 'Fees', lead: epochFeesLead(fees), json: () => partJson(fees, feesJson) },
    feesPhrases,
  );

function epochFeesLead(fees: Loading<FeeFacts>): FactLead {
  if (fees.kind !== 'read' || fees.value.epoch === null) return { kind: 'tab', tab: 'fees' };
  const lead = { entity: 'epoch', id: fees.value.epoch } as const;
  return { kind: 'list', goal: { kind: 'list', resource: 'fees', filter: 'epochSeq', lead } };
}

function feesPhrases({ epoch, markets, totals }: FeeFacts): KnownPhrases {
  if (epoch === null) return { parts: ['none: this node has no record of paid fees'] };
  const on = `on ${countOf(markets, 'market')}`;
  const some = totals.slice(0, MAX_TOTALS).map(({ text }) => text);
  const whole = `epoch ${epoch}: ${some.join(', ')}${moreAssetsText(totals.length - MAX_TOTALS)} ${on}`;
  return {
    parts: [whole],
    shorter: shorterFees(epoch, totals, on),
    sentence: `${whole}, allocated to liquidity providers`,
  };
}

const MAX_TOTALS = 3;

const moreAssetsText = (count: number): string => (count > 0 ? ` and ${countOf(count, 'more asset')}` : '');

function shorterFees(epoch: string, totals: FeeFacts['totals'], on: string): readonly string[] {
  const head = `epoch ${epoch}: `;
  const [first] = totals;
  const rest = totals.length - 1;
  const short = `${head}${first?.text ?? 'nothing'}${moreAssetsText(rest)}`;
  return [
    `${short} ${on}`,
    short,
    ...(rest > 0 ? [`${head}${first?.text} +${rest} more`, `${head}${countOf(totals.length, 'asset')} ${on}`] : []),
  ];
}

/** The fees of the last epochs, which may not be known where those of the newest are. */
export function trendFact(fees: Loading<FeeFacts>): Fact {
  const named = { id: 'trend', label: 'Trend', isBelow: true, lead: marketLead(fees) } as const;
  if (fees.kind !== 'read' || fees.value.epoch === null)
    return { ...createFact(fees, named, () => ({ parts: ['none'] })), line: '' };
  const { series, why, totals } = fees.value;
  if (series === null) {
    const fact = createFact(why === 'waiting' ? { kind: 'waiting' } : { kind: 'unread', why }, named, () => ({
      parts: [],
    }));
    return { ...fact, line: `last epochs ${notKnownText(why)}` };
  }
  const of = seriesText(series, totals);
  const chart = sparkline(series.epochs.map(({ raw }) => BigInt(raw)));
  // The note about missing data belongs to the fees.
  return { ...createFact(fees, named, () => ({ parts: [of], chart, sentence: `fees of the ${of}` })), line: of };
}

/** The market that the chart is of. */
function marketLead(fees: Loading<FeeFacts>): FactLead {
  const id = fees.kind === 'read' ? (fees.value.series?.marketId ?? null) : null;
  return id === null ? epochFeesLead(fees) : { kind: 'record', resource: 'markets', key: id };
}

/** Which epochs, asset and market the fees of the last epochs are of. */
function seriesText(series: FeeSeries, totals: FeeFacts['totals']): string {
  const symbol = totals.find(({ assetId }) => assetId === series.assetId.toLowerCase())?.symbol ?? 'one asset';
  const highest = highestEpoch(series);
  const scale = highest === undefined || !/[1-9]/.test(highest.raw) ? symbol : `up to ${highest.text}`;
  return `epochs ${series.epochs[0]?.epoch} to ${series.epochs.at(-1)?.epoch}, ${scale} on ${seriesMarket(series)}`;
}

/** Where the fees of the last epochs were paid. */
export const seriesMarket = ({ marketId, market }: FeeSeries): string =>
  marketId === null ? 'all markets' : (market ?? shortenName(marketId).slice(0, 12));

/** The epoch with the highest fees: the scale of a chart. */
export const highestEpoch = ({ epochs }: FeeSeries): FeeSeries['epochs'][number] | undefined =>
  epochs.reduce<FeeSeries['epochs'][number] | undefined>(
    (most, one) => (most === undefined || BigInt(one.raw) > BigInt(most.raw) ? one : most),
    undefined,
  );

const feesJson = ({ epoch, markets, totals, series, why }: FeeFacts) => ({
  epoch,
  markets,
  totals: totals.map(({ assetId, symbol, raw, value, markets }) => ({ asset: assetId, symbol, raw, value, markets })),
  lastEpochs: series && {
    market: series.marketId,
    asset: series.assetId,
    epochs: series.epochs.map(({ epoch, raw }) => ({ epoch, raw })),
  },
  lastEpochsError: series === null ? why : null,
});
