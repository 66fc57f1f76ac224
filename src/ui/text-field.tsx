import { Text, Transform, useInput } from 'ink';
import TextInput from 'ink-text-input';
import { type RefObject, useReducer, useRef, useState } from 'react';
import { asciiText } from './ascii.ts';
import type { Theme } from './theme.ts';

interface TextFieldProps {
  readonly value: string;
  /** The text as it is by now: keys of one event come faster than frames. */
  readonly current: () => string;
  readonly placeholder: string;
  readonly theme: Theme;
  /** What the text may go on with, painted, with the cursor on its first character; null where there is nothing. */
  readonly ghost: string | null;
  /** What is typed next takes the place of the text. */
  readonly isProposed: boolean;
  /** The right arrow where there is nothing to the right. */
  readonly onRightAtEnd: () => void;
  readonly onChange: (value: string) => void;
  /** True while what is being handled is no text for the field: the input component would type its letters. */
  readonly isControlKey: RefObject<boolean>;
}

/** The field that has the focus. Text that came from elsewhere (a suggestion, a paste) puts the cursor at its end. */
export function TextField(props: TextFieldProps) {
  const { value, current, placeholder, theme, ghost, isProposed, onRightAtEnd, onChange, isControlKey } = props;
  const typed = useRef(value);
  const generation = useRef(0);
  const [starts, startAnew] = useReducer((count: number) => count + 1, 0);
  if (typed.current !== value) {
    typed.current = value;
    generation.current++;
  }
  const life = `${generation.current} ${starts}`;
  // The component keeps its cursor to itself: how far from the end it stands follows from the arrows alone.
  const [cursor, setCursor] = useState({ life, fromEnd: 0 });
  const fromEnd = cursor.life === life ? cursor.fromEnd : 0;
  useInput((_, key) => {
    if (key.rightArrow && fromEnd === 0) onRightAtEnd();
    else if (key.rightArrow) setCursor({ life, fromEnd: fromEnd - 1 });
    else if (key.leftArrow) setCursor({ life, fromEnd: Math.min(fromEnd + 1, value.length) });
  });
  return (
    // A text longer than its room shows its end, where it is typed.
    <Text wrap="truncate-start">
      <Transform
        transform={text => {
          const shown = withGhost(inTheme(text, theme), fromEnd > 0 ? null : ghost);
          return isProposed ? asSelected(shown) : shown;
        }}
      >
        <TextInput
          key={life}
          value={value}
          placeholder={placeholder}
          onChange={next => {
            // The component has moved its cursor over what it has not got: it starts anew.
            if (isControlKey.current) return startAnew();
            const now = current();
            const edited = now === value ? next : rebased(value, next, now);
            if (now === value) typed.current = next;
            onChange(edited);
          }}
        />
      </Transform>
    </Text>
  );
}

// The component has a grey and characters of its own.
function inTheme(text: string, { styles, isAscii }: Theme): string {
  const styled = text.replaceAll('\u001b[90m', `\u001b[${styles.quiet}m`).replaceAll('\u001b[39m', '\u001b[0m');
  return isAscii ? asciiText(styled) : styled;
}

// In place of its cursor, with and without colours.
const withGhost = (text: string, ghost: string | null): string =>
  ghost === null ? text : text.replace(/(?:\u001b\[7m \u001b\[27m| )$/, () => ghost);

// As the cursor behind it is drawn; without colours there is none.
const asSelected = (text: string): string => text.replace(/^[^\u001b]+(?=\u001b\[7m)/, '\u001b[7m$&\u001b[27m');

/** What was done to a text that is out of date by now, done to the end of the present one. */
function rebased(from: string, to: string, now: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  const added = Math.max(0, to.length - from.length);
  return added > 0 ? now + to.slice(start, start + added) : now.slice(0, now.length - (from.length - to.length));
}
