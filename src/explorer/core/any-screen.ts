import type { AnyEvent } from './layer.ts';
import type { Screen } from './screen.ts';

/**
 * A screen whose types only the screen itself knows. A layer keeps its state next to its name, so that no other screen
 * sees it.
 */
export type AnyScreen = Screen<unknown, AnyEvent, unknown>;

/** All screens, by name. */
export interface Screens {
  readonly [name: string]: AnyScreen;
}

/** What a screen takes to be opened with. */
export interface Openable<Opening> {
  readonly open: Screen<unknown, AnyEvent, Opening>['open'];
}

/**
 * Forgets the types of the screens. A cast, as TypeScript has no existential types: a screen whose functions take some
 * state of its own is none whose functions take `unknown`.
 */
export const eraseScreenTypes = (screens: { readonly [name: string]: Openable<never> }): Screens =>
  screens as unknown as Screens;
