import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = pathToFileURL('src/cli/interruption.ts').href;

/** What becomes of a program that ends in this way; a lookup of it is on its way for as long as it runs. */
async function ended(ending: string) {
  const lookup = "process.getActiveResourcesInfo = () => ['GetAddrInfoReqWrap'];";
  const script = `import * as end from ${JSON.stringify(SOURCE)}; ${lookup} ${ending}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code, signal], words] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  return { code, signal, words };
}

it.each([0, 3, 4, 5])('A command that ends with %i during a name lookup exits with that code', async code => {
  const ending = `await end.exitAfterCommand(Promise.resolve(${code}), new AbortController().signal);`;
  expect(await ended(ending)).toEqual({ code, signal: null, words: '' });
});

it('A command that is interrupted and does not stop during a name lookup exits with 130', async () => {
  const ending = 'await end.exitAfterCommand(new Promise(() => {}), AbortSignal.abort());';
  expect(await ended(ending)).toEqual({ code: 130, signal: null, words: '' });
});

it('A program that quits during a name lookup exits with its own code', async () => {
  expect(await ended('end.exitNow(0);')).toEqual({ code: 0, signal: null, words: '' });
});
