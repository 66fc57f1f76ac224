export interface TerminalAbilities {
  /** Scroll regions (csr in terminfo). */
  readonly canScroll: boolean;
  /** Not known to lack synchronized update (mode 2026). */
  readonly canSynchronize: boolean;
}

/** What the terminal can do, by its name: reading terminfo is not worth it for a few questions. */
export function abilitiesOf(env: NodeJS.ProcessEnv): TerminalAbilities {
  const term = env.TERM ?? '';
  return {
    canScroll: HAS_SCROLL_REGIONS.test(term),
    // tmux often calls itself screen, but knows the mode.
    canSynchronize: !NO_SYNCHRONIZED_UPDATE.test(term) || (env.TMUX !== undefined && term.startsWith('screen')),
  };
}

/** Whether a question for its colours is safe: some consoles would print it. */
export const canBeAskedColours = ({ TERM = '' }: NodeJS.ProcessEnv): boolean =>
  HAS_SCROLL_REGIONS.test(TERM) && !HAS_NO_STRINGS.test(TERM);

// By `infocmp`: terminals named otherwise (ansi, cons25, cygwin, sun, vt52, dumb) have none, or are not known.
const HAS_SCROLL_REGIONS =
  /^(?:xterm|screen|tmux|linux|vt[1-5]\d\d|rxvt|alacritty|kitty|foot|wezterm|ghostty|konsole|gnome|vte|st|putty|iterm2?|contour|mintty|ms-terminal|mlterm)(?:$|[-+.0-9])/;

const HAS_NO_STRINGS = /^(?:linux|vt\d)/;

const NO_SYNCHRONIZED_UPDATE = /^(?:$|dumb|linux|vt\d|screen|ansi|cons25|cygwin|sun)/;
