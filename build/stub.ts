// The part of the bundle that is parsed at every start: it shows the first frame, then takes the program out of the
// comment behind itself.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';
import { startNodeThread } from '../src/node/thread.ts';
import { type FirstFrames, HELP_WORDS, showFirstFrame } from '../src/ui/early-screen.ts';
import { evaluate } from './code-cache.ts';

declare const FIRST_FRAMES: FirstFrames;
declare const COMMAND_NAMES: readonly string[];
/** Where the program stands in the file: its length in bytes and how many follow it. */
declare const PROGRAM: { readonly length: number; readonly behind: number; readonly build: string };
/** Places in it of the slashes that would have ended the comment. */
declare const SLASHES: readonly number[];

const words = process.argv.slice(2);
// Neither import nor require: the stub is the same as a module and as a script, whatever folder it is copied to.
const self = process.argv[1] ?? '';
const url = pathToFileURL(self).href;
if (isMainThread) {
  showFirstFrame(FIRST_FRAMES, words, COMMAND_NAMES);
  // Rows wait for the embedded node, and it takes as long to start as the explorer.
  if (words.includes('--demo')) {
    globalThis.blockglassEarlyNode = startNodeThread(url);
    // Whoever takes it hears of what went wrong.
    globalThis.blockglassEarlyNode.catch(() => {});
  }
}

const program = evaluate({
  source: programText(),
  filename: self,
  build: PROGRAM.build,
  role: isMainThread ? roleOf(words) : workerData.role,
  folder: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'blockglass'),
});
(program as (bundle: { readonly url: string }) => void)({ url });

function roleOf(given: readonly string[]): string {
  if (given.some(word => HELP_WORDS.includes(word))) return 'help';
  return COMMAND_NAMES.find(name => name === given[0]) ?? 'explore';
}

function programText(): string {
  const bytes = Buffer.allocUnsafeSlow(PROGRAM.length);
  const file = openSync(self, 'r');
  readSync(file, bytes, 0, PROGRAM.length, fstatSync(file).size - PROGRAM.length - PROGRAM.behind);
  closeSync(file);
  for (const at of SLASHES) bytes[at] = 0x2f;
  return bytes.toString('latin1');
}
