import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../disk/make-folder.ts';
import { codeOf, reasonOf } from '../disk/ordinary-file.ts';
import { PREFERENCES } from '../settings/preferences.ts';
import { faultIn, faultText, isWhole } from '../settings/settings-faults.ts';
import { openSettings, type SettingsFile } from '../settings/settings-file.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

/** Opens the person's editor on the settings, and names what is wrong in them then. */
export async function editConfig({ path, isThere, faults: found }: SettingsFile, context: Context): Promise<number> {
  const { env, stdout, stderr } = context;
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim();
  if (!editor) throw new UsageError(`neither VISUAL nor EDITOR names an editor; the settings are in ${path}`);
  // A folder, a pipe, a link to nowhere: no editor makes settings of it.
  const unread = found.find(fault => isWhole(fault) && fault.line === null);
  if (unread !== undefined) throw new UsageError(`${path} cannot be edited: ${faultText(unread)}`);
  const isMade = !isThere && (await makeFile(path));
  const failure = await edit(editor, path);
  const isUsual = isMade && (await removeUsual(path));
  if (failure !== undefined)
    throw new UsageError(`the editor ${failure}; ${isUsual ? 'nothing was set' : `the settings are in ${path}`}`);
  if (isUsual) {
    await stdout.safe(safeLine('nothing was set'));
    return EXIT.done;
  }
  const { faults } = openSettings(env);
  for (const fault of faults) await stderr.safe(safeLine(faultIn(path, fault)));
  if (faults.length > 0) return EXIT.usage;
  await stdout.safe(safeLine(`${path} has no mistakes`));
  return EXIT.done;
}

/** Every preference as it usually is: what there is to change. */
const USUAL = `${JSON.stringify(
  Object.fromEntries(PREFERENCES.map(({ name, values }) => [name, 'least' in values ? values.usual : values[0]])),
  null,
  2,
)}\n`;

/** False where another program has made it meanwhile. */
async function makeFile(path: string): Promise<boolean> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, USUAL, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new UsageError(`the settings cannot be written: ${path}: ${reasonOf(error)}`);
  }
}

/** Deletes a file that was not changed, so that later releases can change their defaults. */
async function removeUsual(path: string): Promise<boolean> {
  if ((await readFile(path, 'utf8').catch(() => '')) !== USUAL) return false;
  await rm(path, { force: true });
  return true;
}

/** As git does: the variable may hold arguments and quotes. A failure is reported. */
async function edit(editor: string, path: string): Promise<string | undefined> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code === 0) return undefined;
  return code === 127 || code === 126 ? 'cannot be run' : `ended with ${code ?? 'a signal'}`;
}
