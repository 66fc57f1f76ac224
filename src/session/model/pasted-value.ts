import type { WhatAnswer } from '../../what/what.ts';

/** Something that was pasted to learn what it is. */
export interface PastedValue {
  readonly ticket: number;
  readonly text: string;
  /** Null while it is being asked for. */
  readonly answer: WhatAnswer | null;
  readonly problem: string | null;
}
