import type { Plugin } from 'esbuild';

/**
 * ink-table 3 is CommonJS and requires Ink, which has a top-level await: no loader can do that. Its source is small
 * and its imports are three, so they are turned into static ones; the build fails when they are not found as expected.
 */
export const inkTable: Plugin = {
  name: 'ink-table',
  setup(build) {
    build.onLoad({ filter: /[\\/]ink-table[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      return { contents: inkTableAsModule(await readFile(path, 'utf8')), loader: 'js' };
    });
  },
};

/** The source of ink-table as an ES module. */
export function inkTableAsModule(source: string): string {
  let module = source;
  for (const [from, to] of REWRITES) {
    if (!module.includes(from)) throw new Error(`ink-table has changed: "${from}" is not in it`);
    module = module.replace(from, to);
  }
  return `import * as reactModule from 'react';\nimport * as inkModule from 'ink';\nimport objectHash from 'object-hash';\nconst exports = {};\n${module}\nexport default exports.default;\n`;
}

const REWRITES = [
  ['require("react")', '{ __esModule: true, ...reactModule, default: reactModule }'],
  ['require("ink")', 'inkModule'],
  ['require("object-hash")', 'objectHash'],
] as const;
