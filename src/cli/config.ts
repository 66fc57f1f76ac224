import { PREFERENCES } from '../base/settings/preferences.ts';
import { settingsFaultTextWithFile } from '../base/settings/settings-faults.ts';
import { openSettings, type SettingsFile } from '../base/settings/settings-file.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { formatTable } from '../base/text/text-table.ts';
import { addressWithoutLogin, isAddress } from '../chain/api/request.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { findAction } from './find-action.ts';
import type { ParsedFlags } from './flags.ts';
import { printReport, REPORT_FORMATS, readFormat } from './output.ts';
import { PREFERENCE_FLAGS, readPreferences } from './preference-flags.ts';
import { UsageError } from './usage-error.ts';

export const config: Command = {
  group: 'Set up',
  form: 'path|show',
  about:
    'show the settings: path prints where their file is, show lists each value and where it comes from, and what is wrong in the file',
  examples: ['config show', 'config path'],
  formats: REPORT_FORMATS,
  flags: PREFERENCE_FLAGS,
  uses: ['output'],
  run: async (given, context) => {
    const [action = ''] = given.words;
    const run = findAction('config', action, ACTIONS);
    const surplus = ['output', ...PREFERENCE_FLAGS.map(({ name }) => name)].find(flag => given.has(flag));
    if (action !== 'show' && surplus !== undefined)
      throw new UsageError(`config ${action} does not accept --${surplus}. Only config show does.`);
    const file = openSettings(context.env);
    if (file.path === '' && action !== 'show') throw new UsageError('no home folder for the settings. Set HOME.');
    return run(file, given, context);
  },
};

type ConfigAction = (file: SettingsFile, given: ParsedFlags, context: Context) => Promise<number>;

const ACTIONS: { readonly [action: string]: ConfigAction } = {
  path: async ({ path }, _, { stdout }) => {
    await stdout.safe(safeLine(path));
    return EXIT.done;
  },
  show: showConfig,
};

/** Prints the value and source of each preference, then mistakes in the file. */
async function showConfig(file: SettingsFile, given: ParsedFlags, { env, stdout, stderr }: Context): Promise<number> {
  const format = readFormat(given, REPORT_FORMATS);
  readPreferences(given, env);
  const rows = [nodeRow(file, env), ...preferenceRows(file, given, env)];
  if (format === 'json') await printReport(rows, stdout);
  else
    await stdout.safe(
      formatTable(
        ['NAME', 'VALUE', 'FROM', 'FLAG', 'VARIABLE'],
        rows.map(({ name, value, from, flag, variable }) => [name, String(value), from, flag, variable]),
      ),
    );
  for (const fault of file.faults) await stderr.safe(safeLine(settingsFaultTextWithFile(file.path, fault)));
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

function preferenceRows(
  { settings }: SettingsFile,
  given: ParsedFlags,
  env: NodeJS.ProcessEnv,
): readonly ShownPreference[] {
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
