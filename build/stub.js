// The part of the bundle that is parsed at every start: it finds the other parts in its own file, behind itself.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Name of each part -> where it begins, in bytes from the end of the file, and its length.
const parts = globalThis.BLOCKGLASS_PARTS;

if (module.registerHooks === undefined) {
  process.stderr.write(`blockglass needs Node 22.21 or newer, this is ${process.version}\n`);
  process.exit(2);
}
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'blockglass'));

const self = import.meta.url.replace(/\?.*/, '');

function read(name) {
  const [fromEnd, length] = parts[name];
  const file = openSync(new URL(self), 'r');
  const bytes = Buffer.allocUnsafe(length);
  readSync(file, bytes, 0, length, fstatSync(file).size - fromEnd);
  closeSync(file);
  return bytes.latin1Slice().replaceAll('*\u0001/', '*/');
}

module.registerHooks({
  resolve(specifier, context, next) {
    const name = specifier.replace(/^\.\//, '');
    return Object.hasOwn(parts, name)
      ? { url: `${self}?${name}`, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    const name = url.startsWith(`${self}?`) ? url.slice(self.length + 1) : '';
    return Object.hasOwn(parts, name)
      ? { format: 'module', source: read(name), shortCircuit: true }
      : next(url, context);
  },
});

await import('./main.js');
