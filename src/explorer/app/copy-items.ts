import type { MenuItem } from '../core/menu-item.ts';
import type { SessionState } from '../core/state.ts';
import { topScreen } from './layers.ts';

/** What can be copied of what is shown. What is long has its name, and is made when it is chosen. */
export function copyItems(state: SessionState): readonly MenuItem[] {
  const top = topScreen(state);
  const copies = top?.screen.copies?.(top.layer.state, top.context);
  return (copies ?? []).map(({ label, detail, content }) => ({
    mark: '',
    label,
    detail,
    action: { type: 'copy', what: label, content },
  }));
}
