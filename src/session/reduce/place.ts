import type { KeyAction } from '../model/action.ts';
import type { Mode, TypingMode } from '../model/mode.ts';

/**
 * What the keys of a place can do: its reducer has an effect for each of these, and the key table binds no other there.
 * An action without a place has nobody who takes it, which the compiler says.
 */
const EFFECTS = {
  everywhere: [
    'go-to-tab',
    'next-tab',
    'previous-tab',
    'open-prompt',
    'open-menu',
    'toggle-screen',
    'in-list',
    'toggle-times',
    'come-back',
    'quit',
    'interrupt',
    'redraw',
    'suspend',
  ],
  field: ['edit-field'],
  table: ['move', 'move-to'],
  filters: [],
  inspector: ['move', 'move-to'],
  layer: ['move', 'move-to', 'in-layer', 'come-back', 'back'],
} as const satisfies { readonly [place: string]: readonly KeyAction['type'][] };

type Effects = typeof EFFECTS;

/** Where a key is pressed: what has an effect there is the same in all its modes. */
export type Place = Exclude<keyof Effects, 'everywhere' | 'field'>;

/** A key action that has an effect in a place. */
export type KeyIn<P extends keyof Effects> = Extract<KeyAction, { readonly type: Effects[P][number] }>;

export function isFor<P extends keyof Effects>(place: P, action: KeyAction): action is KeyIn<P> {
  const effects: readonly string[] = EFFECTS[place];
  return effects.includes(action.type);
}

type PlaceOf = { readonly [place in Place]: place } & { readonly 'filters-offered': 'filters' } & {
  readonly [mode in 'layer-overlay' | 'layer-field']: 'layer';
};

/** The modes in which a key may be bound to an action of this type. */
export type ModeFor<Type extends KeyAction['type']> =
  | (Type extends Effects['everywhere'][number] ? Mode : never)
  | (Type extends Effects['field'][number] ? TypingMode : never)
  | { readonly [mode in Mode]: Type extends Effects[PlaceOf[mode]][number] ? mode : never }[Mode];
