import { addPreset, presetNameProblem, profilePresets } from '../base/settings/presets.ts';
import { openSettings } from '../base/settings/settings-file.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import type { Context } from './context.ts';
import { RANGE_FLAGS } from './export-range.ts';
import { type Flag, type ParsedFlags, readFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const PRESET_FLAGS: readonly Flag[] = [
  {
    name: 'preset',
    kind: 'text',
    group: 'Destination',
    value: 'NAME',
    about: 'the options saved under this name with the profile of the node',
  },
  {
    name: 'save-preset',
    kind: 'text',
    group: 'Destination',
    value: 'NAME',
    about: 'save these options under this name with the profile of the node, then export',
  },
];

/** The given flags, and those of a preset for the rest. A range on the command line replaces the saved one. */
export async function applyPreset(given: ParsedFlags, flags: readonly Flag[], context: Context): Promise<ParsedFlags> {
  const name = given.text('preset');
  if (name === undefined) return given;
  const { profile, presets } = await presetProfile(given, context);
  const words = Object.hasOwn(presets, name) ? presets[name] : undefined;
  const names = Object.keys(presets);
  if (words === undefined)
    throw new UsageError(
      `${profile} has no preset "${name}": ${names.length === 0 ? 'it has none yet' : `it has ${names.join(', ')}`}${didYouMean(name, names)}`,
    );
  const saved = parseSavedFlags(words, flags, `${profile} ${name}`);
  const isRanged = RANGE_FLAGS.some(flag => given.has(flag.name));
  const from = (flag: string): ParsedFlags =>
    given.has(flag) || (isRanged && RANGE_FLAGS.some(range => range.name === flag)) ? given : saved;
  return {
    words: given.words,
    text: flag => from(flag).text(flag),
    texts: flag => from(flag).texts(flag),
    number: flag => from(flag).number(flag),
    duration: flag => from(flag).duration(flag),
    has: flag => from(flag).has(flag),
  };
}

function parseSavedFlags(words: readonly string[], flags: readonly Flag[], of: string): ParsedFlags {
  try {
    const saved = readFlags(words, flags);
    if (saved.words.length === 0) return saved;
    throw new UsageError(`"${saved.words[0]}" is not a flag`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`the preset ${of} in the settings cannot be used: ${error.message}`);
  }
}

/** Saves the options of this export under the given name. */
export async function savePreset(given: ParsedFlags, flags: readonly Flag[], context: Context): Promise<void> {
  const name = given.text('save-preset');
  if (name === undefined) return;
  const problem = presetNameProblem(name);
  if (problem !== undefined) throw new UsageError(`--save-preset: ${problem}`);
  const { profile } = await presetProfile(given, context);
  const words = flags.flatMap(flag => {
    if (!given.has(flag.name) || FLAGS_NOT_SAVED.includes(flag.name)) return [];
    return flag.kind === 'switch' ? [`--${flag.name}`] : [`--${flag.name}`, given.text(flag.name) ?? ''];
  });
  const file = openSettings(context.env);
  await file
    .edit(written => addPreset(written, profile, { name, words }))
    .catch((error: unknown) => {
      throw new UsageError(`the settings cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    });
  await context.stderr.safe(safeLine(`Saved with ${profile} as ${name}. Use --preset ${name} to export it again.`));
}

/** Flags that apply to one run only. */
const FLAGS_NOT_SAVED: readonly string[] = ['preset', 'save-preset', 'plan', 'overwrite'];

async function presetProfile(given: ParsedFlags, { settings, env }: Context) {
  const known = await settings();
  const profile = given.has('demo') ? undefined : (given.text('node') ?? (env.BLOCKGLASS_NODE || known.node));
  const presets = profile === undefined ? undefined : profilePresets(known, profile);
  if (profile === undefined || presets === undefined)
    throw new UsageError(
      'a preset is saved with a profile. Add one with blockglass node add NAME URL, then use --node NAME',
    );
  return { profile, presets };
}
