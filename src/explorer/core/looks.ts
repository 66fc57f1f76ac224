import type { Preferences } from '../services/preferences.ts';
import { barLine, type Line } from './line.ts';

export type ThemeName = NonNullable<Preferences['theme']>;

/** What a person can say of how the explorer looks, and whether it hears the mouse. */
export type LooksPreferences = Pick<Preferences, 'theme' | 'charset' | 'selection' | 'mouse'>;

/** What the terminal is known to show, whatever anybody prefers. */
export interface TerminalFacts {
  /** False where it has none, or none is wanted. */
  readonly hasColour: boolean;
  /** The 256 colours, which some take for blinking. */
  readonly hasManyColours: boolean;
  readonly isUtf8: boolean;
}

export interface Looks {
  readonly terminal: TerminalFacts;
  /** Said while it runs, which weighs most. */
  readonly byHand: LooksPreferences;
}

/** What decides about the looks; preferences come from settings, variables and flags. */
interface Looked {
  readonly looks: Looks;
  readonly preferences?: LooksPreferences;
}

const USUAL_TERMINAL: TerminalFacts = { hasColour: true, hasManyColours: true, isUtf8: true };

export const firstLooks = (terminal = USUAL_TERMINAL): Looks => ({ terminal, byHand: {} });

/** Without colour there is none, but for one who asks for a theme by hand. */
export function themeIn({ looks: { terminal, byHand }, preferences = {} }: Looked): ThemeName {
  const wanted = byHand.theme ?? (terminal.hasColour ? (preferences.theme ?? 'auto') : 'mono');
  return wanted === 'mono' || terminal.hasManyColours ? wanted : 'auto';
}

export function drawsAscii({ looks: { terminal, byHand }, preferences = {} }: Looked): boolean {
  const charset = byHand.charset ?? preferences.charset ?? 'auto';
  return charset === 'auto' ? !terminal.isUtf8 : charset === 'ascii';
}

export const marksWholeLine = ({ looks: { byHand }, preferences = {} }: Looked): boolean =>
  (byHand.selection ?? preferences.selection) !== 'edges';

export const hearsMouse = ({ looks: { byHand }, preferences = {} }: Looked): boolean =>
  (byHand.mouse ?? preferences.mouse) === 'on';

export const withByHand = (looks: Looks, said: LooksPreferences): Looks => ({
  ...looks,
  byHand: { ...looks.byHand, ...said },
});

/** The line at the cursor, as a bar of this width unless only its mark is wanted. */
export const selectedLine = (line: Line, cells: number, shared: Looked): Line =>
  marksWholeLine(shared) ? barLine(line, cells, 'selection') : line;
