import type { Terminal } from '../../support/terminal.ts';

/** Presses and pastes as a person would, who counts: an id that is pasted is one key. */
export function counting(terminal: Terminal) {
  const counted = { keys: 0 };
  return {
    counted,
    press: async (key: string): Promise<void> => {
      counted.keys++;
      await terminal.press(key);
    },
    paste: async (text: string): Promise<void> => {
      counted.keys++;
      await terminal.paste(text);
    },
  };
}
