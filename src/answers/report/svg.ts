import { sanitize } from '../../base/text/safe-text.ts';
import type { Chart } from './report.ts';

const [WIDTH, HEIGHT] = [360, 170] as const;
/** Room for the texts above, below and at the sides of the drawing. */
const [TOP, BOTTOM, LEFT] = [20, 19, 4] as const;

/** A chart as inline SVG with its values as text, so that it can be understood without being seen. */
export function chartSvg(chart: Chart): string {
  const [drawn, said] = chart.kind === 'bars' ? [bars(chart), barsText(chart)] : [line(chart), pointsText(chart)];
  return `<figure><figcaption>${escapeMarkup(chart.title)}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(`${chart.title}. ${said}`)}">${drawn}</svg></figure>`;
}

type Bars = Extract<Chart, { kind: 'bars' }>;
type Line = Extract<Chart, { kind: 'line' }>;

/** Received above the axis and sent below it, to one scale. */
function bars({ points }: Bars): string {
  const [up, down] = [maxOf(points.map(each => each.up.drawn)), maxOf(points.map(each => each.down.drawn))];
  const height = HEIGHT - TOP - 2 * BOTTOM;
  const scale = up + down === 0 ? 0 : height / (up + down);
  const axis = TOP + up * scale;
  const step = (WIDTH - 2 * LEFT) / Math.max(points.length, 1);
  const width = Math.min(step * 0.7, 40);
  const rect = (kind: string, x: number, y: number, tall: number): string =>
    `<rect class="${kind}" x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}" height="${coordinate(tall)}"/>`;
  const drawn = points.map(({ label, up: came, down: went }, index) => {
    const x = LEFT + index * step + (step - width) / 2;
    const [above, below] = [barHeight(came.drawn, scale), barHeight(went.drawn, scale)];
    const isLabelled = index % Math.ceil(points.length / MAX_LABELS) === 0;
    return `<g><title>${escapeMarkup(`${label}: received ${came.text}, sent ${went.text}`)}</title>${rect('up', x, axis - above, above)}${rect('down', x, axis, below)}${
      isLabelled ? svgText(LEFT + index * step + step / 2, HEIGHT - 3, label, 'middle') : ''
    }</g>`;
  });
  const [most, least] = [largestText(points.map(each => each.up)), largestText(points.map(each => each.down))];
  return `${drawn.join('')}<line class="axis" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${coordinate(axis)}" y2="${coordinate(axis)}"/>${svgText(LEFT, 13, `received, at most ${most}`)}${svgText(LEFT, HEIGHT - BOTTOM, `sent, at most ${least}`)}`;
}

function line({ points }: Line): string {
  const values = points.map(({ value }) => value.drawn);
  const [most, least] = [maxOf(values), values.reduce((low, value) => Math.min(low, value), values[0] ?? 0)];
  const height = HEIGHT - TOP - 2 * BOTTOM;
  const [first, last] = [points[0], points.at(-1)];
  const place = (value: number, index: number): string => {
    const x = LEFT + (index * (WIDTH - 2 * LEFT)) / Math.max(points.length - 1, 1);
    const y = TOP + (most === least ? height / 2 : ((most - value) / (most - least)) * height);
    return `${coordinate(x)},${coordinate(y)}`;
  };
  const top = points.find(({ value }) => value.drawn === most)?.value.text ?? '';
  const low = points.find(({ value }) => value.drawn === least)?.value.text ?? '';
  const floor = HEIGHT - 2 * BOTTOM + 4;
  return `<polyline class="curve" points="${values.map(place).join(' ')}"/><line class="axis" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${floor}" y2="${floor}"/>${svgText(LEFT, 13, `at most ${top}`)}${svgText(LEFT, HEIGHT - BOTTOM, `at least ${low}`)}${svgText(LEFT, HEIGHT - 3, first?.label ?? '')}${svgText(WIDTH - LEFT, HEIGHT - 3, last?.label ?? '', 'end')}`;
}

const MAX_LABELS = 6;

const barsText = ({ points }: Bars): string =>
  points.map(({ label, up, down }) => `${label}: received ${up.text}, sent ${down.text}`).join('; ');

const pointsText = ({ points }: Line): string => points.map(({ label, value }) => `${label}: ${value.text}`).join('; ');

/** An amount that is not 0 is seen, however small it is. */
const barHeight = (value: number, scale: number): number => (value > 0 ? Math.max(value * scale, 1) : 0);

const maxOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

const largestText = (values: readonly { readonly drawn: number; readonly text: string }[]): string =>
  values.reduce((most, value) => (value.drawn > most.drawn ? value : most), { drawn: 0, text: '0' }).text;

const svgText = (x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start'): string =>
  `<text x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}"${text.length > MAX_FITTING_LENGTH ? SQUEEZED_ATTRIBUTES : ''}>${escapeMarkup(text)}</text>`;

/** Longer text is drawn narrower: a number that extends beyond the picture would be cut. */
const MAX_FITTING_LENGTH = 46;
const SQUEEZED_ATTRIBUTES = ` textLength="${WIDTH - 2 * LEFT}" lengthAdjust="spacingAndGlyphs"`;

const coordinate = (value: number): string => String(Math.round(value * 10) / 10);

/** Text without markup and without invisible characters, in an element or an attribute. */
export const escapeMarkup = (text: string): string =>
  sanitize(text).replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`);
