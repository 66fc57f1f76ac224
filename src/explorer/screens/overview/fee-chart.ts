import { NOT_ANSWERED, notKnownText } from '../../../attention/overview/facts/fact.ts';
import { highestEpoch, seriesMarket } from '../../../attention/overview/facts/fees.ts';
import type { FeeFacts, FeeSeries } from '../../../attention/overview/fees.ts';
import type { Loading } from '../../../attention/rules/rule-input.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, widthCells } from '../../../base/text/width.ts';
import { barHeights } from '../../../chain/insight/bar.ts';
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

/** The highest value and 0 stand at the left, the epochs below. */
function bars(series: FeeSeries, { columns, rows }: Area): readonly Line[] {
  const { epochs } = series;
  const height = rows - 2;
  const { eighths } = barHeights(
    epochs.map(({ raw }) => raw),
    height,
  );
  const scale = truncateEnd(sanitize(highestEpoch(series)?.text ?? ''), MAX_LABEL_CELLS);
  const labelCells = widthCells(scale);
  const each = Math.min(MAX_BAR_CELLS, Math.floor((columns - labelCells - 3) / Math.max(1, epochs.length)));
  if (each < 2) return [];
  const label = (text: string): Line => [span(safeText` ${fitCells(sanitize(text), labelCells, 'right')} `)];
  const cell = (glyph: string): string => `${glyph.repeat(each - 1)} `;
  const nameCells = Math.max(...epochs.map(({ epoch }) => epoch.length));
  const [oldest, newest] = [epochs[0]?.epoch ?? '', epochs.at(-1)?.epoch ?? ''];
  // Without room for all, the first and the last one.
  const names =
    nameCells < each
      ? epochs.map(({ epoch }) => epoch.padEnd(each)).join('')
      : `${oldest.padEnd(Math.max(oldest.length + 1, each * epochs.length - 1 - newest.length))}${newest}`;
  return [
    ...Array.from({ length: height }, (_, row): Line => {
      const below = (height - row - 1) * 8;
      const glyphs = eighths.map(value => cell(UP[Math.max(0, Math.min(8, (value ?? 0) - below))] ?? ' '));
      return [...label(row === 0 ? scale : ''), span(sanitize(glyphs.join('')), 'accent')];
    }),
    [...label('0'), span(sanitize('\u2500'.repeat(each * epochs.length - 1)))],
    [...label('epoch'), span(sanitize(names))],
  ];
}

const UP = [' ', '\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];
const MAX_LABEL_CELLS = 16;
const MAX_BAR_CELLS = 8;
