import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import type { Plugin } from 'esbuild';

/** A diff of `patches/`: a file of a dependency, from node_modules, and what is otherwise in it. */
export interface Patch {
  readonly name: string;
  readonly file: string;
  readonly diff: string;
}

export const readPatches = (folder = 'patches'): readonly Patch[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.diff'))
    .map(name => {
      const diff = readFileSync(join(folder, name), 'utf8');
      const file = /^--- a\/(.+)$/m.exec(diff)?.[1];
      if (file === undefined) throw new Error(`patches/${name} names no file`);
      return { name, file, diff };
    });

/** The path of what a patch changes, wherever its package is installed. */
export const pathOf = ({ file }: Patch): RegExp =>
  new RegExp(`[\\\\/]node_modules[\\\\/]${file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')}$`);

/** Applies each diff to the file it names. The build fails when one does not apply to the line, or its file is not used. */
export function patches(all = readPatches()): Plugin {
  return {
    name: 'patches',
    setup(build) {
      const applied = new Set<string>();
      for (const patch of all) {
        build.onLoad({ filter: pathOf(patch) }, async ({ path }) => {
          applied.add(patch.name);
          return { contents: patched(await readFile(path, 'utf8'), patch), loader: 'js' };
        });
      }
      build.onEnd(() => {
        const unused = all.filter(({ name }) => !applied.has(name));
        if (unused.length > 0)
          throw new Error(`not in the bundle any more, so not patched: ${unused.map(({ file }) => file).join(', ')}`);
      });
    },
  };
}

export function patched(source: string, { name, file, diff }: Patch): string {
  const [only, ...others] = parsePatch(diff);
  if (only === undefined || others.length > 0) throw new Error(`patches/${name} changes more than one file`);
  const result = applyPatch(source, only, { fuzzFactor: 0 });
  if (result === false) throw new Error(`patches/${name} does not apply: ${file} has changed`);
  return result;
}
