import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { type RefObject, useRef } from 'react';

interface TextFieldProps {
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  /** Enter came in one event with text before it. */
  readonly onEnter: () => void;
  /** True while the key being handled is no text: the input component would type its letter. */
  readonly isControlKey: RefObject<boolean>;
}

/** The field that has the focus. Text that came from elsewhere (a suggestion, a paste) puts the cursor at its end. */
export function TextField({ value, placeholder, onChange, onEnter, isControlKey }: TextFieldProps) {
  const typed = useRef(value);
  const generation = useRef(0);
  if (typed.current !== value) {
    typed.current = value;
    generation.current++;
  }
  return (
    <Box height={1} overflow="hidden" flexShrink={1}>
      <TextInput
        key={generation.current}
        value={value}
        placeholder={placeholder}
        onChange={next => {
          if (isControlKey.current) return;
          typed.current = next;
          onChange(next.replace(/[\r\n]/g, ''));
          if (/[\r\n]/.test(next)) onEnter();
        }}
      />
    </Box>
  );
}
