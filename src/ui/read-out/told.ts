import { resourceById } from '../../resources/registry.ts';
import { markedColumn } from '../../session/model/marked-cell.ts';
import { isTyping, modeOf } from '../../session/model/mode.ts';
import type { Notice } from '../../session/model/notice.ts';
import { coreStanding, versionOf } from '../../session/model/standing.ts';
import type { SessionState } from '../../session/model/state.ts';
import { TABS } from '../../session/model/tabs.ts';
import { trustOf } from '../../session/model/trust.ts';
import { menuItems, menuTitle } from '../../session/reduce/menu.ts';
import { drawFilterLine } from '../draw/chrome.ts';
import { confirmText } from '../draw/overlay.ts';
import { drawScreen } from '../draw/screen.ts';
import { bodyText, plainText } from './plain-text.ts';
import { recordLine, recordLines } from './record-lines.ts';
import { rowCount, rowText } from './row-text.ts';

/** What can be said of the explorer as it is. */
export interface Told {
  /** Where it is: each is said when it is another. */
  readonly place: readonly string[];
  /** What is there to read: those that were not there before are said. */
  readonly lines: readonly string[];
  /** What keys act on. */
  readonly selected: string;
  /** What is in the way of what was typed. */
  readonly problem: string;
  readonly notice: Notice | null;
}

/** The state in words: a pure function of it. */
export function toldOf(state: SessionState): Told {
  const { notice } = state;
  return { place: placeOf(state), ...contentOf(state), problem: problemOf(state), notice };
}

type Content = Pick<Told, 'lines' | 'selected'>;

function contentOf(state: SessionState): Content {
  const { overlay, tab } = state;
  if (overlay?.kind === 'confirm') return { lines: [confirmText(state, overlay)], selected: '' };
  if (overlay?.kind === 'menu' && overlay.id !== 'nodes') {
    const items = menuItems(state, overlay);
    const item = items[overlay.cursor];
    return {
      lines: [`${menuTitle(state, overlay)}: ${items.length} to choose from`],
      selected:
        item === undefined ? '' : [wordOf(item.mark), item.label, item.detail].filter(text => text !== '').join(', '),
    };
  }
  const resource = resourceById(tab);
  const browser = state.browsers[tab];
  const mode = modeOf(state);
  if (resource === undefined || browser === undefined || (mode !== 'table' && mode !== 'inspector') || isTyping(mode))
    return drawn(state);
  if (browser.inspector !== null)
    return {
      lines: recordLines(resource, browser.inspector, state.directory),
      selected: recordLine(resource, browser.inspector, state.directory),
    };
  const named = { directory: state.directory, marked: markedColumn(state) };
  const row = browser.failure === null ? rowText(resource, browser, named) : '';
  return row === '' ? drawn(state) : { lines: [], selected: row };
}

const wordOf = (mark: string): string => (mark === '[x]' ? 'shown' : mark === '[ ]' ? 'hidden' : mark.trim());

const ABOVE_BODY = 3;

/** What a person would see below the line of filters, but for what moves all the time. */
function drawn(state: SessionState): Content {
  const isRunning = modeOf(state) === 'export-progress';
  const lines = drawScreen(state).slice(ABOVE_BODY, -2).flatMap(bodyText);
  const chosen = lines.find(line => line.startsWith('> '));
  const texts = lines.map(line => line.replace(/^> /, ''));
  return { lines: isRunning ? texts.slice(0, 1) : texts, selected: chosen?.slice(2) ?? '' };
}

function placeOf(state: SessionState): readonly string[] {
  const { node, tab } = state;
  const resource = resourceById(tab);
  const browser = state.browsers[tab];
  const index = TABS.findIndex(({ id }) => id === tab);
  const trust = trustOf(state);
  const hasList = resource !== undefined && browser !== undefined;
  const isCovered = state.layers.length > 0;
  const isViewing = tab === 'export' && state.viewer !== null;
  return [
    [node.label || node.address, node.chainId ?? ''].filter(text => text !== '').join(', '),
    versionOf(state) && `version ${versionOf(state)}`,
    // Spoken as it comes, so it is of now.
    coreStanding(state)?.text ?? '',
    trust.kind === 'unknown' || trust.kind === 'current' ? '' : TRUST_WORDS[trust.kind],
    `${TABS[index]?.title ?? tab}, tab ${index + 1} of ${TABS.length}`,
    hasList || isViewing || isCovered
      ? plainText(drawFilterLine({ ...state, screen: { columns: WIDE, rows: state.screen.rows } }))
      : '',
    hasList && !isCovered ? rowCount(resource, browser) : '',
  ];
}

const WIDE = 1000;

const TRUST_WORDS = {
  offline: 'the node cannot be reached',
  stale: 'what is shown is old',
  behind: 'the node is behind',
} as const;

function problemOf({ overlay, browsers, tab, wizard }: SessionState): string {
  if (overlay?.kind === 'prompt') return overlay.problem ?? '';
  return browsers[tab]?.draft?.problem ?? (tab === 'export' ? (wizard.problem ?? '') : '');
}
