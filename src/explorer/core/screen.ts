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
import type { RuleParts } from './rule.ts';
import type { Effect } from './runner.ts';
import type { SessionState } from './state.ts';
import type { LeftState } from './trail.ts';
import type { MoveAction } from './window.ts';

/**
 * A screen lists, shows text, or asks; and it has the place of the tab, or lies over what has it. Its functions are pure,
 * and it knows no other screen: it opens one by name (`open` in `src/explorer/openings.ts`), and answers the screen that
 * opened it by a message from its opening.
 */
export type Screen<State, Event extends AnyEvent, Opening> =
  | ListScreen<State, Event, Opening>
  | TextScreen<State, Event, Opening>
  | FormScreen<State, Event, Opening>;

export type ListScreen<State, Event extends AnyEvent, Opening> = ListContract<State, Event, Opening> &
  Placed<State, Event, Opening>;
export type TextScreen<State, Event extends AnyEvent, Opening> = TextContract<State, Event, Opening> &
  Placed<State, Event, Opening>;
export type FormScreen<State, Event extends AnyEvent, Opening> = FormContract<State, Event, Opening> &
  Placed<State, Event, Opening>;

type Placed<State, Event extends AnyEvent, Opening> = Page<State, Event, Opening> | Overlay<State, Event>;

/** What every screen has. */
interface ScreenBase<State, Event extends AnyEvent, Opening> {
  /** Its title within a sentence: `the requests`. */
  readonly title: string;
  /** The privilege that opening it needs; guests have none. */
  readonly needs: Privilege | null;
  readonly open: (opening: Opening, context: ScreenContext) => State;
  /** Its own keys, in the order of footer and help. Those of movement, tabs, help and the way back are added. */
  readonly keys: readonly ScreenKey<State, Event>[];
  /** Handles each of its events: from a key, an answer, or a screen that it opened. */
  readonly handlers: Handlers<State, Event>;
  /**
   * Runs after every change: puts cursors on existing lines. Returns the same state if nothing has to change; null closes
   * the screen.
   */
  readonly settle: (state: State, context: ScreenContext<State>) => State | null;
  /** A node that was not asked yet is connected to while it is open. Others show what is on disk, or nothing of a node. */
  readonly needsNode?: true;
  /** Receives typed and pasted text; most screens only have keys. */
  readonly input?: Input<State, Event>;
  /** The text for a screen reader, where it is better read in another order than drawn. */
  readonly announced?: (state: State, context: ScreenContext<State>) => ScreenAnnouncement | undefined;
  /**
   * One rule for all its events and movement keys, where a handler for each would repeat it: what changes in the rest of
   * the state.
   */
  readonly follows?: (before: State, after: State, context: ScreenContext<State>) => Step<State>;
}

/** A screen with a cursor in lines. `listScreen` and `choiceScreen` provide their common parts. */
interface ListContract<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'list';
  /** What the keys of movement do. */
  readonly move: Move<State>;
  /** Whether it has lines now; always, where this is left out. */
  readonly canMove?: (state: State) => boolean;
  /** The part that has the keys: the reason why a key does nothing is shown as long as this part has them. */
  readonly pane?: (state: State) => string;
  /** The event of a key without a binding here. */
  readonly otherKey?: (state: State, key: string, context: ScreenContext<State>) => Event | undefined;
  /** How much there is to read, for a screen reader; announced when it changes. */
  readonly announcedCount?: (state: State, context: ScreenContext<State>) => string;
}

/** A screen of text that is scrolled. */
interface TextContract<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'text';
  /** What the keys of movement do. */
  readonly move: Move<State>;
}

/** A screen that asks for something. */
interface FormContract<State, Event extends AnyEvent, Opening> extends ScreenBase<State, Event, Opening> {
  readonly kind: 'form';
  readonly input: Input<State, Event>;
  /** In a step with lines to choose from: what the keys of movement do. */
  readonly lines?: { readonly move: Move<State>; readonly canMove: (state: State) => boolean };
  /** The items of menus that its keys open by their id. */
  readonly menus?: { readonly [id: string]: (state: State, context: ScreenContext<State>) => readonly Choice[] };
}

/** What a screen has that has the place of the tab. */
interface Page<State, Event extends AnyEvent, Opening> {
  readonly isOverlay: false;
  /** Describes the screen in one sentence of the help. */
  readonly description: string | ((state: State) => string);
  /** The lines around the body. */
  readonly around: Around<State>;
  readonly body: Body<State>;
  readonly effects: Effects<State, Event>;
  readonly waits: Waits<State>;
  readonly output: Output<State>;
  /** It belongs to a tab: while another tab is shown it waits. Every other page is closed by then. */
  readonly tab?: Tabbed<State, Event, Opening>;
}

/**
 * What a screen has that is drawn over a page: the line below the tabs stays that of the page, and the keys of the program
 * do not work, except for Esc and `q`. Another screen opened over it replaces it.
 */
interface Overlay<State, Event extends AnyEvent> {
  readonly isOverlay: true;
  /** It asks whether to quit: Ctrl-C is a yes. */
  readonly asksToQuit?: (state: State) => boolean;
  /** Where it has none, it is its row above the footer, and the page stays in view. */
  readonly body?: Body<State>;
  readonly effects?: Effects<State, Event>;
  readonly waits?: Waits<State>;
  readonly output?: Output<State>;
}

type Body<State> = (state: State, context: ScreenContext<State>) => readonly ScreenRow[];

/** What runs for as long as this state lasts. Late results never reach its handler. */
type Effects<State, Event> = (state: State, shared: SharedState) => readonly Effect<Event>[];

/** The current wait: once it takes long, it is shown in the row above the footer, with a moving sign. */
type Waits<State> = (state: State, context: ScreenContext<State>) => Wait | undefined;

type Move<State> = (state: State, move: MoveAction, context: ScreenContext<State>) => State;

/** What a screen takes that is typed or pasted. */
interface Input<State, Event> {
  /** The text field that has the focus: keys that are typed go there, and the keys of the screen for `esc`, `enter` and so on count. */
  readonly field?: (state: State) => TextField<Event> | undefined;
  /** The row above the footer, instead of notices and progress. */
  readonly status?: (state: State, context: ScreenContext<State>) => ScreenRow | undefined;
  /** The problem with the typed text, for a screen reader. */
  readonly problem?: (state: State) => string;
  /** The event of pasted text; without one, the text goes into the field that has the focus. */
  readonly pasted?: (state: State, text: string, context: ScreenContext<State>) => Event | undefined;
  /** Several characters that come at once are a paste here, of a terminal that does not mark those. */
  readonly takesUnmarkedPaste?: (state: State) => boolean;
}

interface Around<State> {
  /** What the rule below the tabs says. */
  readonly head: (state: State, context: ScreenContext<State>) => RuleParts;
  /** Where one is, at the left of the footer: `1-18 of 60`. */
  readonly place: (state: State, context: ScreenContext<State>) => string;
  /** The title of the lines below the row above the footer. */
  readonly footTitle?: (state: State, context: ScreenContext<State>) => string;
  /** Lines drawn below the status line. */
  readonly foot?: Foot<State>;
  /** The current wait, in the row above the footer, or a line in its own colours. Notices take precedence. */
  readonly progress?: (state: State, context: ScreenContext<State>) => string | Line | undefined;
}

/** The content to copy and save. */
interface Output<State> {
  /** Items to copy, the likeliest first. */
  readonly copies: (state: State, context: ScreenContext<State>) => readonly CopyItem[];
  /** Content to save to a file. */
  readonly file?: SavedScreen<State>;
}

/** What a screen has that belongs to a tab. */
interface Tabbed<State, Event, Opening> {
  /** Undefined where it belongs to none. */
  readonly id: string | ((opening: Opening) => string | undefined);
  /**
   * The state after a switch to another node; a step is a switch to another snapshot of the same chain. Null closes the
   * screen.
   */
  readonly afterSwitch: (state: State, context: ScreenContext<State>, isStep: boolean) => State | null;
  /** Words that the command line takes while it is open, before those of the program; of a root always. */
  readonly verbs?: { readonly [word: string]: ScreenVerb<State, Event> };
  /** It shows the download that runs, so that the row above the footer does not. */
  readonly showsDownload?: (state: State) => 'job' | 'fetch' | undefined;
  /** It is its tab itself: there from the start, and never closed. What lies over the tab lies over it. */
  readonly root?: Root<State>;
}

/** How many findings of a severity, in words. */
export interface AttentionCount {
  readonly severity: 'critical' | 'warning';
  readonly text: string;
}

/** What a screen has that is a tab itself. */
interface Root<State> {
  /** Handles something that happened to the program. */
  readonly news: (state: State, news: ScreenNotification, context: ScreenContext<State>) => Step<State>;
  /** Time until its drawing changes only because time passes. */
  readonly nextChangeMs?: (state: State, context: ScreenContext<State>) => number | undefined;
  /** The time its data came from the node, even if another screen covers it. */
  readonly asOfMs?: (state: State) => number | undefined;
  /** What it found that needs attention, for the header of every screen; none before all of it is known. */
  readonly alarms?: (state: State) => readonly AttentionCount[];
  /** While it is shown it asks the node something once a minute, so that the program need not. */
  readonly checksNode?: true;
  /** How to return to it after following an id; if omitted, it stays unchanged. */
  readonly wayBack?: ReturnHooks<State>;
  /** The state saved for the next start: the current one, and the one it was opened with. */
  readonly saved?: (state: State, shared: SharedState) => SavedTab;
}

interface ReturnHooks<State> {
  /** The state when it is left. */
  readonly left: (state: State) => LeftState<State>;
  /** The state on return, built from the state in which it was left. */
  readonly returned: (state: State, left: State, shared: SharedState) => State;
}

interface Foot<State> {
  readonly rows: (state: State, frame: Frame) => number;
  readonly draw: (state: State, context: ScreenContext<State>) => readonly Line[];
}

interface SavedScreen<State> {
  /** A sentence where there is nothing to save. */
  readonly saves: (state: State, context: ScreenContext<State>) => Saveable | string;
  /** The name of a file with its content. */
  readonly name: (state: State) => FileName;
}

/** For each kind of event the one function that handles it. */
export type Handlers<State, Event extends AnyEvent> = {
  readonly [Type in Event['type']]: Handler<State, Event & { readonly type: Type }>;
};

type Handler<State, Event> = (state: State, event: Event, context: ScreenContext<State>) => Step<State>;

/** Everything a screen sees in addition to its own state. */
export interface ScreenContext<State = unknown> {
  readonly shared: SharedState;
  /** Cells of the body. */
  readonly area: Area;
  /** Nothing lies over it: its field has the cursor. */
  readonly isOnTop: boolean;
  /** The screen that is seen in its place; of one that waits behind its tab the one that would be. */
  readonly coveredBy: Cover | undefined;
  /** A message that returns an event to this same screen, for the screens it opens. */
  readonly to: <Event extends AnyEvent>(event: Event) => LayerEvent;
  /**
   * A function of the session below the screen that this one opens. It reads the current state of this screen, for
   * choices that change while they are shown. Once this screen is closed, the answer is `otherwise`.
   */
  readonly live: <Answer>(
    read: (state: State, context: ScreenContext<State>) => Answer,
    otherwise: Answer,
  ) => (below: SessionState) => Answer;
  /** The session below this screen, for functions that were passed when it was opened. */
  readonly below: SessionState;
}

/** The saved state of a tab: the current one, and the one it was opened with. */
export interface SavedTab {
  readonly now: SavedList;
  readonly opened: SavedList;
}

interface Cover {
  readonly name: string;
  readonly title: string;
}

/** The body without a foot. */
interface Frame extends Area {
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

export interface TextField<Event> {
  readonly value: EditedText;
  /** The name of the typed text, for a screen reader: `command`. */
  readonly label: string;
  /** The program has put the text there, and nothing was done to it yet: typing replaces it. */
  readonly isProposed?: boolean;
  /** With it, a screen reader reads the rest of the screen, as after a key; otherwise it reads only the field. */
  readonly isStep?: boolean;
  /** Receives the text and the cursor after the edit; maybe only the cursor has moved. */
  readonly edited: (value: EditedText) => Event;
}

export interface ScreenVerb<State, Event> {
  /** The privilege it needs; guests have none. */
  readonly needs?: Privilege;
  /** The command as typed, and its effect. */
  readonly help: readonly [form: string, about: string];
  readonly read: (state: State, words: readonly string[], context: ScreenContext<State>) => VerbOutcome<Event>;
  /** What the last of the words may be, the likeliest first; see `Verb` of the session. */
  readonly complete?: (state: State, words: readonly string[], context: ScreenContext<State>) => readonly string[];
}

/** A word that opens a screen from anywhere; `src/explorer/screens/opening-words.ts` lists them. */
export interface OpeningVerb {
  /** The privilege it needs; guests have none. */
  readonly needs?: Privilege;
  /** The command as typed, and its effect. */
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
  /** The lines to read; new ones are announced. */
  readonly lines: readonly string[];
  /** What keys act on. */
  readonly selected: string;
  /** Answers are still missing: only the position is announced until all lines can be read at once. */
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

/** A request of a screen to the program: open another screen, answer, copy, or show a notice. */
export type Message = Action;

/** The result of an event: the new state, or null to close the screen; then messages, in this order. */
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
  /** The screen shows the key elsewhere: the footer does not have to. */
  readonly isShownElsewhere?: (state: State) => boolean;
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
