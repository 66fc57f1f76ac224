import { clusters } from '../../../base/text/clusters.ts';
import { repeatSafe, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { widthCells } from '../../../base/text/width.ts';
import { focusedField, isTyping } from '../../app/focus.ts';
import type { Session } from '../../app/session.ts';
import { topLayer } from '../../core/layer.ts';
import type { SessionState } from '../../core/state.ts';
import { type Announcement, announcementOf, TAB_PLACE } from './announcement.ts';

export interface Reader {
  /** Announces changes. */
  readonly announce: () => void;
  readonly announceAll: () => void;
  /** A letter that was typed into the field: it is shown where it is typed. */
  readonly echo: (text: string) => void;
  /** Text removed behind the cursor, likewise. */
  readonly erase: (text: string) => void;
}

/** Announces in lines the changes of the session since the last announcement. */
export function createReader(session: Session, write: (text: SafeText) => void): Reader {
  let said: Announcement | undefined;
  /** The lines last read from each open screen, so that coming back repeats nothing. */
  const readByLayer = new Map<number | null, readonly string[]>();
  let field = '';
  let typed = '';
  let cursor = 0;
  let isInLine = false;
  const line = (text: string): void => {
    write(isInLine ? safeText`\r\n${sanitize(text)}\r\n` : safeText`${sanitize(text)}\r\n`);
    isInLine = false;
  };
  const inLine = (text: SafeText): void => {
    write(text);
    isInLine = true;
  };
  const announceField = (): void => {
    const state = session.state();
    const label = fieldLabel(state);
    const { text, at } = focusedField(state);
    if (label !== '' && (label !== field || text !== typed)) {
      if (isInLine) write(safeText`\r\n`);
      inLine(safeText`${sanitize(`${label}: ${text}`)}`);
    } else if (label !== '' && at !== cursor) line(cursorPlace(text, at));
    field = label;
    typed = text;
    cursor = at;
  };
  const announce = (): void => {
    const state = session.state();
    const announcement = withKnownPlace(announcementOf(state), said);
    for (const id of readByLayer.keys()) if (!state.layers.some(layer => layer.id === id)) readByLayer.delete(id);
    // A step of a tab is read when it is entered; other fields are drawn over content that was read before.
    const isStep = topLayer(state)?.field?.isStep === true && fieldLabel(state) !== field;
    if (isTyping(state) && !isStep) {
      for (const text of newProblems(said, announcement)) line(text);
      said = { ...(said ?? announcement), problem: announcement.problem, notice: announcement.notice };
    } else {
      const read = [...(said?.lines ?? []), ...(readByLayer.get(announcement.layer) ?? [])];
      for (const text of newLines(said, announcement, new Set(read))) line(text);
      said = announcement;
      readByLayer.set(announcement.layer, announcement.lines);
    }
    announceField();
  };
  return {
    announce,
    announceAll: () => {
      said = undefined;
      readByLayer.clear();
      field = '';
      announce();
    },
    echo: text => {
      ({ text: typed, at: cursor } = focusedField(session.state()));
      inLine(sanitize(text));
    },
    erase: text => {
      // Away from the end of the text nothing can be taken back: the field is read again.
      if (!isInLine) return;
      ({ text: typed, at: cursor } = focusedField(session.state()));
      inLine(repeatSafe(ERASE, widthCells(sanitize(text))));
    },
  };
}

/** Where the cursor is now in a field. */
function cursorPlace(text: string, at: number): string {
  const character = clusters(text).containing(at)?.segment;
  if (character === undefined) return 'at the end';
  return `on ${character === ' ' ? 'a space' : character}${at === 0 ? ', at the start' : ''}`;
}

const ERASE = safeText`\b \b`;

/** The announcements for a change from one state to another, without repetition. */
function newLines(
  before: Announcement | undefined,
  after: Announcement,
  known: ReadonlySet<string>,
): readonly string[] {
  const place = after.place.filter((text, index) => text !== '' && text !== before?.place[index]);
  const lines = after.lines.filter(text => !known.has(text));
  const isSelectedNew = after.selected !== before?.selected && !lines.includes(after.selected);
  return [
    ...place,
    ...lines,
    ...(after.selected !== '' && isSelectedNew ? [after.selected] : []),
    ...newProblems(before, after),
  ];
}

/** Only the tab while answers are missing; the rest of the position comes with them. */
const withKnownPlace = (announcement: Announcement, said: Announcement | undefined): Announcement =>
  announcement.isPartial
    ? {
        ...announcement,
        place: announcement.place.map((text, index) => (index === TAB_PLACE ? text : (said?.place[index] ?? ''))),
      }
    : announcement;

/** While the user types, only this is announced: the rest follows when the field is left. */
const newProblems = (before: Announcement | undefined, { problem, notice }: Announcement): readonly string[] => [
  ...(problem === '' || problem === before?.problem ? [] : [problem]),
  ...(notice === null || notice === before?.notice ? [] : [notice.text]),
];

/** The kind of text being typed; '' if none. */
const fieldLabel = (state: SessionState): string => topLayer(state)?.field?.label ?? '';
