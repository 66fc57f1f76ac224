import { repeatSafe, safeText, sanitize } from '../../base/text/safe-text.ts';
import { cutLine, type Line, lineWidth, span } from './line.ts';

/** What a screen says of itself, the title first: how much it shows, in which order, and what narrows that. */
export type RuleParts = readonly Line[];

/** The title of a screen, or of a part of one. */
export const ruleTitle = (title: string): Line => [span(sanitize(title), 'strong')];

/** The cells that a rule with these parts needs. */
export const ruleCells = (parts: RuleParts): number => EDGE * 2 + lineWidth(joined(parts));

/** The first of these that has room, or else the last one, which is cut. */
export const fittingParts = (ways: readonly RuleParts[], cells: number): RuleParts =>
  ways.find(parts => ruleCells(parts) <= cells) ?? ways.at(-1) ?? [];

/** A rule across the screen that carries its parts, and another at its right end, which gives way where there is no room. */
export function titledRule(parts: RuleParts, cells: number, right: Line = []): Line {
  const isTight = ruleCells(parts) > cells;
  const said = cutLine(joined(parts, isTight ? CLOSE : BETWEEN), Math.max(0, cells - EDGE - (isTight ? 0 : EDGE)));
  const start = said.length === 0 ? [] : [rule(EDGE - 1), BLANK, ...said, ...(isTight ? [] : [BLANK])];
  const end = right.length === 0 ? [] : [BLANK, ...right, BLANK, rule(1)];
  const left = cells - lineWidth(start) - lineWidth(end);
  return left < 1 && end.length > 0 ? titledRule(parts, cells) : [...start, rule(left), ...end];
}

/** A stroke and a blank at each side. */
const EDGE = 2;

const BLANK = span(safeText` `);

const rule = (cells: number) => span(repeatSafe(safeText`\u2500`, Math.max(0, cells)), 'quiet');

const joined = (parts: RuleParts, between = BETWEEN): Line =>
  parts.filter(part => lineWidth(part) > 0).flatMap((part, index) => (index === 0 ? part : [between, ...part]));

const BETWEEN = span(safeText` \u2500 `, 'quiet');

/** Between parts when the room is short. */
const CLOSE = span(safeText`  `);
