import type { SavedList } from '../../base/settings/saved-view.ts';
import type { EditedText } from '../../base/text/edit-text.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import type { CopyContent } from '../services/copying/content.ts';
import type { Saveable } from '../services/copying/saveable.ts';
import type { Preferences } from '../services/preferences.ts';
import type { Wait } from '../services/wait.ts';
import type { Action, KeyAction, PlainAction } from './action.ts';
import type { Choice } from './choice.ts';
import type { FileName } from './file-name.ts';
import type { Privilege } from './guest-access.ts';
import type { AnyEvent, LayerEvent } from './layer.ts';
import type { Line, ScreenRow } from './line.ts';
import type { MoveAction } from './movement.ts';
import type { RuleParts } from './rule.ts';
import type { Effect } from './runner.ts';
import type { SessionState } from './state.ts';
import type { LeftState } from './trail.ts';

/**
 * A screen lists, shows text, or asks. Its functions are pure, and it knows no other screen: it opens one by name (`open`
 * in `src/explorer/openings.ts`), and answers the screen that opened it by a message from its opening.
 */
export type Screen<State, Event extends AnyEvent, Opening> =
  | ListScreen<State, Event, Opening>
  | TextScreen<State, Event, Opening>
  | FormScreen<State, Event, Opening>;

/** A screen with a cursor in lines. `listScreen` and `choiceScreen` make what all of them have in common. */
export interface ListScreen<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'list';
  /** What the keys of movement and the wheel do. */
  readonly move: Move<State>;
  /** What lies in a cell of the body, where it can be selected. */
  readonly pointed: (
    state: State,
    cell: Cell,
    context: ScreenContext<State>,
  ) => PointerTarget<Event> | PointerLine | undefined;
  /** Whether it has lines now; always, where this is left out. */
  readonly canMove?: (state: State) => boolean;
  /** Which of its parts has the keys: why one of them does nothing is said for as long as that has them. */
  readonly pane?: (state: State) => string;
  /** What comes of a key that has no binding here. */
  readonly otherKey?: (state: State, key: string, context: ScreenContext<State>) => Event | undefined;
  /** What is typed into it, such as a filter. */
  readonly input?: Input<State, Event>;
  /** How much there is to read, for a screen reader: said when it is another. */
  readonly announcedCount?: (state: State, context: ScreenContext<State>) => string;
}

/** A screen of text that is scrolled. */
export interface TextScreen<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'text';
  /** What the keys of movement and the wheel do. */
  readonly move: Move<State>;
}

/** A screen that asks for something. */
export interface FormScreen<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'form';
  readonly input: Input<State, Event>;
  /** In a step with lines to choose from: what the keys of movement do. */
  readonly lines?: { readonly move: Move<State>; readonly canMove: (state: State) => boolean };
  /** The items of menus that its keys open by their id. */
  readonly menus?: { readonly [id: string]: (state: State, context: ScreenContext<State>) => readonly Choice[] };
  /** It shows the export that runs, so that the row above the footer does not. */
  readonly showsJob?: (state: State) => boolean;
}

/** What every screen has. */
interface ScreenBase<State, Event extends AnyEvent, Opening> {
  /** What it is called in a sentence: `the requests`. */
  readonly title: string;
  readonly open: (opening: Opening, context: ScreenContext) => State;
  /** Its own keys, in the order of footer and help. Those of movement, tabs, help and the way back are added. */
  readonly keys: readonly ScreenKey<State, Event>[];
  /** What comes of each of its events: of a key, an answer, or what it has opened. */
  readonly handlers: Handlers<State, Event>;
  /** Undefined in an overlay that leaves the body to what is below. */
  readonly body: (state: State, context: ScreenContext<State>) => readonly ScreenRow[] | undefined;
  /** It shows the fetch that runs, so that the row above the footer does not. */
  readonly showsFetch?: true;
  /** What it shows, in one sentence of the help. */
  readonly description?: string | ((state: State) => string);
  /** What opening it needs that guests do not have. */
  readonly needs?: Privilege;
  /**
   * `needed`: a node that was not asked yet is connected to while it is open. `checked`: while it is shown it asks the node
   * something once a minute, so that the program need not.
   */
  readonly node?: 'needed' | 'checked';
  /** What runs for as long as this state lasts. Late results never reach its handler. */
  readonly effects?: (state: State, shared: SharedState) => readonly Effect<Event>[];
  /** What is waited for now: once it takes long, this is said in the row above the footer, with a sign that moves. */
  readonly waits?: (state: State, context: ScreenContext<State>) => Wait | undefined;
  /**
   * After every change of anything: cursors on lines that are there. What needs no change is returned as it is; null
   * closes it.
   */
  readonly settle?: (state: State, context: ScreenContext<State>) => State | null;
  /** What follows in the rest of the state from what an event, a key of movement or news has changed. */
  readonly follows?: (before: State, after: State, context: ScreenContext<State>) => Step<State>;
  /** The lines around the body. */
  readonly around?: Around<State>;
  /**
   * It lies over what is shown: the line below the tabs stays that of the screen below, and the keys of the program do
   * not work, except for Esc and `q`. Another screen that is opened over it takes its place.
   */
  readonly overlay?: Overlay<State>;
  /** It belongs to a tab: while another tab is shown it waits. Every other screen is closed by then. */
  readonly tab?: Tabbed<State, Opening>;
  /** What can be copied and saved. */
  readonly output?: Output<State>;
  /** What comes of text that was pasted; where nothing does, it goes into the field that has the focus. */
  readonly pasted?: (state: State, text: string, context: ScreenContext<State>) => Event | undefined;
  /** What a screen reader says, instead of what is drawn. */
  readonly announced?: (state: State, context: ScreenContext<State>) => ScreenAnnouncement | undefined;
  /** Words that the command line takes while it is open, before those of the program; of a root always. */
  readonly verbs?: { readonly [word: string]: ScreenVerb<State, Event> };
  /** Words that the command line always takes, and that open this screen. */
  readonly opensBy?: { readonly [word: string]: OpeningVerb };
}

type Move<State> = (state: State, move: MoveAction, context: ScreenContext<State>) => State;

/** What a screen asks for, typed into a field or answered by a key. */
interface Input<State, Event> {
  /** The text field that has the focus: keys that are typed go there, and the keys of the screen for `esc`, `enter` and so on count. */
  readonly field?: (state: State) => TextField<Event> | undefined;
  /** The row above the footer, instead of notices and progress. */
  readonly status?: (state: State, context: ScreenContext<State>) => ScreenRow | undefined;
  /** What is wrong with what was typed, for a screen reader. */
  readonly problem?: (state: State) => string;
  /** Several characters that come at once are a paste here, of a terminal that does not mark those. */
  readonly takesUnmarkedPaste?: (state: State) => boolean;
}

interface Around<State> {
  /** What the rule below the tabs says. */
  readonly head: (state: State, context: ScreenContext<State>) => RuleParts;
  /** Where one is, at the left of the footer: `1-18 of 60`. */
  readonly place: (state: State, context: ScreenContext<State>) => string;
  /** The title of what is below the row above the footer. */
  readonly footTitle?: (state: State, context: ScreenContext<State>) => string;
  /** What it draws below the status line. */
  readonly foot?: Foot<State>;
  /** What it waits for, in the row above the footer, or a line in colours of its own. Notices go before it. */
  readonly progress?: (state: State, context: ScreenContext<State>) => string | Line | undefined;
}

interface Output<State> {
  /** What can be copied, the likeliest first. */
  readonly copies: (state: State, context: ScreenContext<State>) => readonly CopyItem[];
  /** What can be saved to a file. */
  readonly file?: SavedScreen<State>;
}

/** What a screen has that belongs to a tab. */
interface Tabbed<State, Opening> {
  /** Undefined where it belongs to none. */
  readonly id: string | ((opening: Opening) => string | undefined);
  /**
   * What is left of it when another node is switched to; a step is one to another snapshot of the same chain. It is closed
   * where this is null.
   */
  readonly afterSwitch: (state: State, context: ScreenContext<State>, isStep: boolean) => State | null;
  /** It is its tab itself: there from the start, and never closed. What lies over the tab lies over it. */
  readonly root?: Root<State>;
}

/** What a screen has that lies over another. */
export interface Overlay<State> {
  /** It has to be answered: a click on a tab does not close it. */
  readonly isModal: boolean;
  /** It asks whether to quit: Ctrl-C is a yes. */
  readonly asksToQuit?: (state: State) => boolean;
}

/** What a screen has that is a tab itself. */
export interface Root<State> {
  /** What it makes of something that happened to the program. */
  readonly news: (state: State, news: ScreenNotification, context: ScreenContext<State>) => Step<State>;
  /** How long until what it draws is another thing by the clock alone. */
  readonly nextChangeMs?: (state: State, context: ScreenContext<State>) => number | undefined;
  /** When what it shows came from the node, whatever lies over it. */
  readonly asOfMs?: (state: State) => number | undefined;
  /** The way back to it from where an id led; where this is left out it stays as it is. */
  readonly wayBack?: ReturnHooks<State>;
  /** What is saved of it for the next start: as it is now, and as it was opened. */
  readonly saved?: (state: State, shared: SharedState) => SavedTab;
}

export interface ReturnHooks<State> {
  /** As it is left. */
  readonly left: (state: State) => LeftState<State>;
  /** As it is come back to, made of itself as it was left. */
  readonly returned: (state: State, left: State, shared: SharedState) => State;
}

export interface Foot<State> {
  readonly rows: (state: State, frame: Frame) => number;
  readonly draw: (state: State, context: ScreenContext<State>) => readonly Line[];
}

export interface SavedScreen<State> {
  /** A sentence where there is nothing to save. */
  readonly saves: (state: State, context: ScreenContext<State>) => Saveable | string;
  /** The name of a file with its content. */
  readonly name: (state: State) => FileName;
}

/** For each kind of event the one function that handles it. */
export type Handlers<State, Event extends AnyEvent> = {
  readonly [Type in Event['type']]: Handler<State, Event & { readonly type: Type }>;
};

export type Handler<State, Event> = (state: State, event: Event, context: ScreenContext<State>) => Step<State>;

/** What a screen sees beside its own state. */
export interface ScreenContext<State = unknown> {
  readonly shared: SharedState;
  /** Cells of the body. */
  readonly area: Area;
  /** Nothing lies over it: its field has the cursor. */
  readonly isOnTop: boolean;
  /** The screen that is seen in its place; of one that waits behind its tab the one that would be. */
  readonly coveredBy: Cover | undefined;
  /** A message that brings an event back to this very screen, for what it opens. */
  readonly to: <Event extends AnyEvent>(event: Event) => LayerEvent;
  /**
   * A function of the session below what this screen opens, which reads this very screen as it is by then: for choices
   * that change while they are shown. Once this screen is closed the answer is the other one.
   */
  readonly live: <Answer>(
    read: (state: State, context: ScreenContext<State>) => Answer,
    otherwise: Answer,
  ) => (below: SessionState) => Answer;
  /** The session as it is below this screen, for functions that came with its opening. */
  readonly below: SessionState;
}

/** What is saved of a tab: as it is now, and as it was opened. */
export interface SavedTab {
  readonly now: SavedList;
  readonly opened: SavedList;
}

export interface Cover {
  readonly name: string;
  readonly title: string;
}

/** The body as it is without a foot. */
export interface Frame extends Area {
  readonly isCovered: boolean;
}

/** Something that happened to the program. */
export type ScreenNotification =
  /** Its tab is shown; again: its own key was pressed while it was shown with nothing over it. */
  | { readonly type: 'arrived'; readonly isAgain: boolean }
  /** How the lists of the node in use are opened is known. */
  | { readonly type: 'connected'; readonly preferences: Preferences; readonly saved: SavedList | undefined }
  /** There are other names than those before; of another chain, those are wrong. */
  | { readonly type: 'names'; readonly before: Directory; readonly isOtherChain: boolean }
  /** The node answers again. */
  | PlainAction<'node-back'>;

/** A cell of the body; 0, 0 is its top left. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface PointerTarget<Event> {
  /** A press on what is selected already is an Enter. */
  readonly isSelected: boolean;
  readonly select: Event;
}

/** A line that `move` goes to. */
export interface PointerLine extends Pick<PointerTarget<never>, 'isSelected'> {
  readonly line: number;
}

export interface TextField<Event> {
  readonly value: EditedText;
  /** What is typed here, for a screen reader: `command`. */
  readonly label: string;
  /** The program has put the text there, and nothing was done to it yet: typing replaces it. */
  readonly isProposed?: boolean;
  /** With it a screen reader reads the rest of the screen, as after a key; other fields are read alone. */
  readonly isStep?: boolean;
  /** With the text and the cursor as they are then; only the cursor may have moved. */
  readonly edited: (value: EditedText) => Event;
}

export interface ScreenVerb<State, Event> {
  /** What it needs that guests do not have. */
  readonly needs?: Privilege;
  /** What is typed, and what it does. */
  readonly help: readonly [form: string, about: string];
  readonly read: (state: State, words: readonly string[], context: ScreenContext<State>) => VerbOutcome<Event>;
  /** What the last of the words may be, the likeliest first; see `Verb` of the session. */
  readonly complete?: (state: State, words: readonly string[], context: ScreenContext<State>) => readonly string[];
}

/** A word that opens a screen from anywhere. */
export interface OpeningVerb {
  /** What it needs that guests do not have. */
  readonly needs?: Privilege;
  /** What is typed, and what it does. */
  readonly help: readonly [form: string, about: string];
  readonly read: (
    shared: SharedState,
    words: readonly string[],
  ) => Exclude<VerbOutcome<never>, { readonly event: never }>;
  /** What the last of the words may be, the likeliest first. */
  readonly complete?: (shared: SharedState, words: readonly string[]) => readonly string[];
}

export type VerbOutcome<Event> =
  | { readonly event: Event }
  | { readonly messages: readonly Message[] }
  | { readonly problem: string };

export interface ScreenAnnouncement {
  /** What is there to read: those that were not there before are said. */
  readonly lines: readonly string[];
  /** What keys act on. */
  readonly selected: string;
  /** Answers are still to come: until all of it can be read at once, only where it is is said. */
  readonly isPartial?: boolean;
}

export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/** What belongs to no screen. */
export type SharedState = Pick<
  SessionState,
  | 'access'
  | 'tab'
  | 'times'
  | 'trail'
  | 'mine'
  | 'history'
  | 'node'
  | 'knownNodes'
  | 'directory'
  | 'preferences'
  | 'looks'
  | 'seen'
  | 'lastFees'
  | 'job'
  | 'offers'
  | 'chainHistory'
  | 'exportFolder'
  | 'partyRequest'
  | 'isFirstStart'
>;

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
  /** In its place, where the key does something else for now. */
  readonly footerNow?: (state: State, context: ScreenContext<State>) => string | undefined;
  /** The key has this meaning only then; another of its keys, or the program, may have it otherwise. */
  readonly when?: (state: State, context: ScreenContext<State>) => boolean;
  /** In footer and help it stands where the program has this key. */
  readonly isInProgramsPlace?: true;
  /** In footer and help it stands before the keys of movement, or behind those of the program. */
  readonly position?: 'first' | 'last';
  /** Why the key does nothing now. */
  readonly disabledReason?: (state: State, context: ScreenContext<State>) => string | undefined;
  /** What its event needs that guests do not have; what an action of the program needs is known. */
  readonly needs?: Privilege;
} & (
  | { readonly event: Event }
  /** A key of the program that works here. */
  | { readonly program: KeyAction }
);

/** Something that can be copied. Its text is made when it is chosen. */
export interface CopyItem {
  readonly label: string;
  readonly detail: string;
  readonly content: CopyContent;
}

export const copyText = (label: string, text: string): CopyItem => ({
  label,
  detail: text,
  content: { kind: 'text', text },
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
