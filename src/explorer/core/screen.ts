import type { Action, KeyAction } from '../../session/model/action.ts';
import type { SessionState } from '../../session/model/state.ts';
import type { Takeable } from '../../session/model/takeable.ts';
import type { Taking } from '../../session/model/taking.ts';
import type { Effect } from './effect.ts';
import type { FileName } from './file-name.ts';
import type { Line } from './line.ts';
import type { MoveAction } from './moving.ts';
import type { ScreenRow } from './row.ts';

/**
 * A kind of screen. Its functions are pure, and it knows no other screen: it opens one by name (`open` in
 * `src/explorer/openings.ts`), and answers whoever opened it by a message that came with its opening.
 */
export interface Screen<State, Event, Opening> {
  /** What it is called in a sentence: `the requests`. */
  readonly title: string;
  readonly open: (opening: Opening, context: ScreenContext) => State;
  /** Its own keys, in the order of footer and help. Those of movement, tabs, help and the way back are added. */
  readonly keys: readonly ScreenKey<State, Event>[];
  /** Where it has lines: what the keys of movement and the wheel do. */
  readonly move?: (state: State, move: MoveAction, context: ScreenContext) => State;
  readonly update: (state: State, event: Event, context: ScreenContext) => Step<State>;
  /** After every change of anything: cursors on lines that are there. What needs no change is returned as it is. */
  readonly settle?: (state: State, context: ScreenContext) => State;
  /** What runs for as long as this state lasts. Late results never reach `update`. */
  readonly effects?: (state: State, shared: Shared) => readonly Effect<Event>[];
  /** A node that was not asked yet is connected to while this screen is open. */
  readonly needsNode?: boolean;
  /** The line below the tabs. */
  readonly head: (state: State, context: ScreenContext) => Line;
  readonly body: (state: State, context: ScreenContext) => readonly ScreenRow[];
  /** Where one is, at the left of the footer: `1-18 of 60`. */
  readonly place: (state: State, context: ScreenContext) => string;
  /** What comes of text that was pasted. */
  readonly pasted?: (state: State, text: string) => Event;
  /** What can be copied, the likeliest first. */
  readonly copies?: (state: State, context: ScreenContext) => readonly CopyItem[];
  /** What can be saved to a file; a sentence where there is nothing to save. */
  readonly saves?: (state: State, context: ScreenContext) => Takeable | string;
  /** What a file of it is called. */
  readonly fileName?: (state: State) => FileName;
}

/** What a screen sees beside its own state. */
export interface ScreenContext {
  readonly shared: Shared;
  /** Cells of the body. */
  readonly area: Area;
}

export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/** What belongs to no screen. */
export type Shared = Pick<SessionState, 'node' | 'directory' | 'preferences' | 'looks' | 'seen' | 'job'>;

/** What a screen wants done outside of itself: to open another, to answer, to copy, to say something. */
export type Message = Action;

/** What comes of an event: the state after it, null to close the screen; then messages, in this order. */
export interface Step<State> {
  readonly state: State | null;
  readonly messages?: readonly Message[];
}

export type ScreenKey<State, Event> = {
  readonly keys: readonly string[];
  readonly title: string;
  readonly group: 'Move' | 'Pages' | 'Filter' | 'Look' | 'Record' | 'Export' | 'Program' | 'Field';
  /** In the footer, under this short name. */
  readonly footer?: string;
  /** Why the key does nothing now. */
  readonly disabledReason?: (state: State, context: ScreenContext) => string | undefined;
} & (
  | { readonly event: Event }
  /** A key of the program that works here. */
  | { readonly program: KeyAction }
);

/** Something that can be copied. Its text is made when it is chosen. */
export interface CopyItem {
  readonly label: string;
  readonly detail: string;
  readonly taking: Taking;
}

export const copyText = (label: string, text: string): CopyItem => ({
  label,
  detail: text,
  taking: { kind: 'text', text },
});

/** The menu of what `copies` offers. */
export const COPY_KEY = {
  keys: ['y'],
  program: { type: 'open-menu', id: 'copy' },
  title: 'copy',
  group: 'Record',
  footer: 'copy',
} as const satisfies ScreenKey<unknown, never>;

/** The prompt for the file that `saves` goes to. */
export const SAVE_KEY = {
  keys: ['W'],
  program: { type: 'open-prompt', id: 'save' },
  title: 'save to a file',
  group: 'Record',
} as const satisfies ScreenKey<unknown, never>;
