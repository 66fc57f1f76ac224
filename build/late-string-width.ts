import type { Plugin } from 'esbuild';

/**
 * string-width makes the expression of every emoji when it is loaded, which takes as long as loading everything else. In
 * the bundle it is loaded when the first text comes that is not plain ASCII, and a start has none that it measures.
 */
export const lateStringWidth: Plugin = {
  name: 'late-string-width',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ kind, resolveDir }) =>
      kind === 'require-call' ? null : { path: 'string-width', namespace: 'late-string-width', pluginData: resolveDir },
    );
    onLoad({ filter: /.*/, namespace: 'late-string-width' }, ({ pluginData }) => ({
      contents: WRAPPER,
      resolveDir: pluginData,
    }));
  },
};

const WRAPPER = `
let library;
export default (text, options) =>
  /^[ -~]*$/.test(text) ? text.length : (library ??= require('string-width')).default(text, options);
`;
