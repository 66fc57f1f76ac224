import type { KeyAction } from '../core/action.ts';
import type { SessionState } from '../core/state.ts';
import type { KeyTarget } from './focus.ts';

/** One row of the key table. It drives dispatch, footer, help and the README's table. */
export interface Binding {
  readonly keys: readonly string[];
  readonly action: KeyAction;
  readonly title: string;
  readonly targets: readonly KeyTarget[];
  readonly group: 'Move' | 'Pages' | 'Filter' | 'Look' | 'Record' | 'Export' | 'Program' | 'Field';
  /** In the footer, under this short name. */
  readonly footer?: string;
  /** In its place, where the key does something else for now. */
  readonly footerNow?: (state: SessionState) => string | undefined;
  /** The screen shows the key elsewhere. */
  readonly isShownElsewhere?: (state: SessionState) => boolean;
  /** Why the key does nothing now. */
  readonly disabledReason?: (state: SessionState) => string | undefined;
}
