import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

// An ES import of these reads every export, also the one that loads a whole fetch (12 ms) for its WebSocket.
const COSTLY = ['http', 'https'];

/**
 * Node modules that are taken from the process instead of imported: those that CommonJS dependencies `require`, which
 * an ES module cannot, and those that an import makes costly.
 */
export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      const isTaken = kind === 'require-call' ? isBuiltin(path) : COSTLY.includes(name);
      return isTaken ? { path: name, namespace: 'builtin' } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
  },
};
