import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readParquetManifest } from '../../src/answers/parquet/parquet-manifest.ts';
import { parquetNamesPath, readNamesFile } from '../../src/chain/directory/names-file.ts';
import { startNode } from '../../src/node/index.ts';
import { inFolder } from '../answers/parquet/export-zip.ts';
import { run } from './run-command.ts';

test.each([
  ['a ZIP', [], (place: string) => place.replace(/\.zip$/, '-parquet')],
  ['slices', ['--slice', '1'], (place: string) => join(place, 'parquet')],
])('`export --parquet` turns an export of %s into Parquet at once, with the saved names', (_, more, parquetOf) =>
  inFolder(async folder => {
    const node = await startNode({});
    try {
      const words = ['export', '--node', node.url, '--table', 'ledger', '--last', '2', '--out', folder];
      const { code, out, err } = await run([...words, '--parquet', '--ids', 'hex', ...more]);
      expect(code, err).toBe(0);
      const [place = '', parquet = ''] = out.trim().split('\n');
      expect(parquet).toBe(parquetOf(place));
      expect(err).toMatch(/^complete: ledger, blocks \d+ to \d+, [\d ]+ rows in \d files? of .*; each was read back/m);
      expect(readNamesFile(parquetNamesPath(parquet))?.chainId).toBe('demo-chain-1');
      const manifest = await readParquetManifest(parquet);
      expect(manifest?.tables[0]?.columns.find(({ name }) => name === 'account_to_id')?.type).toBe('VARCHAR');
    } finally {
      await node.close();
    }
  }),
);
