import { CHARSETS, MOUSE, SELECTIONS, THEME_NAMES } from '../../../settings/preferences.ts';
import type { LooksPreferences } from '../../core/looks.ts';
import type { Verb } from './verb.ts';

/** How the explorer looks, from now on until it ends. */
export const LOOKS_VERBS: { readonly [verb: string]: Verb } = {
  theme: verbOf('theme', THEME_NAMES, 'colours', theme => ({ theme })),
  charset: verbOf('charset', CHARSETS, 'characters that may be drawn', charset => ({ charset })),
  mouse: verbOf('mouse', MOUSE, 'wheel and clicks, Shift selects text', mouse => ({ mouse })),
  selection: verbOf('selection', SELECTIONS, 'how the selected row is marked', selection => ({ selection })),
};

function verbOf<Word extends string>(
  name: string,
  values: readonly Word[],
  about: string,
  said: (word: Word) => LooksPreferences,
): Verb {
  return {
    help: [`${name} NAME`, `${about}: ${values.join(', ')}`],
    complete: (_, words) => (words.length > 1 ? [] : values),
    read: (_, words) => {
      const typed = words.join(' ');
      const value = values.find(word => word === typed.toLowerCase());
      return value === undefined
        ? { problem: `${name} is one of ${values.join(', ')}, not "${typed}"` }
        : { actions: [{ type: 'set-looks', said: said(value) }] };
    },
  };
}
