import { Box, Transform, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useSyncExternalStore } from 'react';
import { isTyping } from './app/focus.ts';
import { drawScreen } from './app/frame/screen.ts';
import { acceptsUnbracketedPaste } from './app/layer-input.ts';
import { refusalReason } from './app/refused-actions.ts';
import type { Session } from './app/session.ts';
import type { Line, ScreenRow } from './core/line.ts';
import { SmallTable } from './small-table.tsx';
import type { SuspendControl } from './terminal/host.ts';
import { isText, pressedKeyNames, typedText } from './terminal/keys.ts';
import { paintRow } from './terminal/paint.ts';
import { useSuspension } from './terminal/suspend.ts';
import { currentTheme } from './terminal/theme.ts';

interface AppProps {
  readonly session: Session;
  /** Draws the whole screen again. */
  readonly repaint: () => void;
  readonly stops: SuspendControl;
}

/** Keys that a slow link delivers at once are fewer. */
const MIN_PASTE_LENGTH = 8;

/** Draws the session and passes keys to it; nothing more. */
export function App({ session, repaint, stops }: AppProps) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const theme = currentTheme(state);
  const { columns, rows } = useWindowSize();
  const suspend = useSuspension(stops, {
    onStayed: () =>
      session.dispatch({ type: 'noticed', text: 'nothing to return to: no shell waits for this program to stop' }),
  });

  useEffect(() => {
    const { screen } = session.state();
    if (screen.columns !== columns || screen.rows !== rows)
      session.dispatch({ type: 'resized', screen: { columns, rows } });
  }, [session, columns, rows]);

  const press = (name: string): void => {
    session.press(name);
    if (name === 'ctrl-l') repaint();
    if (name === 'ctrl-z' && refusalReason(session.state(), { type: 'suspend' }) === undefined) suspend();
  };

  useInput((input, key) => {
    // This many characters at once are a paste from a terminal that does not mark pastes, not keys.
    const now = session.state();
    const isPasteTaken = acceptsUnbracketedPaste(now);
    if (isPasteTaken && isText(input, key) && input.length >= MIN_PASTE_LENGTH) return session.paste(input);
    let text = '';
    const type = (): void => {
      if (text !== '') session.dispatch({ type: 'insert-text', text });
      text = '';
    };
    for (const name of pressedKeyNames(input, key)) {
      const typed = isTyping(session.state()) ? typedText(name) : undefined;
      if (typed !== undefined) text += typed;
      else {
        type();
        press(name);
      }
    }
    type();
  });
  usePaste(text => session.paste(text));

  return (
    <Box flexDirection="column" width={state.screen.columns} height={state.screen.rows}>
      {blocksOf(drawScreen(state)).map((block, index) =>
        block.kind === 'lines' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block of the screen is its place
          <PaintedLines key={index} lines={block.lines.map(line => paintRow(line, state.screen.columns, theme))} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block of the screen is its place
          <SmallTable key={index} heading={block.heading} rows={block.rows} theme={theme} />
        ),
      )}
    </Box>
  );
}

interface Lines {
  readonly kind: 'lines';
  readonly lines: readonly Line[];
}

type Table = Extract<ScreenRow, { readonly kind: 'table' }>;

/** Lines that follow each other as one, so that Ink has a few blocks to lay out, not a screen of rows. */
function blocksOf(rows: readonly ScreenRow[]): readonly (Lines | Table)[] {
  const blocks: (Table | (Lines & { readonly lines: Line[] }))[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (row.kind === 'table') blocks.push(row);
    else if (last?.kind === 'lines') last.lines.push(row.line);
    else blocks.push({ kind: 'lines', lines: [row.line] });
  }
  return blocks;
}

/**
 * Lines that are as wide as the screen at most. What Ink measures and lays out is as many blank ones, the same in every
 * frame; these take their place when it writes them.
 */
function PaintedLines({ lines }: { readonly lines: readonly string[] }) {
  return <Transform transform={(_blank, index) => lines[index] ?? ''}>{blankLines(lines.length)}</Transform>;
}

const blankLines = (count: number): string => ` \n`.repeat(count - 1).concat(' ');
