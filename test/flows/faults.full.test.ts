import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type FaultyNode, startFaultyNode } from '../support/faults/faulty-node.ts';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

const children: ChildProcess[] = [];
const nodes: FaultyNode[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const node of nodes.splice(0)) await node.close();
});

/** The embedded node, misbehaving as told. */
async function serve(fault: string): Promise<string> {
  const node = await startFaultyNode({ faults: [fault] });
  nodes.push(node);
  return node.url;
}

async function exportFrom(url: string, folder: string, words: readonly string[] = []) {
  const range = ['--table', 'blocks', '--from', '13001', '--to', '15500'];
  const child = spawn(process.execPath, [bundle, 'export', '--node', url, ...range, '--out', folder, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', chunk => {
    said += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), said };
}

const NAME = 'demo-chain-1-blocks-013001-015500.zip';

describe('export command on a faulty node', () => {
  it.each([
    ['error-after-archive', 5, /^incomplete: .*[\s\S]*the node: .*failed to/m],
    ['error-first-entry', 5, /^incomplete: [\s\S]*the node: /m],
    ['cut-json', 5, /^incomplete: .*ended the archive with an error/m],
    ['cut-body', 5, /^the connection was lost.*\nincomplete: /m],
    ['lost-rows', 5, /^incomplete: .*blocks 13501 to 14000 are missing/m],
    ['garbled-row', 5, /^damaged: /m],
    ['bad-crc', 5, /^damaged: .*CRC/im],
    ['gzip', 5, /^damaged: .*gzip/im],
    ['hostile-names', 5, /^damaged: .*name/im],
  ])('The export with the fault %s keeps only a part and says why (exit %d)', async (fault, exitCode, words) => {
    await using folder = await temporaryFolder();
    const { code, said } = await exportFrom(await serve(fault), folder.path);
    expect(said).toMatch(words);
    expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(code).toBe(exitCode);
    expect(await folder.files()).toEqual([expect.stringMatching(/^demo-chain-1-blocks-013001-015500\.zip\.part$/)]);
  });

  it.each(['--idle', '--timeout'])(
    'The export gives up on a stalled node after the silence that %s allows',
    async flag => {
      await using folder = await temporaryFolder();
      const { code, said } = await exportFrom(await serve('stall'), folder.path, [flag, '1']);
      expect(said).toMatch(/sent nothing for 1 s/);
      expect(code).toBe(5);
      expect(await folder.files()).toEqual([`${NAME}.part`]);
    },
  );

  it.each([
    ['error-instead', /refused: /],
    ['rate-limited', /client reached max subscription allowed/],
    ['refused-range', /do not lie within a continuous segment range/],
  ])('The export with the fault %s is a refusal with the error message of the node', async (fault, words) => {
    await using folder = await temporaryFolder();
    const { code, said } = await exportFrom(await serve(fault), folder.path);
    expect(said).toMatch(words);
    expect(code).toBe(3);
    expect(await folder.files()).not.toContain(NAME);
  });

  it.each(['zip64', 'slow-first-byte:1', 'json-stream'])(
    'The export with the fault %s is complete nevertheless',
    async fault => {
      await using folder = await temporaryFolder();
      const { code, said } = await exportFrom(await serve(fault), folder.path);
      expect(said).toMatch(/^complete: /m);
      expect(code).toBe(0);
      expect(await folder.files()).toEqual([NAME]);
    },
  );

  it('The export survives two cut bodies when it is in slices', async () => {
    await using folder = await temporaryFolder();
    const { code, said } = await exportFrom(await serve('cut-body:2'), folder.path, ['--slice', '1']);
    expect(said).toMatch(/^complete: 3 slices/m);
    expect(code).toBe(0);
  });
});
