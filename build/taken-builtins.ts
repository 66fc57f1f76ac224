import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Node's modules are taken from the process instead of imported. An ES import of one reads every export it has, and
 * some load much more than was asked for: the streams of `fs`, a whole fetch (12 ms) for the WebSocket of `http`. And
 * CommonJS dependencies `require` them, which an ES module cannot.
 */
export const takenBuiltins: Plugin = {
  name: 'taken-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z_][a-z0-9_:/]*$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return;
      const namespace = kind === 'require-call' ? 'required-builtin' : 'imported-builtin';
      return { path: path.replace(/^node:/, ''), namespace, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
    build.onLoad({ filter: /.*/, namespace: 'imported-builtin' }, ({ path }) => ({
      contents: `const all = process.getBuiltinModule('node:${path}');\nexport default all;\n${exportsOf(path).join('\n')}`,
      loader: 'js',
    }));
  },
};

/** Each export by itself, so that only those in use are ever read. */
function exportsOf(path: string): readonly string[] {
  const names = Object.keys(process.getBuiltinModule(`node:${path}`) ?? {}).filter(name => /^[a-zA-Z]\w*$/.test(name));
  return names
    .filter(name => name !== 'default')
    .map((name, at) => `const e${at} = /* @__PURE__ */ (() => all.${name})();\nexport { e${at} as ${name} };`);
}
