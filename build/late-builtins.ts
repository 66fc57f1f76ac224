import type { Plugin } from 'esbuild';

/** Functions of a module of Node, which is loaded when one is first called. */
const late = (module: string, functions: readonly string[]): string =>
  functions
    .map(name => `export const ${name} = (...args) => process.getBuiltinModule('${module}').${name}(...args);`)
    .join('\n');

/**
 * Modules of Node that take 1 to 5 ms to load and that no first frame uses, and what the bundle has instead. A function
 * that is not named here fails the build.
 */
const INSTEAD: { readonly [module: string]: string } = {
  'node:child_process': late('node:child_process', ['execFileSync', 'spawn']),
  'node:crypto': late('node:crypto', ['createHash', 'hash', 'randomBytes']),
  // All that signal-exit calls.
  assert: `export function equal(actual, expected, message) {
    if (actual !== expected) throw new TypeError(message);
  }`,
};

export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:child_process|node:crypto|assert)$/ }, ({ path }) => ({
      path,
      namespace: 'late-builtins',
    }));
    onLoad({ filter: /.*/, namespace: 'late-builtins' }, ({ path }) => ({ contents: INSTEAD[path] ?? '' }));
  },
};
