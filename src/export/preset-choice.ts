import { type ExportTable, tableNamed } from './tables.ts';

/** Exports by name, each as the words of `blockglass export`. */
export type NamedPresets = { readonly [name: string]: readonly string[] };

/** What the wizard can take of a preset. */
export interface PresetChoice {
  readonly table: ExportTable | undefined;
  /** As it is typed for both ends at once; undefined when the preset names none. */
  readonly range: string | undefined;
  readonly destination: string | undefined;
  readonly isSliced: boolean;
  readonly keepsIncomplete: boolean;
  /** Flags that the wizard has nothing for. */
  readonly left: readonly string[];
}

/** Reads the words of a preset, whoever wrote them. */
export function readPreset(words: readonly string[]): PresetChoice {
  const said = flagsIn(words);
  const text = (name: string): string | undefined => said.get(name);
  const [from, to, last] = [text('from'), text('to'), text('last')];
  const between = from === undefined || to === undefined ? undefined : `${from}..${to}`;
  return {
    table: tableNamed(text('table') ?? ''),
    range: last === undefined ? (text('range') ?? between) : `last ${last}`,
    destination: text('out'),
    isSliced: said.has('slice'),
    keepsIncomplete: said.has('keep-incomplete'),
    left: [...said.keys()].filter(name => !FLAGS_TAKEN.includes(name)).map(name => `--${name}`),
  };
}

/** Flags that the wizard has something for. */
export const FLAGS_TAKEN: readonly string[] = [
  'table',
  'from',
  'to',
  'last',
  'range',
  'out',
  'slice',
  'keep-incomplete',
];

function flagsIn(words: readonly string[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  let open: string | undefined;
  for (const word of words) {
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      said.set(name, value ?? '');
      open = value === undefined ? name : undefined;
    } else if (open !== undefined) {
      said.set(open, word);
      open = undefined;
    }
  }
  return said;
}
