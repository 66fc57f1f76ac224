import type { Cell } from '../core/screen.ts';
import type { SessionState } from '../core/state.ts';
import { type PointedInLayer, pointedInLayer } from './layers.ts';

/** Header, bar of tabs, line of filters. */
const ABOVE_BODY = 3;

/** What is drawn in a cell of the screen, where 0, 0 is the top left, when it can be selected. */
export const lineAt = (state: SessionState, { row, column }: Cell): PointedInLayer | undefined =>
  pointedInLayer(state, { row: row - ABOVE_BODY, column });
