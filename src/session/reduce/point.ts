import type { Cell } from '../../explorer/core/screen.ts';
import { topLayer } from '../model/layer.ts';
import type { SessionState } from '../model/state.ts';
import { type PointedInLayer, pointedInLayer } from './layers.ts';
import { pointedInList } from './list-pointed.ts';
import { ofList } from './tab-list.ts';

/** Header, bar of tabs, line of filters. */
const ABOVE_BODY = 3;

/** What is drawn in a cell of the screen, where 0, 0 is the top left, when it can be selected. */
export function lineAt(state: SessionState, { row, column }: Cell): PointedInLayer | undefined {
  const cell = { row: row - ABOVE_BODY, column };
  if (topLayer(state) !== undefined) return pointedInLayer(state, cell);
  return ofList((list, context) => {
    const pointed = pointedInList(list, cell, context);
    return pointed && { isSelected: pointed.isSelected, action: context.to(pointed.select) };
  })(state);
}
