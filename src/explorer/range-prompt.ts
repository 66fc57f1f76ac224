import type { Message } from './core/screen.ts';
import { open } from './openings.ts';
import { rangeProblem } from './services/tables.ts';

/** Asks for a part of the history on disk; nothing typed is all of it. */
export const askForRange = (text: string, then: (range: string) => readonly Message[]): Message =>
  open('prompt', {
    label: 'range',
    drawnLabel: 'range (all, 2026, last-month, e20..e25, days)',
    text,
    isProposed: true,
    done: (_, typed) => {
      const problem = rangeProblem(typed);
      return problem === undefined ? { actions: then(typed.trim() === '' ? 'all' : typed.trim()) } : { problem };
    },
  });
