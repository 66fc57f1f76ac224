import { NO_NAMES } from '../../directory/directory.ts';
import { RESOURCES } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ProfileColour } from '../../settings/settings.ts';
import { NO_HISTORY } from './command-history.ts';
import { firstLooks, type TerminalFacts } from './looks.ts';
import { NO_NAMING } from './naming.ts';
import { NO_NODES } from './nodes.ts';
import type { Preferences } from './preferences.ts';
import type { Browser, Screen, SessionState } from './state.ts';
import { newWizard } from './wizard.ts';

export type { Preferences } from './preferences.ts';

export interface Start {
  readonly screen: Screen;
  readonly tab: string;
  readonly label: string;
  readonly destination: string;
  readonly nowMs: number;
  /** As far as they are known before the node is; all of them come with the connection. */
  readonly preferences?: Preferences;
  /** Of the node's profile; null when it has none. */
  readonly colour?: ProfileColour | null;
  /** Of the terminal; one with colours and UTF-8 when nothing is known. */
  readonly terminal?: TerminalFacts;
}

const DEFAULT_PAGE_SIZE = 50;

export function initialState(start: Start): SessionState {
  const { preferences = {} } = start;
  return {
    screen: start.screen,
    nodes: NO_NODES,
    node: {
      choice: { kind: 'start' },
      ticket: 0,
      cameFrom: null,
      hasAnswered: false,
      colour: start.colour ?? null,
      status: 'starting',
      label: start.label,
      address: '',
      hasLogin: false,
      chainId: null,
      isChainDoubted: false,
      height: null,
      ratePerSecond: null,
      blockedUntilMs: 0,
      nowMs: start.nowMs,
    },
    preferences,
    looks: firstLooks(start.terminal),
    tab: start.tab,
    browsers: Object.fromEntries(RESOURCES.map(resource => [resource.id, newBrowser(resource, preferences)])),
    wizard: newWizard(start.destination),
    job: null,
    statement: null,
    frequency: null,
    countedLast: {},
    requests: null,
    overlay: null,
    notice: null,
    previewing: null,
    copying: null,
    isEnded: false,
    isInterrupted: false,
    ticket: 0,
    pasted: null,
    trail: [],
    seen: {},
    history: NO_HISTORY,
    directory: NO_NAMES,
    naming: NO_NAMING,
  };
}

/** Applies the settings to lists that were not asked for yet. */
export function withPreferences(
  browsers: SessionState['browsers'],
  preferences: Preferences,
): SessionState['browsers'] {
  return Object.fromEntries(
    RESOURCES.map(resource => {
      const { pageSize, columnChoice, initialColumns } = newBrowser(resource, preferences);
      const browser = browsers[resource.id] ?? newBrowser(resource, preferences);
      const loading = browser.loading && {
        ...browser.loading,
        request: { ...browser.loading.request, size: pageSize },
      };
      return [resource.id, { ...browser, pageSize, columnChoice, initialColumns, loading }];
    }),
  );
}

function newBrowser(resource: Resource, preferences: Preferences): Browser {
  const columns = preferences.columns?.[resource.id] ?? {};
  return {
    resource: resource.id,
    filters: resource.usualFilters ?? {},
    pageSize: resource.paging.pageSize ?? preferences.pageSize ?? DEFAULT_PAGE_SIZE,
    newestFirst: true,
    page: null,
    behind: [],
    ahead: null,
    loading: null,
    prefetching: null,
    failure: null,
    demand: null,
    view: { row: 0, top: 0, left: 0 },
    find: '',
    sort: null,
    columnChoice: columns,
    columnOrder: [],
    columnWidths: {},
    times: preferences.times ?? 'ages',
    names: NO_NAMES,
    initialColumns: columns,
    inspector: null,
    seeking: null,
    draft: null,
    watchS: 0,
    changes: null,
    spokenOf: null,
  };
}
