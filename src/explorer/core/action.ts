import type { ReadyQuestion } from '../../answers/index.ts';
import type { TextEdit } from '../../base/text/edit-text.ts';
import type { FilterValues } from '../../chain/resources/filter.ts';
import type { LinkTarget } from '../../chain/resources/links.ts';
import type { ChainHistoryEvent } from '../services/chain-history/chain-history.ts';
import type { CopyContent } from '../services/copying/content.ts';
import type { CopyEvent } from '../services/copying/copying.ts';
import type { JobEvent } from '../services/export-job.ts';
import type { HistoryEvent } from '../services/history/history.ts';
import type { MarkedId, MineEvent } from '../services/mine/mine.ts';
import type { NamesEvent } from '../services/names/names.ts';
import type { NodeEvent } from '../services/node/node.ts';
import type { OfferedNode } from '../services/node/offered-node.ts';
import type { FilesRequest } from '../services/tables.ts';
import type { ViewSaved } from '../services/views/views.ts';
import type { SpinnerEvent } from '../services/wait.ts';
import type { AppearancePreferences, TerminalBackground } from './appearance.ts';
import type { ScreenSize } from './area.ts';
import type { AnyEvent, LayerEvent, RootEvent } from './layer.ts';

/** Actions that are nothing but their name. */
export type PlainAction<Type extends string> = Type extends unknown ? { readonly type: Type } : never;

/** What the person at the keyboard wants: imperative. */
export type KeyAction =
  | { readonly type: 'go-to-tab'; readonly index: number }
  | PlainAction<'next-tab' | 'previous-tab'>
  /** To the snapshot after or before. */
  | { readonly type: 'step-moment'; readonly direction: 1 | -1 }
  | MoveKey
  | { readonly type: 'open-prompt'; readonly id: PromptId }
  | { readonly type: 'open-menu'; readonly id: MenuId }
  | PlainAction<'come-back'>
  | PlainAction<'back' | 'quit' | 'interrupt' | 'redraw' | 'suspend'>
  | { readonly type: 'edit-field'; readonly edit: TextEdit }
  /** Of the screen on top: an event of its own. */
  | { readonly type: 'in-layer'; readonly layer: number; readonly event: AnyEvent }
  | { readonly type: 'toggle-screen'; readonly screen: string }
  | PlainAction<'toggle-times'>;

export type TextAction =
  /** Typed or pasted: goes in at the cursor of the field that has the focus. */
  | { readonly type: 'insert-text'; readonly text: string }
  /** The whole text of that field. */
  | { readonly type: 'type-text'; readonly value: string };

/** Chosen from a menu or the command line. */
export type MenuAction =
  | { readonly type: 'copy'; readonly what: string; readonly content: CopyContent }
  | { readonly type: 'save'; readonly path: string }
  | { readonly type: 'set-looks'; readonly said: AppearancePreferences }
  /** Made by `open` of the openings. */
  | { readonly type: 'open-screen'; readonly screen: string; readonly opening: unknown }
  | { readonly type: 'command-entered'; readonly line: string }
  | { readonly type: 'open-files'; readonly files: FilesRequest }
  /** A ready question of the last export. */
  | { readonly type: 'ask-export'; readonly question: ReadyQuestion }
  /** That question for a party; or just the party that another one was asked for. */
  | { readonly type: 'ask-party' | 'party-asked'; readonly party: string }
  | { readonly type: 'go-to-resource'; readonly resource: string }
  /** A tab, with a way back. */
  | { readonly type: 'visit-tab'; readonly tab: string }
  | { readonly type: 'go-to'; readonly goal: LinkTarget }
  /** With filters, in the list with these filters; else in the usual list. */
  | {
      readonly type: 'go-to-key';
      readonly resource: string;
      readonly key: string;
      readonly filters?: FilterValues;
      /** Unix ms; rows that came before are not shown for it. */
      readonly asOfMs?: number;
    }
  | { readonly type: 'choose-node'; readonly to: OfferedNode }
  /** To a node that could not be connected to. */
  | PlainAction<'connect-again'>
  | { readonly type: 'switch-node'; readonly to: OfferedNode }
  | ({ readonly type: 'mark-mine' } & MarkedId)
  /** Answers to a confirmation. */
  | PlainAction<'end' | 'replace-file' | 'name-another-file'>;

/** What happened: past tense. */
export type ProgramEvent =
  | { readonly type: 'resized'; readonly screen: ScreenSize }
  | { readonly type: 'background-known'; readonly background: TerminalBackground }
  | { readonly type: 'ticked'; readonly nowMs: number }
  | SpinnerEvent
  | {
      readonly type: 'noticed';
      readonly text: string;
      readonly tone?: Notice['tone'];
      readonly refused?: RefusedKey;
      /** Shown only if the current notice has this text; '': only if no notice is shown. */
      readonly inPlaceOf?: string;
    }
  | NodeEvent
  | ViewSaved
  | NamesEvent
  | MineEvent
  | HistoryEvent
  | CopyEvent;

export type Action =
  | KeyAction
  | TextAction
  | MenuAction
  | JobEvent
  | ChainHistoryEvent
  | ProgramEvent
  | LayerEvent
  | RootEvent;

/** Movement, wherever there are lines. */
type MoveKey =
  | { readonly type: 'move'; readonly by: 'line' | 'page' | 'half'; readonly direction: 1 | -1 }
  | { readonly type: 'move-to'; readonly line: 'first' | 'last' };

/** A list to choose from that the program opens. */
export type MenuId = 'keys' | 'copy' | 'presets' | 'after-export' | 'answers';

/** A text that is typed in one line. */
export type PromptId = 'party' | 'command' | 'save';

/** One line about what just happened. */
export interface Notice {
  readonly text: string;
  readonly tone: 'info' | 'good' | 'bad';
  /** The notice explains why this key does nothing. */
  readonly refused?: RefusedKey;
}

/** A key that could not act. */
export interface RefusedKey {
  /** The part that had the keys when it was pressed. */
  readonly focus: string;
  readonly key: string;
}
