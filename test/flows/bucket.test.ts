import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { BUCKET, type ObjectServer, startObjectServer } from '../objects/object-server.ts';
import { temporaryFolder } from './support/folder.ts';
import { run } from './support/program.ts';

let node: RunningNode;
let server: ObjectServer;
beforeAll(async () => {
  node = await startNode();
  server = await startObjectServer();
});
afterAll(async () => {
  await server.close();
  await node.close();
});

describe('an export into a bucket', () => {
  it('killed with SIGKILL at each object has nothing half under its name, and goes on to a verified end', async () => {
    await using folder = await temporaryFolder();
    const env = { ...server.env, XDG_CACHE_HOME: folder.path };
    const place = ['--out', `s3://${BUCKET}/killed`];
    const words = ['export', '--node', node.url, '--table', 'blocks', '--last', '3', '--slice', '1', ...place];
    for (let put = 1; put <= 4; put++) {
      let heard = 0;
      const { promise: halted, resolve: halt } = Promise.withResolvers<void>();
      // Objects that are up already are not sent again.
      server.meet(({ method, path }) => {
        if (method !== 'PUT' || (++heard < 2 && put < 4 && !path.endsWith('manifest.json'))) return undefined;
        halt();
        return { kind: 'never-answer' };
      });
      await run(words, {
        env,
        during: async program => {
          await halted;
          program.kill('SIGKILL');
        },
      });
      expect(await wholeOnes()).not.toContain('manifest.json');
    }
    server.meet(() => undefined);
    const { code, stderr, stdout } = await run(words, { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^s3:\/\/history\/killed\/\S+-blocks-\d+-\d+\n$/);
    expect(await wholeOnes()).toContain('manifest.json');
    expect(await readdir(join(folder.path, 'blockglass', 'uploads'))).toEqual([]);
  });

  it('shows its keys nowhere', async () => {
    await using folder = await temporaryFolder();
    const [token, secret = '-'] = ['token-not-to-be-shown', server.env.AWS_SECRET_ACCESS_KEY];
    const env = { ...server.env, AWS_SESSION_TOKEN: token, XDG_CACHE_HOME: folder.path };
    server.meet(() => undefined);
    const log = join(folder.path, 'requests.log');
    for (const more of [['--plan'], [], []]) {
      const words = ['export', '--node', node.url, '--table', 'ledger', '--last', '1', '--out', `s3://${BUCKET}/shown`];
      const { stdout, stderr } = await run([...words, '--log', log, ...more], { env });
      const all = [stdout, stderr, await readFile(log, 'utf8'), ...(await filesIn(folder.path))].join('\n');
      for (const key of [secret, token]) expect(all).not.toContain(key);
    }
    expect(server.heard.length).toBeGreaterThan(3);
    expect(server.heard.every(({ headers }) => headers['x-amz-security-token'] === token)).toBe(true);
  });
});

/** Names of what lies in the bucket, each held against the manifest once that is there. */
async function wholeOnes(): Promise<readonly string[]> {
  const keys = (await server.keys()).filter(key => key.startsWith('killed/'));
  const manifest = keys.find(key => key.endsWith('/manifest.json'));
  if (manifest !== undefined) {
    const { slices } = JSON.parse(String(await server.get(`/${manifest}`)));
    for (const { file, sha256 } of slices) {
      const bytes = (await server.get(`/${manifest.replace('manifest.json', file)}`)) ?? '';
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
  }
  return keys.map(key => key.split('/').at(-1) ?? '');
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  return Promise.all(files.map(entry => readFile(join(entry.parentPath, entry.name), 'latin1')));
}
