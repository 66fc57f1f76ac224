import type { Directory } from '../../chain/directory/directory.ts';
import type { ChainHistoryState } from '../services/chain-history/chain-history.ts';
import type { Copying, Saving } from '../services/copying/content.ts';
import type { ExportJobs } from '../services/export-job.ts';
import type { CommandHistory } from '../services/history/history.ts';
import type { MineState } from '../services/mine/mine.ts';
import type { LastFees } from '../services/names/last-fees.ts';
import type { NamesRequest } from '../services/names/names.ts';
import type { SeenIds } from '../services/names/seen-ids.ts';
import type { NodeState } from '../services/node/node.ts';
import type { KnownNodes } from '../services/node/nodes.ts';
import type { Preferences } from '../services/preferences.ts';
import type { PartyRequest } from '../services/tables.ts';
import type { SavedViews } from '../services/views/views.ts';
import type { Spinner } from '../services/wait.ts';
import type { Action, Notice } from './action.ts';
import type { Appearance } from './appearance.ts';
import type { ScreenSize } from './area.ts';
import type { AccessLevel } from './guest-access.ts';
import type { Layer } from './layer.ts';
import type { Trail } from './trail.ts';

/** Everything the explorer shows. Immutable; only `reduce` creates it. */
export interface SessionState extends ExportJobs {
  readonly access: AccessLevel;
  readonly screen: ScreenSize;
  readonly node: NodeState;
  readonly preferences: Preferences;
  readonly looks: Appearance;
  readonly knownNodes: KnownNodes;
  readonly views: SavedViews;
  readonly tab: TabId;
  readonly times: Times;
  readonly partyRequest: PartyRequest;
  /** The screens: the tabs themselves, and what lies over them, the top one last. */
  readonly layers: readonly Layer[];
  /** What screens want done outside of themselves, until the action that it comes of is done. */
  readonly outbox: readonly Action[];
  /** One line about what just happened, until the next key. */
  readonly notice: Notice | null;
  /** The current wait, once it takes long. */
  readonly spin: Spinner | null;
  /** Content to put on the clipboard, until that is done. */
  readonly copying: Copying | null;
  /** Content to write to a file, until that is done. */
  readonly saving: Saving | null;
  /** Nothing is known of earlier runs: the user may be new. */
  readonly isFirstStart: boolean;
  readonly isEnded: boolean;
  /** It was Ctrl-C that ended it. */
  readonly isInterrupted: boolean;
  /** The last id that was given to a layer or a request. */
  readonly lastId: number;
  /** Where ids led away from. */
  readonly trail: Trail<unknown>;
  /** Offered in filter fields. */
  readonly seen: SeenIds;
  /** Null before rows of paid fees were seen. */
  readonly lastFees: LastFees | null;
  readonly history: CommandHistory;
  readonly chainHistory: ChainHistoryState;
  /** Where exports go at first. */
  readonly exportFolder: string;
  /** Names of the chain that are known so far, and the user's own. */
  readonly directory: Directory;
  readonly naming: NamesRequest;
  readonly mine: MineState;
}

/** For each kind of action the one function that makes the state after it. */
export type ActionHandlers<Handled extends Action> = {
  readonly [Type in Handled['type']]: (state: SessionState, action: Handled & { readonly type: Type }) => SessionState;
};

/** How times are shown. */
export type Times = 'ages' | 'clock';

/** A resource's id, `overview` or `history`. */
type TabId = string;
