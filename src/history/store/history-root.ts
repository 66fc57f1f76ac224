import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { expandHome } from '../../base/disk/expand-home.ts';
import { systemErrorCode, systemErrorReason } from '../../base/disk/ordinary-file.ts';

/** The folder with the histories of all chains: `given`, or that of the environment; null if it names none. */
export function historyRoot(
  { XDG_DATA_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv,
  given?: string,
): string | null {
  if (given !== undefined && given !== '') return resolve(expandHome(given));
  const folder = join(isAbsolute(named) ? named : join(HOME, '.local', 'share'), 'blockglass', 'history');
  return isAbsolute(folder) ? folder : null;
}

/** Why a folder cannot hold histories, as a sentence; undefined if it exists or can be created. */
export function historyRootProblem(root: string): string | undefined {
  if (/\p{Cc}/u.test(root)) return `${root} has a line break or another control character`;
  let place = root;
  for (;;) {
    try {
      return statSync(place).isDirectory() ? undefined : `${place} is not a folder`;
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error));
      if (!isMissing || dirname(place) === place) return `${place} cannot be used: ${systemErrorReason(error)}`;
      place = dirname(place);
    }
  }
}

/** A folder for histories of the embedded node, which is another chain each time: it is removed when the process ends. */
export function temporaryHistoryRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-history-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Folder name of a chain, made safe: the id comes from a node. `number` tells chains of the same id apart. */
export function chainFolderName(chainId: string, number = 1): string {
  const name = chainId
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 100);
  return `${name === '' ? 'chain' : name}${number === 1 ? '' : `.${number}`}`;
}
