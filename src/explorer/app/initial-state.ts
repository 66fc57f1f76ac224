import type { SavedView } from '../../base/settings/saved-view.ts';
import type { ProfileColour } from '../../base/settings/settings.ts';
import { aliasesById } from '../../chain/directory/aliases.ts';
import { NO_NAMES } from '../../chain/directory/directory.ts';
import { type DisplaySupport, initialAppearance } from '../core/appearance.ts';
import type { ScreenSize } from '../core/area.ts';
import type { AccessLevel } from '../core/guest-access.ts';
import type { SessionState } from '../core/state.ts';
import { NO_CHAIN_HISTORY } from '../services/chain-history/chain-history.ts';
import { NO_JOBS } from '../services/export-job.ts';
import { NO_HISTORY } from '../services/history/history.ts';
import { MINE_NOT_READ_YET } from '../services/mine/mine.ts';
import { NO_NAMES_REQUEST } from '../services/names/names.ts';
import { NO_CONTACT } from '../services/node/node.ts';
import { NO_KNOWN_NODES } from '../services/node/nodes.ts';
import type { Preferences } from '../services/preferences.ts';
import type { FilesRequest } from '../services/tables.ts';

export interface SessionStart {
  /** `own` if not set. */
  readonly access?: AccessLevel;
  readonly screen: ScreenSize;
  readonly tab: string;
  readonly label: string;
  /** Where exports go at first; the current folder if it is left out. */
  readonly destination?: string;
  readonly nowMs: number;
  /** Those known before the node is connected; the connection brings them all. */
  readonly preferences?: Preferences;
  /** Of the node's profile; null when it has none. */
  readonly colour?: ProfileColour | null;
  /** How the lists of the node were left. */
  readonly view?: SavedView;
  /** Files to open at the start, over the History tab. */
  readonly files?: FilesRequest;
  /** No node was named; it is connected to once it is needed. */
  readonly isNodeUnasked?: boolean;
  readonly isFirstStart?: boolean;
  /** Of the terminal; one with colours and UTF-8 when nothing is known. */
  readonly terminal?: DisplaySupport;
}

export function initialState(start: SessionStart): SessionState {
  const { preferences = {} } = start;
  const { tab } = start;
  return {
    access: start.access ?? 'own',
    screen: start.screen,
    knownNodes: NO_KNOWN_NODES,
    views: { opened: '', saving: null },
    node: {
      choice: { kind: 'start' },
      requestId: 0,
      cameFrom: null,
      hasAnswered: false,
      colour: start.colour ?? null,
      status: start.isNodeUnasked === true ? 'unasked' : 'starting',
      label: start.label,
      address: '',
      hasLogin: false,
      moment: null,
      chainId: null,
      isChainDoubted: true,
      core: null,
      hasSegments: false,
      presets: null,
      build: { version: '', isDoubted: false },
      height: null,
      hasMoved: false,
      contact: NO_CONTACT,
      doubts: [],
      checking: null,
      ratePerSecond: null,
      blockedUntilMs: 0,
      nowMs: start.nowMs,
    },
    preferences,
    looks: initialAppearance(start.terminal),
    tab,
    times: preferences.times ?? 'ages',
    ...NO_JOBS,
    exportFolder: start.destination ?? '.',
    chainHistory: NO_CHAIN_HISTORY,
    partyRequest: { question: null, party: '' },
    layers: [],
    outbox: [],
    notice: null,
    spin: null,
    copying: null,
    saving: null,
    isFirstStart: start.isFirstStart === true,
    isEnded: false,
    isInterrupted: false,
    lastId: 0,
    trail: [],
    seen: {},
    lastFees: null,
    history: NO_HISTORY,
    directory: { ...NO_NAMES, aliases: aliasesById(preferences.aliases) },
    naming: NO_NAMES_REQUEST,
    mine: MINE_NOT_READ_YET,
  };
}
