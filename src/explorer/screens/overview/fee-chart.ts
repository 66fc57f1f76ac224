import { NOT_ANSWERED } from '../../../attention/overview/facts/fact.ts';
import { seriesText } from '../../../attention/overview/facts/fees.ts';
import type { FeeFacts } from '../../../attention/overview/fees.ts';
import type { Loading } from '../../../attention/rules/rule-input.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, widthCells } from '../../../base/text/width.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { BLANK, type Line, span, textLine } from '../../core/line.ts';
import { CHART_ROWS } from './layout.ts';

/** A bar for each of the last epochs, the newest first, in as many rows whatever is known. */
export function chartLines(fees: Loading<FeeFacts>, columns: number): readonly Line[] {
  const lines = drawn(fees, columns);
  return Array.from({ length: CHART_ROWS }, (_, row) => lines[row] ?? BLANK);
}

function drawn(fees: Loading<FeeFacts>, columns: number): readonly Line[] {
  const head = (text: string): Line => [
    span(sanitize(' Fees by epoch'), 'strong'),
    span(truncateEnd(sanitize(`  ${text}`), columns - 15), 'quiet'),
  ];
  if (fees.kind === 'read' && fees.value.epoch === null) return [head('none')];
  // Why nothing is known is said above, in the line about the trend.
  if (fees.kind !== 'read' || fees.value.series === null)
    return [
      head(
        fees.kind === 'waiting' || (fees.kind === 'read' && fees.value.why === 'waiting') ? NOT_ANSWERED : 'not known',
      ),
    ];
  const { series, totals } = fees.value;
  const epochs = series.epochs.toReversed();
  const most = epochs.reduce((high, { raw }) => (BigInt(raw) > high ? BigInt(raw) : high), 0n);
  const figures = epochs.map(({ text }) => sanitize(text));
  const figureCells = Math.max(...figures.map(widthCells));
  const nameCells = Math.max(...epochs.map(({ epoch }) => epoch.length));
  const room = Math.min(MAX_BAR_CELLS, columns - nameCells - figureCells - 6);
  return [
    head(seriesText(series, totals)),
    ...epochs.map(({ epoch, raw }, index): Line => {
      const figure = figures[index] ?? sanitize('');
      const padding = ' '.repeat(figureCells - widthCells(figure));
      return [
        ...textLine(` ${epoch.padStart(nameCells)}  `, 'quiet'),
        span(sanitize(padding)),
        span(figure),
        ...(room < MIN_BAR_CELLS
          ? []
          : [span(fitCells(sanitize(`  ${bar(BigInt(raw), most, room)}`), room + 2), 'accent')]),
      ];
    }),
  ];
}

/** The eye does not follow a longer one back to its figure. */
const MAX_BAR_CELLS = 100;

/** A shorter bar says little. */
const MIN_BAR_CELLS = 8;
