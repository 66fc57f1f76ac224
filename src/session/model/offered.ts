/** What can be done with an export that was made, as far as that is known. */
export interface Offers extends Offered {
  /** The export that it is of, by its ticket. */
  readonly job: number;
}

/** Of whom ready questions are asked. */
export interface Asking {
  /** The question that waits for whom it is asked of. */
  readonly question: OfferedQuestion | null;
  /** Whom one was asked of last, as it was typed; empty before the first. */
  readonly party: string;
}

export interface Offered {
  /** What looks at tables and answers questions is installed. */
  readonly hasEngine: boolean;
  /** Ready questions that its table answers. */
  readonly questions: readonly OfferedQuestion[];
}

export interface OfferedQuestion {
  readonly name: string;
  readonly title: string;
  readonly needsParty: boolean;
}
