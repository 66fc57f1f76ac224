import { decodeSettings } from '../base/settings/decode-settings.ts';
import { PREFERENCES, type Preference } from '../base/settings/preferences.ts';
import type { Settings } from '../base/settings/settings.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { HISTORY_FLAG } from './history-flag.ts';
import { SCREEN_READER } from './opens-screen.ts';
import { UsageError } from './usage-error.ts';

/** Each preference as a flag of the explorer. */
export const PREFERENCE_FLAGS: readonly Flag[] = PREFERENCES.map(preference => ({
  name: preference.flag,
  kind: 'text' as const,
  group: 'Screen' as const,
  value: 'least' in preference.values ? 'N' : 'WORD',
  about: `${preference.about}: ${valuesText(preference)} (${preference.env})`,
}));

/** Flags of the explorer only. */
export const EXPLORER_FLAGS: readonly Flag[] = [
  ...PREFERENCE_FLAGS,
  { name: 'plain-output', kind: 'switch', group: 'Screen', about: 'write whole lines, not only changed cells' },
  {
    name: SCREEN_READER,
    kind: 'switch',
    group: 'Screen',
    about: 'print lines for a screen reader, no screen (INK_SCREEN_READER=true)',
  },
  HISTORY_FLAG,
];

export type GivenPreferences = Pick<Settings, Preference['name']>;

/** Preferences from flags, else from the environment. Throws UsageError that lists the valid values. */
export function readPreferences(
  given: ParsedFlags,
  env: NodeJS.ProcessEnv,
  preferences: readonly Preference[] = PREFERENCES,
): GivenPreferences {
  const said = preferences.flatMap(preference => {
    const flag = given.text(preference.flag);
    const word = flag ?? (env[preference.env] || undefined);
    if (word === undefined) return [];
    return [
      [preference.name, readWord(preference, word, flag === undefined ? preference.env : `--${preference.flag}`)],
    ];
  });
  return decodeSettings(Object.fromEntries(said), () => undefined) ?? {};
}

function readWord(preference: Preference, word: string, spelled: string): string | number {
  const { name, values } = preference;
  const isNumber = 'least' in values;
  const value = isNumber && /^\d{1,9}$/.test(word) ? Number(word) : word;
  const problems: string[] = [];
  decodeSettings({ [name]: value }, problem => void problems.push(problem));
  if (problems.length === 0) return value;
  throw new UsageError(
    `${spelled} must be ${isNumber ? 'a whole number from' : 'one of'} ${valuesText(preference)}, not "${word}"`,
  );
}

function valuesText({ values }: Preference): string {
  return 'least' in values ? `${values.least} to ${values.most}` : values.join(', ');
}
