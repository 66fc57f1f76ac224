import type { SavedList } from '../base/settings/saved-view.ts';
import type { LinkTarget } from '../chain/resources/links.ts';
import type { KeyedRecord } from '../chain/resources/record-key.ts';
import type { Resource } from '../chain/resources/resource.ts';
import type { Action } from './core/action.ts';
import type { Choice } from './core/choice.ts';
import type { Counts, CountsSource, Narrowing, ValueCount } from './core/counts.ts';
import type { FeeSubject } from './core/fee-subject.ts';
import type { FileName } from './core/file-name.ts';
import type { RootEvent } from './core/layer.ts';
import type { CopyItem, SharedState } from './core/screen.ts';
import type { SessionState } from './core/state.ts';
import type { RecordName } from './services/changes/changes.ts';
import type { FilledExport } from './services/export-job.ts';
import type { Preferences } from './services/preferences.ts';
import type { FilesRequest } from './services/tables.ts';

/** The data each screen is opened with. Screens know of each other only through this list. */
export interface Openings {
  /** A list: a tab of its own. */
  readonly browse: BrowseOpening;
  /** Changes since yesterday. */
  readonly changes: null;
  readonly columns: ColumnsOpening;
  readonly 'command-line': CommandLineOpening;
  readonly confirm: ConfirmOpening;
  /** What a party earned, from the history on disk. */
  readonly earned: EarnedOpening;
  /** The last tab. */
  readonly 'chain-history': null;
  /** The export of a range of one's own. */
  readonly export: ExportOpening;
  readonly counts: CountsOpening;
  readonly nodes: null;
  /** The first tab. */
  readonly overview: null;
  /** The log of requests. */
  readonly requests: null;
  readonly help: HelpOpening;
  readonly menu: MenuOpening;
  readonly prompt: PromptOpening;
  /** The versions of a record in stored snapshots. */
  readonly versions: VersionsOpening;
  readonly statement: FeeSubject;
  readonly value: ValueOpening;
  readonly what: ValueToIdentify;
  readonly viewer: ViewerOpening;
  /** The viewer over another one. */
  readonly answer: ViewerOpening;
}

export type ScreenName = keyof Openings;

/** Opens a screen over the current one. */
export const open = <Name extends ScreenName>(screen: Name, opening: Openings[Name]): Action => ({
  type: 'open-screen',
  screen,
  opening,
});

/** What the screens that are tabs take from others. */
interface RootRequests {
  readonly browse: BrowseRequest;
}

/** A message to the screens with this name that are these tabs. */
export const rootEvent = <Name extends keyof RootRequests>(
  screen: Name,
  tabs: readonly string[],
  event: RootRequests[Name],
): RootEvent => ({ type: 'root-event', screen, tabs, event });

/** A list to choose from. */
export interface MenuOpening {
  /** What tells the menus from each other. */
  readonly id?: string;
  readonly title: string;
  readonly choices: ChoicesBelow;
  /** The choice that is selected first. */
  readonly cursor?: number;
  /** A key that a choice has as its mark chooses it. */
  readonly areMarksKeys?: boolean;
}

/** The current choices, from the session below. */
type ChoicesBelow = (below: SessionState) => readonly Choice[];

/** A choice that is of a column. */
export interface ListedColumn extends Choice {
  readonly column?: string;
}

export interface ColumnsOpening extends Pick<MenuOpening, 'cursor'> {
  /** Each shows or hides its column. */
  readonly choices: (below: SessionState) => readonly ListedColumn[];
}

export interface HelpOpening extends Pick<MenuOpening, 'choices'> {
  /** Describes the screen below in one sentence; '' if that screen does so itself. */
  readonly description: string;
  /** What a key does below; undefined for one that does nothing. */
  readonly pressed: (
    below: SessionState,
    key: string,
  ) => { readonly action: Action } | { readonly disabledReason: string } | undefined;
}

/** One line that is typed. */
export interface PromptOpening {
  /** The kind of text to type, shown before the field and read by a screen reader. */
  readonly label: string;
  /** In its place before the field. */
  readonly drawnLabel?: string;
  /** The initial text of the field. */
  readonly text: string;
  /** The program proposes it: typing replaces it. */
  readonly isProposed?: boolean;
  readonly problem?: string;
  /** The hint behind the field, on a screen with this number of columns. */
  readonly hint?: (below: SessionState, columns: number) => string;
  /** With each letter. */
  readonly edited?: (text: string) => Action;
  /** With Enter. */
  readonly done: (below: SessionState, text: string) => LineOutcome;
  /** With Esc. */
  readonly left?: readonly Action[];
}

/** The result of a typed line or a choice: actions in order, or the problem with it. */
export type LineOutcome = { readonly actions: readonly Action[] } | { readonly problem: string };

/** The line behind `:`; it acts on the session below. */
export interface CommandLineOpening {
  readonly run: (below: SessionState, line: string) => LineOutcome;
  /** Possible continuations of a line, the likeliest first. */
  readonly offers: (below: SessionState, line: string) => readonly CommandCandidate[];
  /** The commands that there are. */
  readonly commands: (below: SessionState) => readonly CommandHelp[];
}

export type CommandHelp = readonly [form: string, about: string];

/** A line that the one that was begun may become. */
export interface CommandCandidate {
  readonly line: string;
  /** The part of the line that is chosen. */
  readonly label: string;
}

export interface VersionsOpening extends RecordName {
  /** What the record is called. */
  readonly title: string;
}

/** One value in full. */
export interface ValueOpening {
  readonly title: string;
  readonly text: string;
  /** Lines of a page, not a value: indented sentences are broken between words, too. */
  readonly isProse?: true;
  /** Items that can be copied instead of the text. */
  readonly copies?: readonly CopyItem[];
}

/** A question whose answer is yes or no. */
export interface ConfirmOpening {
  readonly about:
    | 'quit'
    | 'cancel-export'
    | 'cancel-fetch'
    | 'forget-history'
    | 'overwrite'
    | 'replace-file'
    | 'switch-node';
  /** The longest first: what fits on the line is asked. */
  readonly questions: readonly string[];
  readonly yes: readonly Action[];
  readonly no?: readonly Action[];
  /** The question no longer applies, because its subject has happened or is gone: the screen closes. */
  readonly isPointless?: (below: SessionState) => boolean;
}

export interface ViewerOpening extends FilesRequest {
  /** It is an answer of the table below it. */
  readonly isOverTable?: true;
}

export interface EarnedOpening {
  /** 64 hexadecimal digits. */
  readonly party: string;
}

export interface ExportOpening {
  /** What its fields are filled with, and how far its steps are taken without a key; null: it begins with the table. */
  readonly filled: FilledExport | null;
}

/** Rows counted by the values of one of their columns. */
export interface CountsOpening {
  readonly source: CountsSource;
  readonly column: CountedColumn;
  /** What the lines are: values, or the sums of each asset. */
  readonly shows: 'values' | 'sums';
  /** The value that is selected at first. */
  readonly value?: string | null;
  /** They were counted before. */
  readonly counts?: Counts;
  /** Null: all rows of a table, whose number is known with the counts. */
  readonly scope: CountedScope | null;
  /** What narrows the rows. */
  readonly narrowing: (shared: SharedState) => readonly Narrowing[];
  /** Counts the same rows in a shell. */
  readonly command?: string;
  readonly file: FileName;
  /** The tab that they stay on while another one is shown; they are closed then where this is left out. */
  readonly tab?: string;
  /** Handled by the screen below: shows only the rows of this value; counts again; offers another column. */
  readonly narrow: (counted: ValueCount, counts: Counts) => LineOutcome;
  readonly again: Action;
  readonly otherColumn: Action;
}

export interface CountedColumn {
  /** As the command line takes it. */
  readonly id: string;
  readonly title: string;
  readonly align: 'left' | 'right';
  /** A value without room is shown by its size. */
  readonly isNumber: boolean;
  /** Its times are counted by day. */
  readonly isByDay: boolean;
}

export interface CountedScope {
  readonly rows: number;
  readonly loaded: number;
  /** The loaded rows are the whole list under its filters. */
  readonly isWhole: boolean;
  /** The search: if set, the rows are those that match. */
  readonly find: string;
}

/** Something that was typed or pasted; without a login, since it is shown. */
export interface ValueToIdentify {
  readonly text: string;
}

/** What a list is opened with. */
export interface BrowseOpening {
  readonly resource: Resource;
  readonly preferences: Preferences;
  readonly saved?: SavedList | undefined;
}

/** Asked of a list by the program, and by another list. */
export type BrowseRequest =
  /** Goes where an id leads; from here: the row that is selected in this very list. */
  | { readonly type: 'seek'; readonly goal: LinkTarget; readonly isFromHere: boolean }
  /** Goes to the record that has this key, as commands take it. */
  | { readonly type: 'seek-key'; readonly sought: KeyedRecord }
  /** Asks for rows where there are none. */
  | { readonly type: 'load-if-empty' }
  /** Gives up that it is loaded whole. */
  | { readonly type: 'to-pages' }
  | { readonly type: 'set-filter'; readonly name: string; readonly value: string }
  /** Makes room for the names of now. */
  | { readonly type: 'lay-out-names' };
