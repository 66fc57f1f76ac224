// Runs first, in the program and in its threads: claims the terminal for the explorer, starts the embedded node and loads
// the program, `blockglass.js`, from the folder of this file.
import { type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { makeFolder } from './base/disk/make-folder.ts';
import { forgetEnvironment, isForGuests } from './cli/guest-environment.ts';
import { opensScreen } from './cli/opens-screen.ts';
import { claimTerminal, releaseTerminal } from './explorer/terminal/claimed-terminal.ts';
import { startNodeThread } from './node/thread.ts';

/** Names of the commands: loading them all takes too long here. */
declare const BLOCKGLASS_COMMANDS: readonly string[];

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

refuseOldNode();
const words = process.argv.slice(2);
if (isForGuests(words)) forgetEnvironment(process.env);
// Keys typed while the program loads must not be echoed.
if (isMainThread && opensScreen(words, BLOCKGLASS_COMMANDS, process)) claimTerminal(!isForGuests(words));
if (!isForGuests(words)) keepCompiledCode();
// The embedded node takes as long to start as the explorer, and the first rows wait for it.
if (isMainThread && words.includes('--demo') && !words.some(word => word === '--at' || word.startsWith('--at='))) {
  globalThis.blockglassEarlyNode = startNodeThread(pathToFileURL(__filename).href);
  // The code that awaits the node handles the error.
  globalThis.blockglassEarlyNode.catch(() => {});
}
if (isMainThread) loadOrSay();
// Only the embedded node's thread runs this file.
else void require('./node.js').startInThread();

function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 21)) return;
  process.stderr.write(
    `blockglass needs Node 22.21 or newer, this is ${process.version}. Install a newer Node, or use npm start in a checkout.\n`,
  );
  process.exit(2);
}

function loadOrSay(): void {
  try {
    require('./blockglass.js');
  } catch (error) {
    releaseTerminal();
    const [reason] = String(error).split('\n', 1);
    process.stderr.write(`blockglass: the program cannot be loaded (${reason}). Install it again\n`);
    process.exit(1);
  }
}

/** Caches compiled code in a folder that only this user can write. Without one, starting takes longer. */
function keepCompiledCode(): void {
  try {
    // A relative path would depend on the current folder, where others may have put files.
    const { XDG_CACHE_HOME: named = '' } = process.env;
    const folder = join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'blockglass');
    if (!isAbsolute(folder)) return;
    makeFolder(folder);
    if ([dirname(folder), folder].every(path => !isForeign(statSync(path)))) enableCompileCache(folder);
  } catch {
    // No cache then.
  }
}

// In a shared folder with the sticky bit, such as /tmp, users can replace only their own files. Windows has no owners.
function isForeign({ uid, mode }: Stats): boolean {
  const self = process.getuid?.();
  if (self === undefined) return false;
  const isShared = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
  return isShared || (uid !== self && uid !== 0);
}
