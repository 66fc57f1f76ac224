import { sanitize } from '../../base/text/safe-text.ts';
import { type Directory, nameOf } from '../../chain/directory/directory.ts';
import type { Holding, ReadyAnswer } from '../index.ts';
import { answerRecords, unitAmountText } from './figures.ts';
import type { Chart, ChartValue, FigureRecord } from './report.ts';

/** Amounts received and sent by month, a chart per asset. Months without money between others are shown as 0. */
export function moneyBars(months: readonly FigureRecord[], names: Directory): readonly Chart[] {
  return [...Map.groupBy(months, ({ assetId }) => assetId ?? '')].map(([asset, records]) => {
    const first = records[0]?.month ?? '';
    const last = records.at(-1)?.month ?? '';
    const points = monthsBetween(first, last).map(label => {
      const record = records.find(({ month }) => month === label);
      const value = (id: string): ChartValue => chartValue(names, asset, record?.[id] ?? '0');
      return { label, up: value('receivedSmallest'), down: value('sentSmallest') };
    });
    return { kind: 'bars', title: `${assetText(names, asset)}: received and sent by month`, points };
  });
}

/**
 * The sum of all accounts of an asset at the end of each day with a change, from the answer `balance` by day. An account
 * counts from the start of the range if that balance is known, else from its first row.
 */
export function balanceLines(daily: ReadyAnswer, holdings: readonly Holding[], names: Directory): readonly Chart[] {
  const ofAsset = Map.groupBy(answerRecords(daily), ({ assetId }) => assetId ?? '');
  return [...ofAsset].flatMap(([asset, records]) => {
    const held = new Map(
      holdings.flatMap(({ asset: of, kind, market, opening }) =>
        of === asset && opening !== null
          ? [[`ACCOUNT_TYPE_${kind}`.replace(/^(.*TYPE_)AMM_/, 'AMM $1') + market, BigInt(opening)] as const]
          : [],
      ),
    );
    const points = [...Map.groupBy(records, ({ day }) => day ?? '')]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([label, changes]) => {
        for (const { account, marketId, balanceSmallest } of changes)
          held.set(`${account}${marketId ?? ''}`, BigInt(balanceSmallest ?? 0));
        const sum = [...held.values()].reduce((total, value) => total + value, 0n);
        return { label, value: chartValue(names, asset, String(sum)) };
      });
    return points.length < 2
      ? []
      : [{ kind: 'line', title: `${assetText(names, asset)}: all accounts together, by day`, points } as const];
  });
}

function chartValue(names: Directory, asset: string, smallest: string): ChartValue {
  const decimals = names.assets.get(asset)?.decimals ?? 0;
  return { text: unitAmountText(names, asset, smallest), drawn: Number(smallest) / 10 ** decimals };
}

const assetText = (names: Directory, asset: string): string => nameOf(names, 'asset', asset) ?? sanitize(asset);

/** `2026-10` to `2026-12`; only the two ends if they are further apart than a chart has room. */
function monthsBetween(first: string, last: string): readonly string[] {
  const [from, to] = [first, last].map(month => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1);
  if (from === undefined || to === undefined || !(to - from < MAX_MONTHS)) return [...new Set([first, last])];
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const month = from + at;
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

const MAX_MONTHS = 60;
