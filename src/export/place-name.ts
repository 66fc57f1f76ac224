/** A place in the chain that is named by something else than its height. */
export type NamedPlace =
  | { readonly kind: 'epoch'; readonly id: string }
  /** A day, a minute or a second from its first moment on, all of which is meant. UTC, as everything of a node. */
  | { readonly kind: 'time'; readonly timeMs: number; readonly lengthMs: number };

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** What somebody named can be no place of this chain; the message says why and what there is. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
  /** On which side of the chain it lies, when that is what is wrong with it. */
  readonly lies: 'before' | 'after' | null;

  /** Of a range the end that is meant. */
  readonly bound: 'from' | 'to' | null;

  constructor(message: string, lies: PlaceError['lies'] = null, bound: PlaceError['bound'] = null) {
    super(message);
    this.lies = lies;
    this.bound = bound;
  }
}

/** What a text stands for that is no height: `e41` or `epoch 41`, `2026-10-01`, `2026-10-01 12:00`, all UTC, as they are written out, too. */
export function placeNamed(text: string): NamedPlace | undefined {
  const id = /^(?:e|epoch)\s*0*(\d{1,18})$/i.exec(text.trim())?.[1];
  if (id !== undefined) return id === '0' ? undefined : { kind: 'epoch', id };
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?(?:Z| UTC)?$/.exec(text.trim());
  if (time === null) return undefined;
  const [, day = '', minute = '00:00', seconds = ':00'] = time;
  const written = `${day}T${minute}${seconds}.000Z`;
  const timeMs = Date.parse(written);
  // Dates that no calendar has are read as later ones: 30 February as 2 March.
  const isThere = !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === written;
  const lengthMs = time[2] === undefined ? DAY_MS : time[3] === undefined ? MINUTE_MS : SECOND_MS;
  return isThere ? { kind: 'time', timeMs, lengthMs } : undefined;
}

/** What is asked for where a block is wanted, in as many words as fit behind a field. */
export const PLACE_FORMS = 'a height, a date (2026-10-01 12:00, UTC) or an epoch (e41)';

/** A moment to the second: `2026-10-01 12:00:00 UTC`. */
export const momentText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
