import { describe, expect, it } from 'vitest';
import { NOTHING_MINE } from '../../../../../src/chain/directory/mine.ts';
import { directoryWith, validator } from '../../../../chain/directory/directories.ts';
import { answerPage, press, startSession, told } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { answerNames, NamingWorld } from '../../../support/naming-world.ts';
import { pageOf } from '../../../support/provision-pages.ts';

const address = (digits: string): string => `0x${digits.repeat(20)}`;
const node = (digits: string, name: string) => ({ id: digits.repeat(32), name, ethereumAddress: address(digits) });
const [MINE, OTHER] = [node('a1', 'Ashgrove'), node('b2', 'Dunlin')];

const NAMES = directoryWith({
  validators: [MINE, OTHER].map(({ id, ...entry }) => [id, validator(entry)]),
});

const bundle = (submitter: string, nonce: string) => ({
  ...{ oldSigner: address('c3'), submitter, nonce, signatures: '0x', epochSeq: '41', timestamp: '1' },
});

async function shown(tab: string, rows: readonly object[], columns = 80) {
  const world = new NamingWorld();
  world.mine = { ...NOTHING_MINE, node: new Set([MINE.id]) };
  const { session } = await startSession({ world, tab, columns, rows: 14 });
  await answerPage(world, pageOf(JSON.parse(JSON.stringify(rows))));
  await answerNames(world, { names: NAMES, isOld: false });
  await told();
  const body = () =>
    `\n${paintedLines(session.state())
      .slice(2)
      .map(line => plain(line).trimEnd())
      .filter(line => line !== '')
      .join('\n')}\n`;
  return { session, world, body };
}

describe('Rows marked as yours', () => {
  it.each([80, 60])('Your bundles are marked in the list without opening a row, at %i columns', async columns => {
    const { body } = await shown(
      'bundles',
      [bundle(MINE.ethereumAddress, '1'), bundle(OTHER.ethereumAddress, '2')],
      columns,
    );
    expect(body()).toMatch(/ Ash\S*, you /);
  });

  it('The m key leaves only your validators, and the lines above and below say so', async () => {
    const { session, body } = await shown('validators', [MINE, OTHER]);
    press(session, 'm');
    expect(body()).toMatchInlineSnapshot(`
      "
      ─ Validators ─ 1 of 2 rows ─ yours ─────────────────────────────────────────────
        NAME      STATUS  POWER  +STAKE  STAKE  SIGNS AS            ID
      > Ash..you              -                 0xA1A1a1..a1A1a1a1  a1a1a1a..1a1a1a1
       1 of 2 loaded rows has one of your ids; m shows all
       1-1 of 1 found among 2   enter inspect  n next match  N previous  ? help
      "
    `);
  });

  it('The m key reports that no row is yours when that is so', async () => {
    const { session, body } = await shown('validators', [OTHER]);
    press(session, 'm');
    expect(body()).toMatchInlineSnapshot(`
      "
      ─ Validators ─ 0 of 1 row ─ yours ──────────────────────────────────────────────
        NAME    STATUS  POWER  +STAKE  STAKE  SIGNS AS             ID
        none of 1 loaded has something of yours
        Esc clears the search
       0 of 1 loaded row has one of your ids; m shows all
       none found among 1   / find  y copy  : command  esc back  q quit  ? help
      "
    `);
  });
});
