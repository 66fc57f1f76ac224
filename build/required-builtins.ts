import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** CommonJS dependencies call `require('os')`, which an ES module has not: they get the module from the process. */
export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: 'builtin' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
  },
};
