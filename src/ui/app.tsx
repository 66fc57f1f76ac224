import { Box, Text, Transform, useInput, usePaste, useWindowSize } from 'ink';
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { hearsMouse } from '../session/model/looks.ts';
import { fieldText, isTyping, modeOf } from '../session/model/mode.ts';
import { isProposed } from '../session/reduce/prompt-line.ts';
import type { Session } from '../session/session.ts';
import { type SafeText, sliceSafe } from '../text/safe-text.ts';
import type { ScreenRow } from './draw/row.ts';
import { drawScreen } from './draw/screen.ts';
import type { Stops } from './host.ts';
import { useMouse } from './input/use-mouse.ts';
import { isFieldKey, isText, keyNamesOf } from './keys.ts';
import { cutLine, type Line, span, textLine } from './line.ts';
import { paint, paintRow } from './paint.ts';
import { SmallTable } from './small-table.tsx';
import { useSuspension } from './suspend.ts';
import { TextField } from './text-field.tsx';
import { type Theme, themeOf } from './theme.ts';

interface AppProps {
  readonly session: Session;
  /** Draws the whole screen anew. */
  readonly repaint: () => void;
  readonly stops: Stops;
  /** Sends a sequence to the terminal as it is. */
  readonly send: (sequence: string) => void;
}

/** Keys that a slow link delivers at once are fewer. */
const SHORTEST_PASTE = 8;

/** Draws the session and passes keys to it; nothing more. */
export function App({ session, repaint, stops, send }: AppProps) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const theme = themeOf(state);
  const isControlKey = useRef(false);
  const untaken = useRef('');
  const { columns, rows } = useWindowSize();
  const mouse = useMouse(hearsMouse(state), send);
  const suspend = useSuspension(stops, {
    ...mouse,
    onStayed: () =>
      session.dispatch({ type: 'noticed', text: 'nothing to return to: no shell waits for this program to stop' }),
  });

  useEffect(() => {
    const { screen } = session.state();
    if (screen.columns !== columns || screen.rows !== rows)
      session.dispatch({ type: 'resized', screen: { columns, rows } });
  }, [session, columns, rows]);

  // A field that was just put on the screen may not hear its first keys yet: what it did not take is put into it.
  const putUntaken = (): void => {
    const text = untaken.current;
    untaken.current = '';
    if (text !== '' && isTyping(modeOf(session.state()))) session.paste(text);
  };

  useInput((input, key) => {
    putUntaken();
    // So many characters at once are a paste of a terminal that does not mark it, and no keys.
    if (modeOf(session.state()) === 'filters-offered' && isText(input, key) && input.length >= SHORTEST_PASTE)
      return session.paste(input);
    const names = keyNamesOf(input, key);
    // Text with another key in it, as a slow link delivers it, is not for the field: that would take it all for text.
    isControlKey.current = !names.every(isFieldKey);
    for (const [index, name] of names.entries()) {
      if (isTyping(modeOf(session.state())) && isFieldKey(name)) {
        if (index === 0 && !isControlKey.current) {
          if (isText(input, key)) {
            untaken.current = input;
            queueMicrotask(putUntaken);
          }
          return;
        }
        // The field does not get the event, or was opened by a key of this very event.
        session.paste(name === 'space' ? ' ' : name);
        continue;
      }
      session.press(name);
      if (name === 'ctrl-l') repaint();
      if (name === 'ctrl-z') suspend();
    }
  });
  usePaste(text => session.paste(text));

  return (
    <Box flexDirection="column" width={state.screen.columns} height={state.screen.rows}>
      {blocksOf(drawScreen(state)).map((block, index) =>
        block.kind === 'lines' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block of the screen is its place
          <PaintedLines key={index} lines={block.lines.map(line => paintRow(line, state.screen.columns, theme))} />
        ) : (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a block of the screen is its place
            key={index}
            row={block}
            columns={state.screen.columns}
            theme={theme}
            session={session}
            isControlKey={isControlKey}
            untaken={untaken}
          />
        ),
      )}
    </Box>
  );
}

interface Lines {
  readonly kind: 'lines';
  readonly lines: readonly Line[];
}

type Component = Exclude<ScreenRow, { readonly kind: 'line' }>;

/** Lines that follow each other as one, so that Ink has a few blocks to lay out, not a screen of rows. */
function blocksOf(rows: readonly ScreenRow[]): readonly (Lines | Component)[] {
  const blocks: (Component | (Lines & { readonly lines: Line[] }))[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (row.kind !== 'line') blocks.push(row);
    else if (last?.kind === 'lines') last.lines.push(row.line);
    else blocks.push({ kind: 'lines', lines: [row.line] });
  }
  return blocks;
}

interface RowProps extends Pick<AppProps, 'session'> {
  readonly theme: Theme;
  readonly row: Component;
  readonly columns: number;
  readonly isControlKey: RefObject<boolean>;
  readonly untaken: RefObject<string>;
}

function Row({ row, columns, theme, session, isControlKey, untaken }: RowProps) {
  switch (row.kind) {
    case 'table':
      return <SmallTable heading={row.heading} rows={row.rows} theme={theme} />;
    case 'field':
      // Below a question the field shows its text but has no keys: the n of an answer would be typed into it.
      if (!isTyping(modeOf(session.state()))) {
        const below = fieldText({ ...session.state(), overlay: null });
        return <PaintedLine text={paint(cutLine([...row.before, ...textLine(below), ...row.after], columns), theme)} />;
      }
      return (
        <Box height={1} overflow="hidden">
          <Box flexShrink={0}>
            <PaintedLine text={paint(row.before, theme)} />
          </Box>
          <TextField
            value={fieldText(session.state())}
            current={() => fieldText(session.state())}
            placeholder={row.placeholder}
            theme={theme}
            ghost={row.ghost === undefined ? null : paint(ghostLine(row.ghost), theme)}
            isProposed={isProposed(session.state())}
            onRightAtEnd={() => session.press('right')}
            isControlKey={isControlKey}
            onChange={value => {
              untaken.current = '';
              session.dispatch({ type: 'type-text', value });
            }}
          />
          <PaintedLine text={paint(row.after, theme)} />
        </Box>
      );
  }
}

// The cursor stands on its first character.
const ghostLine = (ghost: SafeText): Line => [span(sliceSafe(ghost, 0, 1), 'mark'), span(sliceSafe(ghost, 1), 'quiet')];

/**
 * Lines that are as wide as the screen at most. What Ink measures and lays out is as many blank ones, the same in every
 * frame; these take their place when it writes them.
 */
function PaintedLines({ lines }: { readonly lines: readonly string[] }) {
  return <Transform transform={(_blank, index) => lines[index] ?? ''}>{blankLines(lines.length)}</Transform>;
}

const blankLines = (count: number): string => ` \n`.repeat(count - 1).concat(' ');

const PaintedLine = ({ text }: { readonly text: string }) => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
