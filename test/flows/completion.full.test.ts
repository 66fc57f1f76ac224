import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../support/loopback.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { runShell } from './support/program.ts';

/** What bash itself offers at the end of a line, with these settings and this cache. */
async function tab(line: string, home: string): Promise<readonly string[]> {
  const env = `export HOME='${home}' XDG_CONFIG_HOME='${home}/config' XDG_CACHE_HOME='${home}/cache'`;
  // bash takes words apart at colons and at = too.
  const words = line
    .split(' ')
    .flatMap(word => (word === '' ? [''] : word.split(/([=:])/).filter(part => part !== '')));
  const last = words.at(-1) ?? '';
  const current = /[=:]/.test(last) ? '' : last;
  const told = `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=('${words.join("' '")}'); COMP_CWORD=${words.length - 1}`;
  const press = `${told}; _blockglass blockglass '${current}'; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await runShell(`${env}; eval "$(blockglass completion bash)"; ${press}`);
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .slice(0, -1)
    .filter(value => value !== '');
}

async function homeWith(profiles: object): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await mkdir(join(folder.path, 'config', 'blockglass'), { recursive: true });
  await writeFile(join(folder.path, 'config', 'blockglass', 'config.json'), JSON.stringify({ profiles }));
  return folder.path;
}

describe('Tab completion in bash', () => {
  it('Tab completes commands, resources, flags, columns, profiles and formats', async () => {
    const home = await homeWith({ mainnet: 'http://127.0.0.1:1', 'main-2': 'http://127.0.0.1:1' });
    expect(await tab('blockglass se', home)).toEqual(['segments', 'serve']);
    expect(await tab('blockglass list par', home)).toEqual(['parameters']);
    expect(await tab('blockglass list fees --sort ep', home)).toEqual(['epoch', 'epoch:desc']);
    // bash puts what follows the colon behind it.
    expect(await tab('blockglass list fees --sort epoch:d', home)).toEqual(['desc']);
    expect(await tab('blockglass --node=main', home)).toEqual(['mainnet', 'main-2']);
    expect(await tab('blockglass list fees --no', home)).toEqual(['--node', '--no-color']);
    expect(await tab('blockglass list fees -o c', home)).toEqual(['csv']);
    expect(await tab('blockglass verify x', home)).toEqual([]);
  });

  it('Tab completes the ids and names that are cached of a node, and asks nobody', async () => {
    await using node = await embedded.start();
    let requests = 0;
    const server = createServer(async (request, response) => {
      requests++;
      const answer = await fetch(`${node.url}${request.url}`);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    onTestFinished(() => void server.close());
    const home = await homeWith({ mine: await urlOf(server) });
    expect(await tab('blockglass list fees --node mine --market-id ', home)).toEqual([]);
    const env = `HOME='${home}' XDG_CONFIG_HOME='${home}/config' XDG_CACHE_HOME='${home}/cache'`;
    const listed = await runShell(`export ${env}; blockglass list --node mine fees`);
    expect(listed.code, listed.stderr).toBe(0);
    const asked = requests;
    const markets = await tab('blockglass list fees --node mine --market-id ', home);
    expect(markets.filter(market => /^[0-9a-f]{64}$/.test(market)).length).toBeGreaterThan(0);
    expect(markets).toContain('BTC/USDT-DEC');
    expect(await tab('blockglass statement --node mine --market ', home)).toEqual(markets);
    expect(await tab('blockglass show --node mine parameters validators.epoch', home)).toEqual([
      'validators.epoch.length',
    ]);
    expect(await tab('blockglass export --node mine --range this', home)).toEqual(['this-month']);
    expect(requests).toBe(asked);
    expect(await readdir(join(home, 'cache', 'blockglass', 'names'))).toHaveLength(1);
  });
});
