import type { Settings } from './settings.ts';

/** Exports by name, each as the words of `blockglass export`. */
type Presets = { readonly [name: string]: readonly string[] };

/** The presets of a profile; undefined if the profile does not exist. */
export function profilePresets({ profiles = {} }: Pick<Settings, 'profiles'>, profile: string): Presets | undefined {
  const found = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  if (found === undefined) return undefined;
  return typeof found === 'string' ? {} : (found.presets ?? {});
}

type Written = { readonly [member: string]: unknown };

/** The content of a settings file with a preset added to one of its profiles. Nothing else changes. */
export function addPreset(
  written: Written,
  profile: string,
  preset: { readonly name: string; readonly words: readonly string[] },
): Written {
  const profiles = members(written.profiles);
  const found = profiles[profile];
  const known = typeof found === 'string' ? { url: found } : members(found);
  const presets = { ...members(known.presets), [preset.name]: preset.words };
  return { ...written, profiles: { ...profiles, [profile]: { ...known, presets } } };
}

const members = (value: unknown): Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The problem with a preset name; undefined if it is valid. */
export const presetNameProblem = (name: string): string | undefined =>
  /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u.test(name)
    ? undefined
    : 'a preset name has at most 40 letters, digits, - and _';
