/** Where a path began: the tab, and its screen when it was left. */
interface Place<State> extends LeftState<State> {
  readonly tab: string;
}

/** The state of a screen when it is left for another. */
export interface LeftState<State> {
  readonly state: State;
  /** Rows that are held for it. */
  readonly rows: number;
}

/** The places that Backspace leads back to, the last one last. */
export type Trail<State> = readonly Place<State>[];

const MAX_PLACES = 20;

/** Rows that the places hold together; the last one is kept however many it has. */
const MAX_TRAIL_ROWS = 25_000;

export const pushPlace = <State>(trail: Trail<State>, place: Place<State>): Trail<State> =>
  dropOldPlaces([...trail, place].slice(-MAX_PLACES));

function dropOldPlaces<State>(places: Trail<State>): Trail<State> {
  let rows = 0;
  const first = places.findLastIndex((place, index) => {
    rows += place.rows;
    return rows > MAX_TRAIL_ROWS && index < places.length - 1;
  });
  return places.slice(first + 1);
}
