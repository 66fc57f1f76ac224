import type { Action } from './action.ts';

/** A line of a list to pick from. */
export interface Choice {
  /** Short, at the left: keys, or a mark. */
  readonly mark: string;
  readonly label: string;
  /** Text from outside or long text; may be cut. */
  readonly detail: string;
  readonly action: Action;
  /** Why it cannot be chosen now. */
  readonly disabledReason?: string;
}
