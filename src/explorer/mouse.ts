import { tabAt } from './app/frame/tab-bar.ts';
import { bindingFor } from './app/keymap.ts';
import { closesOnTabClick, type LayerPointerTarget, layerPointerTarget } from './app/layer-input.ts';
import type { Session } from './app/session.ts';
import type { Cell } from './core/screen.ts';
import type { SessionState } from './core/state.ts';
import { TABS } from './tabs.ts';
import type { MouseReport } from './terminal/input/mouse-report.ts';

const TABS_ROW = 1;

/** What the mouse does: the wheel moves as the arrows do, a press selects a line, and opens the one that is selected. */
export function handleMouse(session: Session, { what, row, column }: MouseReport): void {
  const state = session.state();
  if (what !== 'press') {
    const direction = what === 'wheel-down' ? 1 : -1;
    if (bindingFor(state, direction === 1 ? 'down' : 'up')?.action.type === 'move')
      session.dispatch({ type: 'move', by: 'wheel', direction });
    return;
  }
  if (row === TABS_ROW) {
    const index = tabAt(TABS, state.tab, state.screen.columns, column);
    const mayLeave = closesOnTabClick(state) || bindingFor(state, 'tab')?.action.type === 'next-tab';
    if (index !== undefined && mayLeave) session.dispatch({ type: 'go-to-tab', index });
    return;
  }
  const line = targetAt(state, { row, column });
  if (line === undefined) return;
  if (line.isSelected) session.press('enter');
  else session.dispatch(line.action);
}

/** Header, bar of tabs, line of filters. */
const ABOVE_BODY = 3;

/** The selectable target drawn in a cell of the screen, if any; 0, 0 is the top left. */
const targetAt = (state: SessionState, { row, column }: Cell): LayerPointerTarget | undefined =>
  layerPointerTarget(state, { row: row - ABOVE_BODY, column });
