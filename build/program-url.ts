import { readFileSync } from 'node:fs';

/**
 * The first line of the bundle: where its threads load it from, which its sources know as `import.meta.url`. That is
 * the file itself, and in an executable, where there is none, the small module that takes the text out of it.
 */
export function programUrl(): string {
  const thread = readFileSync(new URL('executable-thread.mjs', import.meta.url), 'utf8');
  const inExecutable = JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`);
  return `const programUrl = require("node:sea").isSea() ? ${inExecutable} : require("node:url").pathToFileURL(__filename).href;`;
}

/** The same for a file that lies beside the bundle. */
export const programUrlBeside = (): string =>
  'const programUrl = require("node:url").pathToFileURL(require("node:path").join(__dirname, "blockglass.js")).href;';
