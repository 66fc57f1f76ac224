import { normaliseTypedLine } from '../../../base/text/safe-text.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { filterCompletions } from '../../core/filter-completions.ts';
import type { SessionState } from '../../core/state.ts';
import type { CommandCandidate } from '../../openings.ts';
import { TAB_IDS } from '../../tabs.ts';
import { disabledReasonOf } from '../keymap.ts';
import { availableVerbs, bindingsUnderPrompt, findVerb } from './command.ts';

/** More are not looked through. */
const MAX_CANDIDATES = 100;

/** Continuations of a command line, the likeliest first. The state is the one below it. */
export function completionsFor(state: SessionState, typed: string): readonly CommandCandidate[] {
  const line = typed.trimStart();
  const candidates = line === '' ? [] : [...wordCompletions(state, line), ...keyTitleCompletions(state, line)];
  const others = candidates.filter(candidate => candidate.line.trimEnd() !== line);
  // A verb may offer what others have named; in the field it is as if it were typed.
  return others.slice(0, MAX_CANDIDATES).map(candidate => ({ ...candidate, line: normaliseTypedLine(candidate.line) }));
}

function wordCompletions(state: SessionState, line: string): readonly CommandCandidate[] {
  const [verb = '', ...words] = line.split(/\s+/);
  if (words.length === 0) return firstWords(state, verb);
  const begun = line.slice(0, line.length - (words.at(-1) ?? '').length);
  const filters = TAB_IDS.includes(verb) ? filterCompletions(state, verb, words) : [];
  return [
    ...filters.map(({ word, label }) => ({ line: `${begun}${word}`, label })),
    ...valueCompletions(state, verb, words),
  ];
}

function firstWords(state: SessionState, begun: string): readonly CommandCandidate[] {
  // A space behind what more words may follow: they are offered next.
  const hasWords = (word: string): boolean =>
    findVerb(state, word)?.help[0].includes(' ') || (resourceById(word)?.filters.length ?? 0) > 0;
  return [...new Set([...TAB_IDS, ...Object.keys(availableVerbs(state))])]
    .map(word => (hasWords(word) ? `${word} ` : word))
    .filter(word => startsWithIgnoringCase(word, begun))
    .map(word => ({ line: word, label: word.trimEnd() }));
}

function valueCompletions(state: SessionState, verb: string, words: readonly string[]): readonly CommandCandidate[] {
  const values = findVerb(state, verb)?.complete?.(state, words) ?? [];
  return values.flatMap(value => {
    // A value of several words is begun by all that stands behind the verb.
    const [before, typed] = value.includes(' ') ? [[], words.join(' ')] : [words.slice(0, -1), words.at(-1) ?? ''];
    return startsWithIgnoringCase(value, typed) ? [{ line: [verb, ...before, value].join(' '), label: value }] : [];
  });
}

/** Keys by their titles: those that do something now. */
function keyTitleCompletions(state: SessionState, line: string): readonly CommandCandidate[] {
  return bindingsUnderPrompt(state)
    .filter(binding => startsWithIgnoringCase(binding.title, line) && disabledReasonOf(state, binding) === undefined)
    .map(({ title }) => ({ line: title, label: title }));
}

const startsWithIgnoringCase = (word: string, begun: string): boolean =>
  word.toLowerCase().startsWith(begun.toLowerCase());
