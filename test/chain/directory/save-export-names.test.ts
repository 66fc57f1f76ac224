import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { archiveNamesPath, readNamesFile } from '../../../src/chain/directory/names-file.ts';
import { type ExportNamesOptions, saveExportNames } from '../../../src/chain/directory/save-export-names.ts';

/** A node that says nothing of anything, and never: what it was asked. */
const asked: string[] = [];
const server = createServer(request => void asked.push(request.url ?? ''));
let folder = '';
beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  asked.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

const { signal } = new AbortController();

const keep = (more: Partial<ExportNamesOptions> = {}) =>
  saveExportNames(
    createClient({ base: baseAddress(`http://127.0.0.1:${portOf(server.address())}`) }),
    { kind: 'saved', path: join(folder, 'x.zip') },
    { table: 'ledger', chainId: 'c', signal, longestMs: 50, ...more },
  );

const asset = { name: 'Euro', symbol: 'EUR', decimals: 5, quantum: '1', status: 'STATUS_ENABLED' };

describe('Names of an export from a silent node', () => {
  it('An export does not wait long for the names of a silent node, and says what that costs and what helps', async () => {
    expect(await keep()).toBe(
      'answers from it need --node URL: no names were saved with it (the node did not answer within 0.05 s)',
    );
    expect(await keep({ chainId: undefined })).toMatch(/^answers from it need --node URL.*did not report a chain id/);
    expect(readNamesFile(archiveNamesPath(join(folder, 'x.zip')))).toBeUndefined();
  });

  it('An export from a silent node has the names that were known before, and says so', async () => {
    const known = { ...NO_NAMES, assets: new Map([['ab', asset]]) };
    expect(await keep({ known })).toBe('names known earlier were saved with it: the node did not answer within 0.05 s');
    expect(readNamesFile(archiveNamesPath(join(folder, 'x.zip')))?.names.assets.size).toBe(1);
  });

  it('An export is not delayed by names when it is cancelled, or when its table has no names', async () => {
    const abort = new AbortController();
    abort.abort();
    expect(await keep({ signal: abort.signal })).toMatch(/\(cancelled\)$/);
    asked.length = 0;
    expect(await keep({ table: 'blocks' })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('An export reports a file in the place of its names file that is not one', async () => {
    await writeFile(archiveNamesPath(join(folder, 'x.zip')), 'notes');
    const known = { ...NO_NAMES, assets: new Map([['ab', asset]]) };
    expect(await keep({ known })).toMatch(/^answers from it need --node URL.*x\.names\.json: /);
  });
});
