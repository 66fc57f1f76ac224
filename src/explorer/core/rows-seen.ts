import type { ScreenContext } from './screen.ts';

/** Why a word of the command line leaves rows alone: something covers them, other than what shows them itself. */
export const rowsBehind = ({ coveredBy }: Pick<ScreenContext, 'coveredBy'>, shownBy?: string): string | undefined =>
  coveredBy === undefined || coveredBy.name === shownBy
    ? undefined
    : `the rows are behind ${coveredBy.title}: Esc goes back to them`;
