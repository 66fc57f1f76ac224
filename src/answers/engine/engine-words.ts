import { AnswerError } from './answer-error.ts';

/**
 * What the engine says of a failure: its first paragraph, and where in the statement it is. Behind it stand the
 * statement itself and advice about settings that are locked.
 */
export function inItsWords(error: unknown): AnswerError {
  const words = error instanceof Error ? error.message : String(error);
  const [first = '', ...others] = words.split(/\n\s*\n/);
  const message = first
    .replace(/^Failed to extract statements: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const told = `${message.length > MOST ? `${message.slice(0, MOST)}...` : message}${placeIn(words)}`;
  return new AnswerError(told, hintFor(words, others));
}

const MOST = 1000;

/** Where the mark below the statement points. */
function placeIn(words: string): string {
  const [, line = '', shown = '', mark = ''] = /^(LINE (\d+): .*)\n( *)\^/m.exec(words) ?? [];
  const at =
    line
      .slice(mark.length)
      .split(/[\s,;()]/)[0]
      ?.slice(0, 60) ?? '';
  return line === '' || at === '' ? '' : ` (line ${shown}, at ${at})`;
}

function hintFor(words: string, others: readonly string[]): string {
  if (/^Out of Memory/.test(words)) return 'ask for fewer columns or groups, or give it more with --memory';
  const candidates = others.find(line => /^Did you mean|^Candidate/.test(line.trim()))?.trim();
  return candidates?.replace(/\s*\n\s*/g, ' ') ?? 'see the tables and columns: blockglass query --tables';
}
