import { Text } from 'ink';
import TextInput from 'ink-text-input';
import { type RefObject, useRef } from 'react';

interface TextFieldProps {
  readonly value: string;
  /** The text as it is by now: keys of one event come faster than frames. */
  readonly current: () => string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  /** Enter came in one event with text before it. */
  readonly onEnter: () => void;
  /** True while the key being handled is no text: the input component would type its letter. */
  readonly isControlKey: RefObject<boolean>;
}

/** The field that has the focus. Text that came from elsewhere (a suggestion, a paste) puts the cursor at its end. */
export function TextField({ value, current, placeholder, onChange, onEnter, isControlKey }: TextFieldProps) {
  const typed = useRef(value);
  const generation = useRef(0);
  if (typed.current !== value) {
    typed.current = value;
    generation.current++;
  }
  return (
    // A text longer than its room shows its end, where it is typed.
    <Text wrap="truncate-start">
      <TextInput
        key={generation.current}
        value={value}
        placeholder={placeholder}
        onChange={next => {
          if (isControlKey.current) return;
          const now = current();
          const edited = now === value ? next : rebased(value, next, now);
          if (now === value) typed.current = next;
          onChange(edited.replace(/[\r\n]/g, ''));
          if (/[\r\n]/.test(next)) onEnter();
        }}
      />
    </Text>
  );
}

/** What was done to a text that is out of date by now, done to the end of the present one. */
function rebased(from: string, to: string, now: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  const added = Math.max(0, to.length - from.length);
  return added > 0 ? now + to.slice(start, start + added) : now.slice(0, now.length - (from.length - to.length));
}
