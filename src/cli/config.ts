import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../base/disk/make-folder.ts';
import { systemErrorCode, systemErrorReason } from '../base/disk/ordinary-file.ts';
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
  form: 'path|show|edit',
  about:
    'show or edit the settings: path prints where they are, show lists each value and where it comes from, edit opens your editor (VISUAL, EDITOR) and then checks the file',
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
  edit: (file, _, context) => editConfig(file, context),
};

/** Opens the settings in the user's editor, then reports mistakes in them. */
async function editConfig({ path, isThere, unread }: SettingsFile, context: Context): Promise<number> {
  const { env, stdout, stderr } = context;
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim();
  if (!editor) throw new UsageError(`set VISUAL or EDITOR to your editor; the settings are in ${path}`);
  // An editor cannot turn a folder, a pipe or a dangling link into settings.
  if (unread !== undefined) throw new UsageError(`${path} cannot be edited: ${unread}`);
  const isMade = !isThere && (await createSettingsFile(path));
  const failure = await runEditor(editor, path);
  const isUsual = isMade && (await removeIfUnchanged(path));
  if (failure !== undefined)
    throw new UsageError(`the editor ${failure}; ${isUsual ? 'nothing was changed' : `the settings are in ${path}`}`);
  if (isUsual) {
    await stdout.safe(safeLine('Nothing was changed'));
    return EXIT.done;
  }
  const { faults } = openSettings(env);
  for (const fault of faults) await stderr.safe(safeLine(settingsFaultTextWithFile(path, fault)));
  if (faults.length > 0) return EXIT.usage;
  await stdout.safe(safeLine(`${path} is valid`));
  return EXIT.done;
}

/** A new file shows every preference with its default. */
const DEFAULT_SETTINGS_TEXT = `${JSON.stringify(
  Object.fromEntries(PREFERENCES.map(({ name, values }) => [name, 'least' in values ? values.usual : values[0]])),
  null,
  2,
)}\n`;

/** False if another program created it first. */
async function createSettingsFile(path: string): Promise<boolean> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, DEFAULT_SETTINGS_TEXT, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw new UsageError(`the settings cannot be written: ${path}: ${systemErrorReason(error)}`);
  }
}

/** Deletes a file that was not changed, so that later releases can change their defaults. */
async function removeIfUnchanged(path: string): Promise<boolean> {
  if ((await readFile(path, 'utf8').catch(() => '')) !== DEFAULT_SETTINGS_TEXT) return false;
  await rm(path, { force: true });
  return true;
}

/** Like git, allows arguments and quotes in the variable. Resolves with what failed, if anything. */
async function runEditor(editor: string, path: string): Promise<string | undefined> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code === 0) return undefined;
  return code === 127 || code === 126 ? 'cannot be run' : `ended with ${code ?? 'a signal'}`;
}

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
