import type { Directory } from '../../../directory/directory.ts';
import { resourceById } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import { isBranch } from '../../../resources/tree.ts';
import { cellText, formOf } from '../../../session/model/cell-text.ts';
import { rawLines, shownText, type TreeLine, treeLines } from '../../../session/model/inspector.ts';
import { isTabCovered } from '../../../session/model/layer.ts';
import { markedColumn } from '../../../session/model/marked-cell.ts';
import { isTyping, modeOf } from '../../../session/model/mode.ts';
import type { Notice } from '../../../session/model/notice.ts';
import { rowsAtHand } from '../../../session/model/rows-at-hand.ts';
import type { Browser, Inspector, SessionState } from '../../../session/model/state.ts';
import { TABS } from '../../../session/model/tabs.ts';
import { trustOf } from '../../../session/model/trust.ts';
import { shownColumns } from '../../../session/model/visible-rows.ts';
import { bodyScreen, shownAsOfMs, topScreen } from '../../../session/reduce/layers.ts';
import { ofList } from '../../../session/reduce/tab-list.ts';
import { truncateMiddle } from '../../../text/width.ts';
import { drawHead } from '../../../ui/draw/chrome.ts';
import { drawScreen } from '../../../ui/draw/screen.ts';
import type { Line } from '../../core/line.ts';
import type { ScreenRow } from '../../core/row.ts';
import { coreHealth, versionOf } from '../../services/node/health.ts';

/** What can be said of the explorer as it is. */
export interface Announcement {
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
export function announcementOf(state: SessionState): Announcement {
  const { notice } = state;
  return { place: placeOf(state), ...contentOf(state), problem: problemOf(state), notice };
}

type Content = Pick<Announcement, 'lines' | 'selected'>;

function contentOf(state: SessionState): Content {
  const { tab } = state;
  const top = topScreen(state);
  if (top?.screen.announced !== undefined) return top.screen.announced(top.layer.state, top.context) ?? drawn(state);
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
  const named = { directory: state.directory, marked: ofList(markedColumn)(state) ?? null };
  const row = browser.failure === null ? rowText(resource, browser, named) : '';
  return row === '' ? drawn(state) : { lines: [], selected: row };
}

const ABOVE_BODY = 3;

/** What a person would see below the line of filters, but for what moves all the time. */
function drawn(state: SessionState): Content {
  const top = bodyScreen(state);
  const isRunning = top?.screen.showsJob?.(top.layer.state) === true;
  const lines = drawScreen(state).slice(ABOVE_BODY, -2).flatMap(bodyText);
  const chosen = lines.find(line => line.startsWith('> '));
  const texts = lines.map(line => line.replace(/^> /, ''));
  return { lines: isRunning ? texts.slice(0, 1) : texts, selected: chosen?.slice(2) ?? '' };
}

function placeOf(state: SessionState): readonly string[] {
  const { node, tab } = state;
  const resource = resourceById(tab);
  const browser = state.browsers[tab];
  const shown = TABS.find(({ id }) => id === tab);
  const trust = trustOf(state, shownAsOfMs(state));
  const hasList = resource !== undefined && browser !== undefined;
  const isCovered = isTabCovered(state);
  const body = bodyScreen(state);
  return [
    [node.label || node.address, node.chainId ?? ''].filter(text => text !== '').join(', '),
    versionOf(state) && `version ${versionOf(state)}`,
    // Spoken as it comes, so it is of now.
    coreHealth(state)?.text ?? '',
    trust.kind === 'unknown' || trust.kind === 'current' ? '' : TRUST_WORDS[trust.kind],
    `${shown?.title ?? tab}, tab ${shown?.key ?? ''} of ${TABS.at(-1)?.key}`,
    hasList || isCovered ? plainText(drawHead({ ...state, screen: { columns: WIDE, rows: state.screen.rows } })) : '',
    body?.screen.announcedCount?.(body.layer.state, body.context) ??
      (hasList && !isCovered ? rowCount(resource, browser) : ''),
  ];
}

const WIDE = 1000;

const TRUST_WORDS = {
  offline: 'the node cannot be reached',
  stale: 'what is shown is old',
  behind: 'the node is behind',
} as const;

function problemOf(state: SessionState): string {
  const { browsers, tab } = state;
  const top = topScreen(state);
  if (top !== undefined) return top.screen.problem?.(top.layer.state) ?? '';
  return browsers[tab]?.filterBar?.problem ?? '';
}

/** A drawn line in words: without line art, and with a comma where there was room. */
const plainText = (line: Line): string =>
  line
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[\u2500-\u25ff]/g, ' ')
    .trimEnd()
    .replaceAll(/(?<=\S) {2,}(?=\S)/g, ', ')
    .trim();

/** The lines of a row of the body; rules and blanks are none. */
function bodyText(row: ScreenRow): readonly string[] {
  switch (row.kind) {
    case 'line':
      return [plainText(row.line)].filter(text => text !== '');
    case 'field':
      return [];
    case 'table':
      return row.rows.map(cells => cells.map((cell, index) => `${row.heading[index]}: ${cell}`).join('; '));
  }
}

/** More are read by going on. */
const MOST_LINES = 40;

/** The record as it is unfolded, what it means first. */
function recordLines(resource: Resource, inspector: Inspector, directory: Directory): readonly string[] {
  const lines = inspector.isRaw
    ? rawLines(inspector.row)
    : treeLines(resource, inspector).map(line => lineText(line, inspector, directory));
  const left = lines.length - MOST_LINES;
  return [
    `${resource.singular} ${resource.keyOf(inspector.row)}`,
    ...lines.slice(0, MOST_LINES),
    ...(left > 0 ? [`and ${left} lines more: down goes on`] : []),
  ];
}

/** The line that keys act on. */
function recordLine(resource: Resource, inspector: Inspector, directory: Directory): string {
  if (inspector.isRaw) return rawLines(inspector.row)[inspector.cursor] ?? '';
  const line = treeLines(resource, inspector)[inspector.cursor];
  return line === undefined ? '' : lineText(line, inspector, directory);
}

function lineText({ node, isOpen, piece }: TreeLine, { receivedAtMs }: Inspector, directory: Directory): string {
  const label = piece?.isFirst === false ? '' : node.label;
  const fold = isBranch(node) ? (isOpen ? ', open' : ', folded') : '';
  if (node.value === undefined) return `${label}${fold}`;
  const text = piece?.text ?? shownText(node, directory, receivedAtMs);
  return `${label === '' ? '' : `${label}: `}${text}${fold}`;
}

const LONG_ID = /^(?:0x)?[0-9a-f]{16,}$/i;

/** Of an id so many characters: both its ends. */
const ID_CELLS = 12;

/** The selected row, each column with its title, or its marked cell alone; '' when there is none. */
function rowText(
  resource: Resource,
  browser: Browser,
  { directory, marked }: { readonly directory: Directory; readonly marked: string | null },
): string {
  const { page, view } = browser;
  const { rows } = rowsAtHand(resource, browser);
  const row = rows.at(view.row);
  if (page === null || row === undefined) return '';
  const columns = shownColumns(resource, browser).filter(({ id }) => marked === null || id === marked);
  const cells = columns.flatMap(column => {
    const text = cellText(column, row, page, directory);
    const shown = LONG_ID.test(text) ? truncateMiddle(text, ID_CELLS) : text;
    const [title] = formOf(column, page, directory).titles;
    if (shown.trim() !== '') return [`${title.toLowerCase()}: ${shown.trim()}`];
    return marked === null ? [] : [`${title.toLowerCase()}: empty`];
  });
  if (marked !== null) return [...cells, `${view.row + 1} of ${rows.length}`].join('; ');
  const group = resource.groupOf?.(row).title ?? '';
  return [`${view.row + 1} of ${rows.length}`, ...(group === '' ? [] : [group]), ...cells].join('; ');
}

/** How many rows there are, as far as they are loaded; '' while none are. */
function rowCount(resource: Resource, browser: Browser): string {
  const { page, find } = browser;
  if (page === null || browser.failure !== null) return '';
  const { rows, loaded, isWhole } = rowsAtHand(resource, browser);
  const count = find === '' ? `${loaded} rows` : `${rows.length} rows of ${loaded} match`;
  const at = page.offset === null || page.offset === 0 ? '' : `, from row ${page.offset + 1} on`;
  return `${count}${at}${isWhole ? ', the whole list' : page.hasNextPage ? ', more behind them' : ''}`;
}
