import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { BUCKET, type ObjectServer, startObjectServer } from '../objects/object-server.ts';
import { zipArchive } from '../support/zip-writer.ts';
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

  it('stopped or killed in the middle of a large object leaves no object, and no parts behind the next run', async () => {
    await using folder = await temporaryFolder();
    const large = await startLargeNode();
    const env = { ...server.env, XDG_CACHE_HOME: folder.path };
    const words = ['export', '--node', large.url, '--table', 'blocks', '--last', '1', '--out', `s3://${BUCKET}/large`];
    const endedBy = async (signal: 'SIGINT' | 'SIGKILL') => {
      const { promise: halted, resolve: halt } = Promise.withResolvers<void>();
      server.meet(({ path }) => {
        if (!path.includes('partNumber=2')) return undefined;
        halt();
        return { kind: 'never-answer' };
      });
      const ran = await run(words, {
        env,
        during: async program => {
          await halted;
          program.kill(signal);
        },
      });
      expect((await server.keys()).filter(key => key.startsWith('large/'))).toEqual([]);
      return { ...ran, last: server.heard.at(-1)?.method };
    };
    try {
      const stopped = await endedBy('SIGINT');
      expect([stopped.code, stopped.stdout, stopped.last]).toEqual([130, '', 'DELETE']);
      expect(stopped.stderr).toMatch(/verified and saved in .*\. Run the same command again to upload the rest/);
      expect((await endedBy('SIGKILL')).last).toBe('PUT');
      server.meet(() => undefined);
      const { code, stderr, stdout } = await run(words, { env });
      expect(code, stderr).toBe(0);
      // What it sent was not asked of the node again, and what was sent of it before is gone.
      expect(large.exports()).toBe(1);
      expect(server.heard.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
      const bytes = (await server.get(stdout.trim().slice(`s3://${BUCKET}`.length))) ?? '';
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(large.sha256);
    } finally {
      large.close();
    }
  }, 60_000);

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

const ROWS = 400_000;

/** A node with one segment, whose blocks do not become small in a ZIP: more than two parts of an upload. */
async function startLargeNode() {
  const hashes = randomBytes(ROWS * 32).toString('hex');
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `2026-01-01 00:00:00+00,${row + 1},\\x${hashes.slice(row * 64, row * 64 + 64)}\n`,
  );
  const text = `vega_time,height,hash\n${rows.join('')}`;
  const archive = zipArchive([{ name: `test-chain-blocks-093-000001-${ROWS}.csv`, text }], true);
  const segment = {
    fromHeight: '1',
    toHeight: String(ROWS),
    historySegmentId: 'Qm1',
    previousHistorySegmentId: '',
    databaseVersion: '93',
    chainId: 'test-chain',
  };
  let exports = 0;
  const node = createServer((request, response) => {
    if (request.url?.includes('/networkhistory/segments') === true)
      response.end(JSON.stringify({ segments: [segment] }));
    else if (request.url?.includes('/networkhistory/export') === true) {
      exports++;
      response.end(archive);
    } else response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
  });
  await once(node.listen(0, '127.0.0.1'), 'listening');
  const address = node.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    sha256: createHash('sha256').update(archive).digest('hex'),
    exports: () => exports,
    close: () => {
      node.closeAllConnections();
      node.close();
    },
  };
}

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
