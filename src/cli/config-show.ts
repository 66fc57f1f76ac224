import { addressWithoutLogin, isAddress } from '../api/request.ts';
import { PREFERENCES } from '../settings/preferences.ts';
import { faultIn } from '../settings/settings-faults.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { safeLine } from '../text/safe-text.ts';
import { wholeTable } from '../text/text-table.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Given } from './options.ts';
import { formatOf, printReport } from './output.ts';
import { preferencesGiven } from './preference-flags.ts';

/** What counts of each preference, and who says so; mistakes in the file are named behind it. */
export async function showConfig(file: SettingsFile, given: Given, { env, stdout, stderr }: Context): Promise<number> {
  const format = formatOf(given, ['table', 'json']);
  preferencesGiven(given, env);
  const rows = [nodeRow(file, env), ...preferenceRows(file, given, env)];
  if (format === 'json') await printReport(rows, stdout);
  else
    await stdout.safe(
      wholeTable(
        ['NAME', 'VALUE', 'FROM', 'FLAG', 'VARIABLE'],
        rows.map(({ name, value, from, flag, variable }) => [name, String(value), from, flag, variable]),
      ),
    );
  for (const fault of file.faults) await stderr.safe(safeLine(faultIn(file.path, fault)));
  return EXIT.done;
}

interface ShownPreference {
  readonly name: string;
  readonly value: string | number;
  readonly from: 'default' | 'file' | 'variable' | 'flag';
  readonly flag: string;
  readonly variable: string;
}

function nodeRow({ settings }: SettingsFile, env: NodeJS.ProcessEnv): ShownPreference {
  const said = env.BLOCKGLASS_NODE || undefined;
  const name = said ?? settings.node;
  const value = name === undefined ? 'the embedded node' : isAddress(name) ? addressWithoutLogin(name) : name;
  const from = said !== undefined ? 'variable' : name === undefined ? 'default' : 'file';
  return { name: 'node', value, from, flag: '--node', variable: 'BLOCKGLASS_NODE' };
}

function preferenceRows({ settings }: SettingsFile, given: Given, env: NodeJS.ProcessEnv): readonly ShownPreference[] {
  return PREFERENCES.map(({ name, flag, env: variable, values }) => {
    const usual = 'least' in values ? values.usual : (values[0] ?? '');
    const [value, from] = given.has(flag)
      ? ([given.text(flag) ?? '', 'flag'] as const)
      : env[variable]
        ? ([env[variable], 'variable'] as const)
        : settings[name] !== undefined
          ? ([settings[name], 'file'] as const)
          : ([usual, 'default'] as const);
    return { name, value: 'least' in values ? Number(value) : value, from, flag: `--${flag}`, variable };
  });
}
