/** One line about what just happened. */
export interface Notice {
  readonly text: string;
  readonly tone: 'info' | 'good' | 'bad';
  /** It says why this key does nothing. */
  readonly refused?: RefusedKey;
}

/** A key that could not act. */
export interface RefusedKey {
  /** What had the keys when it was pressed. */
  readonly focus: string;
  readonly key: string;
}
