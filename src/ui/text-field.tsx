import { Text, Transform } from 'ink';
import TextInput from 'ink-text-input';
import { type RefObject, useReducer, useRef } from 'react';
import { asciiText } from './ascii.ts';
import type { Theme } from './theme.ts';

interface TextFieldProps {
  readonly value: string;
  /** The text as it is by now: keys of one event come faster than frames. */
  readonly current: () => string;
  readonly placeholder: string;
  readonly theme: Theme;
  readonly onChange: (value: string) => void;
  /** True while what is being handled is no text for the field: the input component would type its letters. */
  readonly isControlKey: RefObject<boolean>;
}

/** The field that has the focus. Text that came from elsewhere (a suggestion, a paste) puts the cursor at its end. */
export function TextField({ value, current, placeholder, theme, onChange, isControlKey }: TextFieldProps) {
  const typed = useRef(value);
  const generation = useRef(0);
  const [starts, startAnew] = useReducer((count: number) => count + 1, 0);
  if (typed.current !== value) {
    typed.current = value;
    generation.current++;
  }
  return (
    // A text longer than its room shows its end, where it is typed.
    <Text wrap="truncate-start">
      <Transform transform={text => inTheme(text, theme)}>
        <TextInput
          key={`${generation.current} ${starts}`}
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

/** What was done to a text that is out of date by now, done to the end of the present one. */
function rebased(from: string, to: string, now: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  const added = Math.max(0, to.length - from.length);
  return added > 0 ? now + to.slice(start, start + added) : now.slice(0, now.length - (from.length - to.length));
}
