export const MIN_SCREEN_SIZE: ScreenSize = { columns: 40, rows: 12 };

export const isTooSmall = (screen: ScreenSize): boolean =>
  screen.columns < MIN_SCREEN_SIZE.columns || screen.rows < MIN_SCREEN_SIZE.rows;

/** Rows around the body: header, tabs, filter line; footer with a rule above it. */
const ABOVE_BODY = 3;
const BELOW_BODY = 2;

/** The cells of the body when a screen fills it. */
export const bodyArea = ({ columns, rows }: ScreenSize): ScreenSize => ({
  columns,
  rows: Math.max(1, rows - ABOVE_BODY - BELOW_BODY),
});

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}
