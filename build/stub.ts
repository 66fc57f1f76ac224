// The part of the bundle that is parsed at every start: it shows the first frame, and finds the other parts in its own
// file, behind itself.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { type FirstFrames, showFirstFrame } from '../src/ui/early-screen.ts';

declare const FIRST_FRAMES: FirstFrames;
declare const COMMAND_NAMES: readonly string[];
/** Name of each part -> where it begins, in bytes from the end of the file, and its length. */
declare const PARTS: { readonly [name: string]: readonly [fromEnd: number, length: number] };

if (module.registerHooks === undefined) {
  process.stderr.write(`blockglass needs Node 22.21 or newer, this is ${process.version}\n`);
  process.exit(2);
}
if (isMainThread) showFirstFrame(FIRST_FRAMES, process.argv.slice(2), COMMAND_NAMES);
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'blockglass'));

const self = import.meta.url.replace(/\?.*/, '');

function read(name: string): string {
  const [fromEnd = 0, length = 0] = PARTS[name] ?? [];
  const file = openSync(new URL(self), 'r');
  const bytes = Buffer.allocUnsafe(length);
  readSync(file, bytes, 0, length, fstatSync(file).size - fromEnd);
  closeSync(file);
  return bytes.toString('latin1').replaceAll('*\u0001/', '*/');
}

module.registerHooks({
  resolve(specifier, context, next) {
    const name = specifier.replace(/^\.\//, '');
    return Object.hasOwn(PARTS, name)
      ? { url: `${self}?${name}`, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    const name = url.startsWith(`${self}?`) ? url.slice(self.length + 1) : '';
    return Object.hasOwn(PARTS, name)
      ? { format: 'module', source: read(name), shortCircuit: true }
      : next(url, context);
  },
});

const entry = './main.js';
await import(entry);
