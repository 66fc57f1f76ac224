import { editedField } from '../../session/model/field.ts';
import { isTyping, modeOf } from '../../session/model/mode.ts';
import type { Session } from '../../session/session.ts';
import { clusters } from '../../text/clusters.ts';
import { repeatSafe, type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { widthCells } from '../../text/width.ts';
import { fieldLabel } from './field-label.ts';
import { newsOf, typedNews } from './news.ts';
import { type Told, toldOf } from './told.ts';

export interface Reader {
  /** Says what is new. */
  readonly tell: () => void;
  /** Says all of it. */
  readonly tellAgain: () => void;
  /** A letter that was typed into the field: it is shown where it is typed. */
  readonly echo: (text: string) => void;
  /** What was removed behind the cursor, likewise. */
  readonly erase: (text: string) => void;
}

/** Says in lines what has become of the session since it was last said. */
export function createReader(session: Session, write: (text: SafeText) => void): Reader {
  let said: Told | undefined;
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
  const tellField = (): void => {
    const state = session.state();
    const label = fieldLabel(state);
    const { text, at } = editedField(state);
    if (label !== '' && (label !== field || text !== typed)) {
      if (isInLine) write(safeText`\r\n`);
      inLine(safeText`${sanitize(`${label}: ${text}`)}`);
    } else if (label !== '' && at !== cursor) line(cursorPlace(text, at));
    field = label;
    typed = text;
    cursor = at;
  };
  const tell = (): void => {
    const state = session.state();
    const told = toldOf(state);
    // A step of the wizard is read when it is come to; other fields lie over what was read already.
    const isStep = modeOf(state).startsWith('export-') && fieldLabel(state) !== field;
    if (isTyping(modeOf(state)) && !isStep) {
      for (const text of typedNews(said, told)) line(text);
      said = { ...(said ?? told), problem: told.problem, notice: told.notice };
    } else {
      for (const text of newsOf(said, told)) line(text);
      said = told;
    }
    tellField();
  };
  return {
    tell,
    tellAgain: () => {
      said = undefined;
      field = '';
      tell();
    },
    echo: text => {
      ({ text: typed, at: cursor } = editedField(session.state()));
      inLine(sanitize(text));
    },
    erase: text => {
      // Elsewhere than behind the text there is nothing to take back: the field is read anew.
      if (!isInLine) return;
      ({ text: typed, at: cursor } = editedField(session.state()));
      inLine(repeatSafe(ERASE, widthCells(sanitize(text))));
    },
  };
}

/** Where the cursor has come to in a field. */
function cursorPlace(text: string, at: number): string {
  const character = clusters(text).containing(at)?.segment;
  if (character === undefined) return 'at the end';
  return `on ${character === ' ' ? 'a space' : character}${at === 0 ? ', at the start' : ''}`;
}

const ERASE = safeText`\b \b`;
