/** A screen that lies over the others. What its state is only that screen knows. */
export interface Layer {
  /** Never used again: what still arrives for a layer that was closed finds none. */
  readonly id: number;
  /** Its name in the registry of screens. */
  readonly screen: string;
  readonly state: unknown;
}
