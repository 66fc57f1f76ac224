import { expect, it } from 'vitest';
import type { FoundVersions } from '../../../../src/explorer/services/changes/changes.ts';
import { compareSides } from '../../../../src/memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../../../src/memory/diff/describe-change.ts';
import { parameter, readList, side } from '../../../memory/diff/sides.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { showing } from '../../support/list-scenes.ts';
import { pageOf, provision } from '../../support/provision-pages.ts';

const KEY = 'validators.epoch.length';

function found(...values: readonly string[]): FoundVersions {
  const sides = values.map(value => side(readList('parameters', value === '' ? [] : [parameter(KEY, value)])));
  const versions = sides.flatMap((after, index) =>
    compareSides(sides[index - 1] ?? side(readList('parameters', [])), after, {
      wanted: list => list === 'parameters',
    }).changes.map(change => ({ snapshot: index + 1, takenMs: Date.UTC(2026, 9, index + 1, 12), change })),
  );
  const any = side();
  return {
    kind: 'found',
    versions: versions.toReversed(),
    shown: createDisplayContext(any, any),
    snapshots: values.length,
  };
}

async function opened() {
  const scene = await showing(pageOf([parameter(KEY, '24h')]), { tab: 'parameters' });
  press(scene.session, 'enter', 'v');
  await told();
  return scene;
}

it('The v key on a record shows its versions, newest first, in units', async () => {
  const { session, world } = await opened();
  const recordCommand = 'blockglass record --demo';
  expect(last(world.histories).asked).toEqual({ resource: 'parameters', key: KEY, scope: '', recordCommand });
  last(world.histories).answer(found('8h', '24h', '', '\u001b[2J'));
  await told();
  expect(renderFrame(session.state())).toMatchInlineSnapshot(`
    "
     blockglass  DEMO DATA  fake-chain-1                                   answered
    ─ Versions ─ parameters validators.epoch.length ────────────────────────────────
      SINCE (UTC)      MEMBER               CHANGE
    > 2026-10-04 12:00                      there again: ␛[2J
      2026-10-03 12:00                      gone
      2026-10-02 12:00 value                8 h (8h) -> 1 d (24h)
      2026-10-01 12:00                      first seen: 8 h












     there again: ␛[2J

    ────────────────────────────────────────────────────────────────────────────────
     4 changes in 4 snapshots   enter details  y copy  : command  esc back  ? help
    "
  `);
  press(session, 'G', 'enter');
  expect(renderFrame(session.state())).toContain('snapshot 1, 2026-10-01 12:00 UTC: added');
});

it('The versions of a provision are read from the list of its market', async () => {
  const { session, world } = await showing(pageOf([provision(1)]));
  press(session, 'enter', 'v');
  await told();
  const { scope } = last(world.histories).asked;
  expect(scope).toBe(String(provision(1).marketId).toLowerCase());
});

it('The versions screen says what is not known', async () => {
  const none = await opened();
  last(none.world.histories).answer({ kind: 'none', why: 'No stored snapshot has this record.' });
  await told();
  expect(renderFrame(none.session.state())).toContain('No stored snapshot has this record.');
  const failed = await opened();
  last(failed.world.histories).fail(new Error('the file is damaged'));
  await told();
  expect(renderFrame(failed.session.state())).toContain('the file is damaged');
});
