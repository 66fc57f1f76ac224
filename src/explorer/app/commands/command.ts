import { didYouMeanQuestion } from '../../../base/text/nearest-word.ts';
import { hideLogin } from '../../../chain/api/login.ts';
import { filterProblem } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { isWorthLookingUp, readPasted } from '../../../chain/what/pasted-text.ts';
import type { Action } from '../../core/action.ts';
import { idFor, isFilterCalled, normalizeBoolean } from '../../core/filter-completions.ts';
import { accessProblem } from '../../core/guest-access.ts';
import type { SessionState } from '../../core/state.ts';
import { open, rootEvent } from '../../openings.ts';
import { TAB_IDS } from '../../tabs.ts';
import type { Binding } from '../binding.ts';
import { currentBindings, disabledReasonOf } from '../keymap.ts';
import { withoutOverlays } from '../open-screens.ts';
import { SAVE_VERB } from '../saving.ts';
import { MINE_VERB } from './mine-verb.ts';
import { OPENING_VERBS, rootVerbHelp, tabVerb, verbsOfScreens } from './screen-verbs.ts';
import { SHELL_COMMANDS } from './shell-commands.ts';
import type { CommandOutcome, Verb } from './verb.ts';
import { APPEARANCE_VERBS, AT_VERB, COPY_VERB, RANGE_VERB, VIEW_VERB } from './verbs.ts';

/** The words that `:` accepts, in addition to those of tabs and keys. */
export const VERBS: { readonly [verb: string]: Verb } = {
  find: tabVerb(rootVerbHelp('browse', 'find'), 'no rows to search here'),
  sort: tabVerb(rootVerbHelp('browse', 'sort'), 'no rows to sort here'),
  what: {
    help: ['what VALUE', 'look up an id, address, number or name'],
    read: what,
  },
  show: {
    help: ['show [TAB KEY]', 'the selected record, the given one, or look up KEY'],
    read: readShowCommand,
    complete: (_, words) => (words.length > 1 ? [] : TAB_IDS.filter(id => resourceById(id) !== undefined)),
  },
  mine: MINE_VERB,
  list: {
    help: ['list TAB [FILTER=VALUE]', 'go to a tab and filter it, same as TAB'],
    read: readListCommand,
    complete: (_, words) => (words.length > 1 ? [] : TAB_IDS.filter(id => resourceById(id) !== undefined)),
  },
  ...OPENING_VERBS,
  at: AT_VERB,
  size: tabVerb(rootVerbHelp('browse', 'size'), 'no pages here'),
  freq: tabVerb(rootVerbHelp('browse', 'freq'), 'no rows to count here'),
  sum: tabVerb(rootVerbHelp('browse', 'sum'), 'no rows to count here'),
  copy: COPY_VERB,
  save: SAVE_VERB,
  view: VIEW_VERB,
  range: RANGE_VERB,
  ...APPEARANCE_VERBS,
};

/** The program's own commands. */
export const PROMPT_COMMANDS: readonly Verb['help'][] = [
  ['TAB [FILTER=VALUE ...]', 'go to a tab and filter it: provisions market=8a2f..., live=true'],
  ['VALUE', 'look up a pasted id, address, number or name'],
  ['COMMAND', 'a shell command: runs it, or shows the equivalent here'],
  ['KEY TITLE', 'anything that has a key, by its name in the help: next page, reload, quit'],
  ...Object.values(VERBS).map(({ help }) => help),
];

/** The words of the program, and those of the screen that is open, which come first. */
export const availableVerbs = (state: SessionState): { readonly [verb: string]: Verb } => ({
  ...VERBS,
  ...verbsOfScreens(withoutOverlays(state)),
});

export function findVerb(state: SessionState, word: string): Verb | undefined {
  const verbs = availableVerbs(state);
  return Object.hasOwn(verbs, word) ? verbs[word] : undefined;
}

/** The commands, as help shows them. */
export const promptCommands = (state: SessionState): readonly Verb['help'][] => [
  ...PROMPT_COMMANDS,
  ...Object.entries(availableVerbs(state)).flatMap(([word, { help }]) => (Object.hasOwn(VERBS, word) ? [] : [help])),
];

/** Reads one command line for the state below the prompt. */
export function runCommand(state: SessionState, typed: string): CommandOutcome {
  const line = typed.trim().replace(PROGRAM_PREFIX, '');
  const [verb = '', ...words] = line.split(/\s+/);
  if (verb === '') return { actions: [] };
  const known = findVerb(state, verb) ?? (Object.hasOwn(SHELL_COMMANDS, verb) ? SHELL_COMMANDS[verb] : undefined);
  if (known !== undefined) {
    const problem = accessProblem(state.access, known.needs);
    return problem === undefined ? known.read(state, words) : { problem };
  }
  if (TAB_IDS.includes(verb)) return readTabCommand(state, verb, words);
  const tab = findTabByPrefix(verb);
  if (tab !== undefined) return readTabCommand(state, tab, words);
  if (verb === 'q' || verb === 'quit') return { actions: [{ type: 'quit' }] };
  const title = [verb, ...words].join(' ').toLowerCase();
  const bindings = bindingsUnderPrompt(state);
  const binding = bindings.find(candidate => keyLabels(candidate).some(name => name.toLowerCase() === title));
  if (binding === undefined) {
    if (isWorthLookingUp(readPasted(line))) return what(state, [line]);
    const first = [...TAB_IDS, ...Object.keys(availableVerbs(state)), ...Object.keys(SHELL_COMMANDS)];
    const hint =
      didYouMeanQuestion(title, [...first, ...bindings.flatMap(keyLabels)]) ?? didYouMeanQuestion(verb, first);
    if (hint === undefined) return what(state, [line]);
    return { problem: `no command "${line}": ${hint}` };
  }
  const disabledReason = disabledReasonOf(state, binding);
  return disabledReason === undefined ? { actions: [binding.action] } : { problem: disabledReason };
}

/** As typed in a shell: `blockglass list fees`. */
const PROGRAM_PREFIX = /^blockglass\s+/;

/** The one tab that a word of two letters or more begins: `prov`. */
function findTabByPrefix(word: string): string | undefined {
  const begun = word.length < 2 ? [] : TAB_IDS.filter(id => id.startsWith(word.toLowerCase()));
  return begun.length === 1 ? begun[0] : undefined;
}

/** `list TAB FILTER=VALUE`, as the command is typed in a shell. */
function readListCommand(state: SessionState, [word = '', ...filters]: readonly string[]): CommandOutcome {
  if (word === '')
    return { problem: `list needs a name: one of ${TAB_IDS.filter(id => resourceById(id) !== undefined).join(', ')}` };
  const tab = TAB_IDS.includes(word) ? word : findTabByPrefix(word);
  if (tab !== undefined) return readTabCommand(state, tab, filters);
  return {
    problem: `no list "${word}": ${didYouMeanQuestion(word, TAB_IDS) ?? `it is one of ${TAB_IDS.join(', ')}`}`,
  };
}

/** Without words, the selected record; with a list and a key, that record; with only a key, whatever it identifies. */
function readShowCommand(state: SessionState, words: readonly string[]): CommandOutcome {
  const [word = '', ...rest] = words;
  if (word === '') return showSelected(state);
  const tab = TAB_IDS.includes(word) ? word : findTabByPrefix(word);
  const resource = tab === undefined || rest.length === 0 ? undefined : resourceById(tab);
  if (resource === undefined) return what(state, words);
  return { actions: [{ type: 'go-to-key', resource: resource.id, key: rest.join(' ') }] };
}

function showSelected(state: SessionState): CommandOutcome {
  const inspect = bindingsUnderPrompt(state).find(({ title }) => title === 'inspect the record');
  if (inspect === undefined) return { problem: 'show needs a list and a key, or an id' };
  const disabledReason = disabledReasonOf(state, inspect);
  return disabledReason === undefined ? { actions: [inspect.action] } : { problem: disabledReason };
}

/** What a key is called: in the help, and in the footer. */
const keyLabels = ({ title, footer }: Binding): readonly string[] => (footer === undefined ? [title] : [title, footer]);

function readTabCommand(state: SessionState, tab: string, words: readonly string[]): CommandOutcome {
  const resource = resourceById(tab);
  const actions: Action[] = [{ type: 'go-to-resource', resource: tab }];
  for (const word of filterParts(words)) {
    const [name = '', ...rest] = word.split('=');
    const typed = stripQuotes(rest.join('='));
    const filter = resource?.filters.find(candidate => isFilterCalled(candidate, name));
    if (filter === undefined) {
      const names = resource?.filters.map(({ title }) => title) ?? [];
      const hint = didYouMeanQuestion(name, names) ?? (names.length === 0 ? '' : `it has ${names.join(', ')}`);
      return { problem: `${tab} has no filter "${name}"${hint && `: ${hint}`}` };
    }
    const value = filter.kind === 'boolean' ? normalizeBoolean(typed) : idFor(state, filter, typed);
    const problem = value === '' ? undefined : filterProblem(filter, value);
    if (problem !== undefined) return { problem };
    actions.push(rootEvent('browse', [tab], { type: 'set-filter', name: filter.name, value }));
  }
  return { actions };
}

/** A value may have spaces: a word without `=` belongs to the filter before it. */
function filterParts(words: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const word of words) {
    const before = parts.at(-1);
    if (before?.includes('=') && !word.includes('=')) parts[parts.length - 1] = `${before} ${word}`;
    else parts.push(word);
  }
  return parts;
}

const stripQuotes = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

function what(_: SessionState, words: readonly string[]): CommandOutcome {
  const text = words.join(' ').trim();
  return text === ''
    ? { problem: 'what needs a value: an id, address, number or name' }
    : { actions: [open('what', { text: hideLogin(text) })] };
}

/** The keys of what lies below the prompt. Where a digit leads is not in its title. */
export const bindingsUnderPrompt = (state: SessionState): readonly Binding[] =>
  currentBindings(withoutOverlays(state)).filter(({ action }) => action.type !== 'go-to-tab');
