import { NOT_ANSWERED, notKnownText } from '../../../attention/overview/facts/fact.ts';
import { highestEpoch, seriesMarket } from '../../../attention/overview/facts/fees.ts';
import type { FeeFacts, FeeSeries } from '../../../attention/overview/fees.ts';
import type { Loading } from '../../../attention/rules/rule-input.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd } from '../../../base/text/width.ts';
import { drawBarChart, MAX_SCALE_CELLS } from '../../core/bar-chart.ts';
import { BLANK, type Line, lineWidth, span } from '../../core/line.ts';
import { ruleTitle, titledRule } from '../../core/rule.ts';
import type { Area } from '../../core/screen.ts';

/** A bar for each of the last epochs, the oldest at the left, in as many rows whatever is known. */
export function chartLines(fees: Loading<FeeFacts>, area: Area): readonly Line[] {
  const lines = drawn(fees, area);
  return Array.from({ length: area.rows }, (_, row) => lines[row] ?? BLANK);
}

function drawn(fees: Loading<FeeFacts>, { columns, rows }: Area): readonly Line[] {
  const title = ruleTitle('Fees by epoch');
  const headed = (text: string): Line => {
    const room = columns - lineWidth(title) - ROOM_OF_RULE;
    return titledRule([title, [span(truncateEnd(sanitize(text), Math.max(0, room)))]], columns);
  };
  if (fees.kind === 'waiting') return [headed(NOT_ANSWERED)];
  if (fees.kind === 'unread') return [headed(notKnownText(fees.why))];
  const { epoch, series, why } = fees.value;
  if (epoch === null) return [headed('none')];
  if (series === null) return [headed(why === 'waiting' ? NOT_ANSWERED : notKnownText(why))];
  return [headed(seriesMarket(series)), ...bars(series, { columns, rows: rows - 1 })];
}

/** Dashes and spaces around the two parts of the heading. */
const ROOM_OF_RULE = 8;

function bars(series: FeeSeries, area: Area): readonly Line[] {
  const { epochs } = series;
  const highest = truncateEnd(sanitize(highestEpoch(series)?.text ?? ''), MAX_SCALE_CELLS);
  const names = epochs.map(({ epoch }) => epoch);
  return drawBarChart(
    { values: epochs.map(({ raw }) => BigInt(raw)), highest, names, namesTitle: safeText`epoch` },
    area,
  );
}
