import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FetchRequest } from '../../../../src/explorer/services/chain-history/chain-history.ts';
import { fetchForScreen } from '../../../../src/explorer/services/chain-history/run-fetch.ts';
import { openHistory } from '../../../../src/history/store/chain-history.ts';
import { folderForTest } from '../../../history/store/chain-on-disk.ts';
import { segmentNode, segmentsOfTen } from '../../../history/store/segment-node.ts';

it('Verifying the history on disk fetches the damaged files again, and nothing else that is missing', async () => {
  const root = await folderForTest();
  const node = await segmentNode(segmentsOfTen(25));
  const fetched = (request: Omit<FetchRequest, 'title'>) =>
    fetchForScreen(
      { title: 'test', ...request },
      {
        ...{ client: () => node.client, root, program: 'blockglass test', firstByteMs: 5000, idleMs: 5000 },
        ...{ onProgress: () => {}, signal: new AbortController().signal },
      },
    );
  await fetched({ tables: ['blocks', 'ledger'], range: '101..250' });
  const folder = join(root, 'c');
  await writeFile(join(folder, 'blocks', 'c-blocks-000201-000250.zip'), 'x');
  await writeFile(join(folder, 'ledger', 'manifest.json'), '{');
  node.asked.length = 0;
  const { kind, lines } = await fetched({ tables: ['blocks', 'ledger'], range: 'all', checkedFolder: folder });
  expect([kind, lines[0]]).toEqual([
    'fetched',
    expect.stringMatching(
      /^1 file verified again; 1 damaged file set aside \(blocks, .*; the manifest of ledger is damaged/,
    ),
  ]);
  expect(node.asked).toEqual(['blocks 201-250']);
  const { tables, problems } = await openHistory(folder);
  expect(tables.map(({ ranges }) => ranges)).toEqual([[{ from: 101n, to: 250n }], [{ from: 101n, to: 250n }]]);
  expect(problems).toEqual([]);
  const again = await fetched({ tables: ['blocks', 'ledger'], range: 'all', checkedFolder: folder });
  expect(again).toEqual({ kind: 'fetched', lines: ['4 files verified again: all whole.'] });
});
