import type { ScreenContext } from './screen.ts';

/** Why a command leaves the rows unchanged: a screen covers them, and it is not the one that shows them itself. */
export const rowsBehind = ({ coveredBy }: Pick<ScreenContext, 'coveredBy'>, shownBy?: string): string | undefined =>
  coveredBy === undefined || coveredBy.name === shownBy
    ? undefined
    : `the rows are behind ${coveredBy.title}: Esc goes back to them`;
