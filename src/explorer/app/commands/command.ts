import { askIfMeant } from '../../../base/text/nearest.ts';
import { hideLogin } from '../../../chain/api/login.ts';
import { filterProblem } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { isWorthLookingUp, readPasted } from '../../../chain/what/forms.ts';
import { accessProblem } from '../../core/access.ts';
import type { Action } from '../../core/action.ts';
import { booleanWord, idFor, isWordOf } from '../../core/filter-words.ts';
import type { SessionState } from '../../core/state.ts';
import { open, toRoots } from '../../openings.ts';
import { TAB_IDS } from '../../tabs.ts';
import type { Binding } from '../binding.ts';
import { bindingsOf, disabledReasonOf } from '../keymap.ts';
import { withoutOverlays } from '../layers.ts';
import { SAVE_VERB } from '../saving.ts';
import { MINE_VERB } from './mine-verb.ts';
import { helpOfRoot, OPENING_VERBS, verbOfRoot, verbOfTab, verbsOfScreens } from './screen-verbs.ts';
import { SHELL_WORDS } from './shell-words.ts';
import type { CommandOutcome, Verb } from './verb.ts';
import { AT_VERB, COPY_VERB, LOOKS_VERBS, RANGE_VERB, VIEW_VERB } from './verbs.ts';

/** The words that `:` takes, beside those of tabs and keys. */
export const VERBS: { readonly [verb: string]: Verb } = {
  find: verbOfTab(helpOfRoot('browse', 'find'), 'there are no rows to find in here'),
  sort: verbOfTab(helpOfRoot('browse', 'sort'), 'there are no rows to sort here'),
  what: {
    help: ['what VALUE', 'what an id, address, number or name is'],
    read: what,
  },
  show: {
    help: ['show [TAB KEY]', 'the selected record, that one, or what KEY is'],
    read: show,
    complete: (_, words) => (words.length > 1 ? [] : TAB_IDS.filter(id => resourceById(id) !== undefined)),
  },
  mine: MINE_VERB,
  list: {
    help: ['list TAB [FILTER=VALUE]', 'go to a tab and filter it, as TAB alone does'],
    read: list,
    complete: (_, words) => (words.length > 1 ? [] : TAB_IDS.filter(id => resourceById(id) !== undefined)),
  },
  ...OPENING_VERBS,
  at: AT_VERB,
  size: verbOfTab(helpOfRoot('browse', 'size'), 'there are no pages here'),
  freq: verbOfTab(helpOfRoot('browse', 'freq'), 'there are no rows to count here'),
  sum: verbOfTab(helpOfRoot('browse', 'sum'), 'there are no rows to count here'),
  copy: COPY_VERB,
  save: SAVE_VERB,
  export: verbOfRoot('export', 'export'),
  view: VIEW_VERB,
  range: RANGE_VERB,
  preset: { ...verbOfRoot('export', 'preset'), needs: 'presets' },
  ...LOOKS_VERBS,
};

/** The program's own commands. */
export const PROMPT_COMMANDS: readonly Verb['help'][] = [
  ['TAB [FILTER=VALUE ...]', 'go to a tab and filter it: provisions market=8a2f..., live=true'],
  ['VALUE', 'a pasted id or address, a number, a name: what it is'],
  ['COMMAND', 'a command of the shell: does it, or says how it is done here'],
  ['KEY TITLE', 'anything that has a key, by its name in the help: next page, reload, quit'],
  ...Object.values(VERBS).map(({ help }) => help),
];

/** The words of the program, and those of the screen that is open, which come first. */
export const verbsHere = (state: SessionState): { readonly [verb: string]: Verb } => ({
  ...VERBS,
  ...verbsOfScreens(withoutOverlays(state)),
});

export function verbCalled(state: SessionState, word: string): Verb | undefined {
  const verbs = verbsHere(state);
  return Object.hasOwn(verbs, word) ? verbs[word] : undefined;
}

/** The commands, as help shows them. */
export const promptCommands = (state: SessionState): readonly Verb['help'][] => [
  ...PROMPT_COMMANDS,
  ...Object.entries(verbsHere(state)).flatMap(([word, { help }]) => (Object.hasOwn(VERBS, word) ? [] : [help])),
];

/** Reads one command line for the state as it is below the prompt. */
export function runCommand(state: SessionState, typed: string): CommandOutcome {
  const line = typed.trim().replace(PROGRAM, '');
  const [verb = '', ...words] = line.split(/\s+/);
  if (verb === '') return { actions: [] };
  const known = verbCalled(state, verb) ?? (Object.hasOwn(SHELL_WORDS, verb) ? SHELL_WORDS[verb] : undefined);
  if (known !== undefined) {
    const problem = accessProblem(state.access, known.needs);
    return problem === undefined ? known.read(state, words) : { problem };
  }
  if (TAB_IDS.includes(verb)) return goTo(state, verb, words);
  const tab = tabBegunBy(verb);
  if (tab !== undefined) return goTo(state, tab, words);
  if (verb === 'q' || verb === 'quit') return { actions: [{ type: 'quit' }] };
  const title = [verb, ...words].join(' ').toLowerCase();
  const bindings = bindingsBelow(state);
  const binding = bindings.find(candidate => namesOf(candidate).some(name => name.toLowerCase() === title));
  if (binding === undefined) {
    if (isWorthLookingUp(readPasted(line))) return what(state, [line]);
    const first = [...TAB_IDS, ...Object.keys(verbsHere(state)), ...Object.keys(SHELL_WORDS)];
    const hint = askIfMeant(title, [...first, ...bindings.flatMap(namesOf)]) ?? askIfMeant(verb, first);
    if (hint === undefined) return what(state, [line]);
    return { problem: `there is no command "${line}": ${hint}` };
  }
  const disabledReason = disabledReasonOf(state, binding);
  return disabledReason === undefined ? { actions: [binding.action] } : { problem: disabledReason };
}

/** As it is typed in a shell: `blockglass list fees`. */
const PROGRAM = /^blockglass\s+/;

/** The one tab that a word of two letters or more begins: `prov`. */
function tabBegunBy(word: string): string | undefined {
  const begun = word.length < 2 ? [] : TAB_IDS.filter(id => id.startsWith(word.toLowerCase()));
  return begun.length === 1 ? begun[0] : undefined;
}

/** `list TAB FILTER=VALUE`, as the command is typed in a shell. */
function list(state: SessionState, [word = '', ...filters]: readonly string[]): CommandOutcome {
  if (word === '')
    return { problem: `list what? one of ${TAB_IDS.filter(id => resourceById(id) !== undefined).join(', ')}` };
  const tab = TAB_IDS.includes(word) ? word : tabBegunBy(word);
  if (tab !== undefined) return goTo(state, tab, filters);
  return {
    problem: `there is no list "${word}": ${askIfMeant(word, TAB_IDS) ?? `it is one of ${TAB_IDS.join(', ')}`}`,
  };
}

/** Alone the selected record; with a list and a key that record, with a key alone whatever it is. */
function show(state: SessionState, words: readonly string[]): CommandOutcome {
  const [word = '', ...rest] = words;
  if (word === '') return showSelected(state);
  const tab = TAB_IDS.includes(word) ? word : tabBegunBy(word);
  const resource = tab === undefined || rest.length === 0 ? undefined : resourceById(tab);
  if (resource === undefined) return what(state, words);
  return { actions: [{ type: 'go-to-key', resource: resource.id, key: rest.join(' ') }] };
}

function showSelected(state: SessionState): CommandOutcome {
  const inspect = bindingsBelow(state).find(({ title }) => title === 'inspect the record');
  if (inspect === undefined) return { problem: 'show what? a list and a key, or an id' };
  const disabledReason = disabledReasonOf(state, inspect);
  return disabledReason === undefined ? { actions: [inspect.action] } : { problem: disabledReason };
}

/** What a key is called: in the help, and in the footer. */
const namesOf = ({ title, footer }: Binding): readonly string[] => (footer === undefined ? [title] : [title, footer]);

function goTo(state: SessionState, tab: string, words: readonly string[]): CommandOutcome {
  const resource = resourceById(tab);
  const actions: Action[] = [{ type: 'go-to-resource', resource: tab }];
  for (const word of filterParts(words)) {
    const [name = '', ...rest] = word.split('=');
    const typed = unquoted(rest.join('='));
    const filter = resource?.filters.find(candidate => isWordOf(candidate, name));
    if (filter === undefined) {
      const names = resource?.filters.map(({ title }) => title) ?? [];
      const hint = askIfMeant(name, names) ?? (names.length === 0 ? '' : `it has ${names.join(', ')}`);
      return { problem: `${tab} has no filter "${name}"${hint && `: ${hint}`}` };
    }
    const value = filter.kind === 'boolean' ? booleanWord(typed) : idFor(state, filter, typed);
    const problem = value === '' ? undefined : filterProblem(filter, value);
    if (problem !== undefined) return { problem };
    actions.push(toRoots('browse', [tab], { type: 'set-filter', name: filter.name, value }));
  }
  return { actions };
}

/** A value may have spaces: what has no `=` belongs to the filter before it. */
function filterParts(words: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const word of words) {
    const before = parts.at(-1);
    if (before?.includes('=') && !word.includes('=')) parts[parts.length - 1] = `${before} ${word}`;
    else parts.push(word);
  }
  return parts;
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

function what(_: SessionState, words: readonly string[]): CommandOutcome {
  const text = words.join(' ').trim();
  return text === ''
    ? { problem: 'what is what? an id, an address, a number or a name behind it' }
    : { actions: [open('what', { text: hideLogin(text) })] };
}

/** The keys of what lies below the prompt. Where a digit leads is not in its title. */
export const bindingsBelow = (state: SessionState): readonly Binding[] =>
  bindingsOf(withoutOverlays(state)).filter(({ action }) => action.type !== 'go-to-tab');
