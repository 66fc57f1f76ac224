import { safeText, sliceSafe } from '../../base/text/safe-text.ts';
import type { Preferences } from '../services/preferences.ts';
import { barLine, fillLine, type Line, type Span, span } from './line.ts';

export type ThemeName = NonNullable<Preferences['theme']>;

/** Preferences for how the explorer looks. */
export type AppearancePreferences = Pick<Preferences, 'theme' | 'charset' | 'selection' | 'preview'>;

/** The display features that the terminal is known to support, whatever the preferences are. */
export interface DisplaySupport {
  /** False where it has none, or none is wanted. */
  readonly hasColour: boolean;
  /** The 256 colours, which some take for blinking. */
  readonly hasManyColours: boolean;
  readonly isUtf8: boolean;
  /** Undefined until the terminal or its environment tells. */
  readonly background?: TerminalBackground | undefined;
}

export type TerminalBackground = 'dark' | 'light';

export interface Appearance {
  readonly terminal: DisplaySupport;
  /** Chosen while the explorer runs; overrides all others. */
  readonly byHand: AppearancePreferences;
}

/** What decides about the looks; preferences come from settings, variables and flags. */
interface AppearanceSources {
  readonly looks: Appearance;
  readonly preferences?: AppearancePreferences;
}

const USUAL_TERMINAL: DisplaySupport = { hasColour: true, hasManyColours: true, isUtf8: true };

export const initialAppearance = (terminal = USUAL_TERMINAL): Appearance => ({ terminal, byHand: {} });

/** Without colour there is none, but for one who asks for a theme by hand. `auto` follows the background, if it is known. */
export function pickTheme(sources: AppearanceSources): ThemeName {
  const { terminal } = sources.looks;
  const wanted = chosenTheme(sources);
  if (wanted === 'auto') return (terminal.hasManyColours ? terminal.background : undefined) ?? 'auto';
  return wanted === 'mono' || terminal.hasManyColours ? wanted : 'auto';
}

/** Whether the colours depend on the background of the terminal. */
export const followsBackground = (sources: AppearanceSources): boolean =>
  chosenTheme(sources) === 'auto' && sources.looks.terminal.hasManyColours;

const chosenTheme = ({ looks: { terminal, byHand }, preferences = {} }: AppearanceSources): ThemeName =>
  byHand.theme ?? (terminal.hasColour ? (preferences.theme ?? 'auto') : 'mono');

export const withBackground = (looks: Appearance, background: TerminalBackground): Appearance => ({
  ...looks,
  terminal: { ...looks.terminal, background },
});

export function usesAscii({ looks: { terminal, byHand }, preferences = {} }: AppearanceSources): boolean {
  const charset = byHand.charset ?? preferences.charset ?? 'auto';
  return charset === 'auto' ? !terminal.isUtf8 : charset === 'ascii';
}

export const marksWholeLine = ({ looks: { byHand }, preferences = {} }: AppearanceSources): boolean =>
  (byHand.selection ?? preferences.selection) !== 'edges';

/** Whether a wide list previews its selected record. */
export const showsRecordBeside = ({ looks: { byHand }, preferences = {} }: AppearanceSources): boolean =>
  (byHand.preview ?? preferences.preview) !== 'off';

export const withChosenAppearance = (looks: Appearance, said: AppearancePreferences): Appearance => ({
  ...looks,
  byHand: { ...looks.byHand, ...said },
});

/** The line at the cursor, as a bar of this width unless only its mark is wanted. */
export const selectedLine = (line: Line, cells: number, shared: AppearanceSources): Line =>
  marksWholeLine(shared) ? barLine(line, cells, 'selection') : line;

// A row of a table begins with a gutter of two cells, which may have a mark of its own before the first column.

/** The selected row of a table in a background of its own, with a mark as well: colour is never the only sign. */
export const selectedBar = (row: Line, cells: number): Line =>
  barLine([span(safeText`>`, 'selected'), gutterBeforeCell(row[0]), ...row.slice(1)], cells, 'selection');

/**
 * The same by a mark at each edge, which says on any width which row it is, quietly where no key goes there now; the row
 * itself costs a slow link nothing.
 */
export function selectedEdges(row: Line, cells: number, style: 'quiet' | 'mark' = 'mark'): Line {
  const inner = fillLine(row.slice(1), Math.max(0, cells - 3));
  return [span(safeText`>`, style), gutterBeforeCell(row[0]), ...inner, span(safeText`<`, style)];
}

const gutterBeforeCell = (gutter: Span | undefined): Span =>
  gutter === undefined ? span(safeText` `) : { ...gutter, text: sliceSafe(gutter.text, 1) };
