import { minuteText } from '../../../base/text/time.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { headParts } from '../../app/frame/chrome.ts';
import { drawScreen } from '../../app/frame/screen.ts';
import { bodyScreen, topScreen } from '../../app/open-screens.ts';
import { shownTrust } from '../../app/trust.ts';
import type { Notice } from '../../core/action.ts';
import { isTabCovered, topLayer } from '../../core/layer.ts';
import type { Line, ScreenRow } from '../../core/line.ts';
import type { ScreenAnnouncement } from '../../core/screen.ts';
import type { SessionState } from '../../core/state.ts';
import { coreHealth, shownVersion } from '../../services/node/health.ts';
import { TABS } from '../../tabs.ts';

/** What a screen reader can announce of the explorer now. */
export interface Announcement {
  /** The screen that it is of. */
  readonly layer: number | null;
  /** The current place: each part is announced when it changes. */
  readonly place: readonly string[];
  /** Answers are still to come: only the tab is said. */
  readonly isPartial: boolean;
  /** The lines to read: new ones are announced. */
  readonly lines: readonly string[];
  /** What keys act on. */
  readonly selected: string;
  /** The problem with the typed text. */
  readonly problem: string;
  readonly notice: Notice | null;
}

/** The state in words: a pure function. */
export function announcementOf(seen: SessionState): Announcement {
  // What moves is not read out.
  const state: SessionState = seen.spin === null ? seen : { ...seen, spin: null };
  const { notice } = state;
  const { lines, selected, isPartial = false } = readableContent(state);
  const layer = topLayer(state)?.id ?? null;
  return { layer, place: placeLines(state), isPartial, lines, selected, problem: problemText(state), notice };
}

type Content = ScreenAnnouncement;

function readableContent(state: SessionState): Content {
  const top = topScreen(state);
  return top?.screen.announced?.(top.layer.state, top.context) ?? drawn(state);
}

const ABOVE_BODY = 3;

/** What a person would see below the line of filters, but for what moves all the time. */
function drawn(state: SessionState): Content {
  const lines = drawScreen(state).slice(ABOVE_BODY, -2).flatMap(bodyText);
  const chosen = lines.find(line => line.startsWith('> '));
  const texts = lines.map(line => line.replace(/^> /, ''));
  return { lines: texts, selected: chosen?.slice(2) ?? '' };
}

function placeLines(state: SessionState): readonly string[] {
  const { node, tab } = state;
  const shown = TABS.find(({ id }) => id === tab);
  const trust = shownTrust(state);
  const hasList = resourceById(tab) !== undefined;
  const isCovered = isTabCovered(state);
  const body = bodyScreen(state);
  return [
    [node.label || node.address, node.chainId ?? ''].filter(text => text !== '').join(', '),
    shownVersion(state) && `version ${shownVersion(state)}`,
    // Spoken as it comes, so it is of now.
    coreHealth(state)?.text ?? '',
    trust.kind === 'moment' ? `offline, as of ${minuteText(trust.takenMs)}` : '',
    trust.kind === 'unknown' || trust.kind === 'current' || trust.kind === 'moment' ? '' : TRUST_WORDS[trust.kind],
    `${shown?.title ?? tab}, tab ${shown?.key ?? ''} of ${TABS.at(-1)?.key}`,
    hasList || isCovered ? headText(state) : '',
    countOf(body),
  ];
}

/** The index of the tab. */
export const TAB_PLACE = 5;

const countOf = (body: ReturnType<typeof bodyScreen>): string =>
  (body?.screen.kind === 'list' ? body.screen.announcedCount?.(body.layer.state, body.context) : undefined) ?? '';

function headText(state: SessionState): string {
  const parts = headParts({ ...state, screen: { columns: WIDE, rows: state.screen.rows } });
  return parts
    .map(plainText)
    .filter(text => text !== '')
    .join(', ');
}

const WIDE = 1000;

const TRUST_WORDS = {
  offline: 'the node cannot be reached',
  stale: 'the shown data is old',
  behind: 'the node is behind',
  stalled: 'the chain stands still',
  archive: 'an archive: its newest block is the last one of the chain',
  doubtful: 'the answers may be of several nodes',
} as const;

function problemText(state: SessionState): string {
  const top = topScreen(state);
  return top?.screen.input?.problem?.(top.layer.state) ?? '';
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
