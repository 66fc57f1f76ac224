import { expect, it } from 'vitest';
import { NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { loadAddressSpelling } from '../../../../../src/chain/insight/address.ts';
import { cellText } from '../../../../../src/chain/resources/cell-text.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import { visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { treeLines } from '../../../../../src/explorer/screens/browse/record/inspector.ts';
import { VECTORS } from '../../../../chain/insight/signer-bundle/vectors.ts';
import { answerPage, browserOf, press, startSession } from '../../../support/fake-world.ts';

const [one, other] = VECTORS.eip55;
const bundle = (oldSigner: string, submitter: string) => ({ oldSigner, submitter, nonce: '1', signatures: '' });

it('A search in a list finds rows and members by an address in either spelling, and by what the table shows of it', async () => {
  await loadAddressSpelling();
  const { session, world } = await startSession({ tab: 'bundles' });
  const rows = [bundle(one?.lower ?? '', other?.lower ?? ''), bundle('0x00', '0x01')];
  const rest = { cursors: [], startCursor: '', endCursor: '', hasNextPage: false, hasPreviousPage: false, flaws: [] };
  await answerPage(world, { rows, ...rest });
  const resource = resourceById('bundles');
  const { page } = browserOf(session);
  const [row] = rows;
  if (resource === undefined || page === null || row === undefined) throw new Error('no bundles');
  const shown = resource.columns.slice(0, 2).map(column => cellText(column, row, page, NO_NAMES));
  expect(shown).toEqual([one?.checksum, other?.checksum]);
  for (const find of [row.oldSigner, row.submitter, ...shown]) {
    expect(visibleRows(resource, { ...browserOf(session), find })).toEqual([row]);
    press(session, 'enter');
    const { inspector } = browserOf(session);
    if (inspector === null) throw new Error('no inspector');
    const found = treeLines(resource, { ...inspector, find }).map(({ node }) => node.value);
    expect(found).toContain(find.toLowerCase());
    press(session, 'esc');
  }
});
