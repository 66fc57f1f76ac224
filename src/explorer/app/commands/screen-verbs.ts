import type { AnyEvent } from '../../core/layer.ts';
import type { OpeningVerb, ScreenVerb } from '../../core/screen.ts';
import type { SessionState } from '../../core/state.ts';
import { OPENING_WORDS } from '../../screens/opening-words.ts';
import { SCREENS } from '../../screens/registry.ts';
import { asPage, findRoot, screensOverTab, type TopScreen } from '../open-screens.ts';
import type { CommandOutcome, Verb } from './verb.ts';

// The words that screens bring to the command line.

/** Words that open a screen from anywhere. */
export const OPENING_VERBS: { readonly [word: string]: Verb } = Object.fromEntries(
  Object.entries(OPENING_WORDS).map(([word, verb]) => [word, openingVerb(verb)] as const),
);

function openingVerb({ read, ...verb }: OpeningVerb): Verb {
  return {
    ...verb,
    read: (state, words) => {
      const outcome = read(state, words);
      return 'problem' in outcome ? outcome : { actions: outcome.messages };
    },
  };
}

/** The words that the command line takes while screens are open; one that several have is that of the upper one. */
export const verbsOfScreens = (state: SessionState): { readonly [word: string]: Verb } =>
  Object.fromEntries(
    screensOverTab(state).flatMap(open =>
      Object.entries(asPage(open.screen)?.tab?.verbs ?? {}).map(
        ([word, verb]) => [word, asCommandVerb(verb, open)] as const,
      ),
    ),
  );

/** The help text for a word of a root. */
export const rootVerbHelp = (name: string, word: string): Verb['help'] =>
  asPage(SCREENS[name])?.tab?.verbs?.[word]?.help ?? [word, ''];

/** A word that the roots of some tabs have; on other tabs `problem` is shown. */
export function tabVerb(help: Verb['help'], problem: string, screens = SCREENS): Verb {
  const [word = ''] = help[0].split(' ');
  return {
    help,
    ...delegateToRoot(word, { problem }, state => findRoot(state, ({ tab }) => tab === state.tab, screens)),
  };
}

function delegateToRoot(
  word: string,
  otherwise: CommandOutcome,
  rootIn: (state: SessionState) => TopScreen | undefined,
): Omit<Verb, 'help'> {
  const found = (state: SessionState): Verb | undefined => {
    const root = rootIn(state);
    const verb = asPage(root?.screen)?.tab?.verbs?.[word];
    return root && verb && asCommandVerb(verb, root);
  };
  return {
    read: (state, words) => found(state)?.read(state, words) ?? otherwise,
    complete: (state, words) => found(state)?.complete?.(state, words) ?? [],
  };
}

function asCommandVerb(
  { help, needs, read, complete }: ScreenVerb<unknown, AnyEvent>,
  { layer, context }: TopScreen,
): Verb {
  return {
    help,
    ...(needs !== undefined && { needs }),
    read: (_, words) => {
      const outcome = read(layer.state, words, context);
      if ('problem' in outcome) return outcome;
      if ('messages' in outcome) return { actions: outcome.messages };
      return { actions: [{ type: 'layer-event', layer: layer.id, event: outcome.event }] };
    },
    complete: (_, words) => complete?.(layer.state, words, context) ?? [],
  };
}
