import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import type { ChangesState } from '../../../../src/explorer/screens/changes/state.ts';
import type { FoundChanges } from '../../../../src/explorer/services/changes/changes.ts';
import { compareSides } from '../../../../src/memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../../../src/memory/diff/describe-change.ts';
import { parameter, readList, side, unreadList } from '../../../memory/diff/sides.ts';
import { FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { openState, placeOf } from '../../support/layers.ts';
import { type Size, SMALL, table, USUAL } from '../../support/scenes.ts';

const moment = (snapshot: number | null) => ({
  ...{ snapshot, node: 'http://n:3008', takenMs: Date.UTC(2026, 9, 1, 23, 50), blockHeight: '23531' },
  ...{ blockTimeNs: null, genesisTime: null },
});

function foundChanges(): FoundChanges {
  const market = {
    id: 'a'.repeat(64),
    tradableInstrument: { instrument: { code: 'HELDA/HUSD' } },
    state: 'STATE_ACTIVE',
  };
  const a = side(
    readList('parameters', [
      parameter('validators.epoch.length', '8h0m0s'),
      parameter('network.hostile', '\u001b[2J\u202ebefore'),
      parameter('gone', '1'),
    ]),
    readList('markets', [market]),
  );
  const b = side(
    readList('parameters', [
      parameter('validators.epoch.length', '24h'),
      parameter('network.hostile', 'x'.repeat(200)),
    ]),
    readList('markets', [
      { ...market, state: 'STATE_SUSPENDED' },
      { ...market, id: 'b'.repeat(64) },
    ]),
    unreadList('oracles', 'HTTP 500'),
  );
  const known = { before: moment(12), after: moment(null), isLater: false };
  return { kind: 'found', ...known, found: compareSides(a, b), shown: createDisplayContext(a, b) };
}

async function opened(size: Size = USUAL) {
  const scene = await table(size);
  press(scene.session, 'D');
  await told();
  return scene;
}

async function answered(size: Size = USUAL, answer: FoundChanges = foundChanges()) {
  const scene = await opened(size);
  last(scene.world.comparisons).answer(answer);
  await told();
  return scene;
}

const asked = (world: FakeWorld) => last(world.comparisons).asked;

describe('Changes since yesterday', () => {
  it('The changes are requested since the end of yesterday, UTC, and aborted with the screen', async () => {
    const { session, world } = await opened();
    expect(asked(world)).toMatchObject({
      chainId: 'fake-chain-1',
      isAll: false,
      nowMs: Date.UTC(2027, 0, 15, 8),
      recordCommand: 'blockglass record --demo',
      sinceMs: Date.UTC(2027, 0, 15) - 1,
    });
    asked(world).onList('oracles');
    await told();
    expect(renderFrame(session.state())).toContain('reading oracles ...');
    const { signal } = last(world.comparisons);
    press(session, 'esc');
    expect(signal.aborted).toBe(true);
    expect(placeOf(session.state())).toBe('list');
  });

  it('The changes are drawn at 80x24, with the selected one in full below', async () => {
    const { session } = await answered();
    press(session, 'j');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Changes ─ since snapshot 12, 2026-10-01 23:50:00 UTC; 10 lists not compared ──
        LIST       RECORD                     MEMBER             CHANGE
        parameters gone                                          removed: 1
      > parameters network.hostile            value              ␛[2J�before -> xxxxx…
        parameters validators.epoch.length    value              8 h (8h0m0s) -> 1 d …
        markets    HELDA/HUSD aaaa            state              ACTIVE -> SUSPENDED
        markets    HELDA/HUSD bbbb                               added: state ACTIVE











       parameters network.hostile value: ␛[2J�before ->
       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      ────────────────────────────────────────────────────────────────────────────────
       1-5 of 5   enter details  g go to  a all  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The changes are drawn at 40x12', async () => {
    const { session } = await answered(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Changes  snapshot 12; 10 not compared─
        RECORD             CHANGE
      > gone               removed: 1
        network.hostile    ␛[2J�before -> xxx…
        validato..h.length 8 h (8h0m0s) -> 1 …
        HELDA/HUSD aaaa    ACTIVE -> SUSPENDED
       parameters gone: removed: 1

      ────────────────────────────────────────
       1-4 of 5   enter details  ? help
      "
    `);
  });

  it('The changes show only text from a hostile node', async () => {
    const { session } = await answered();
    press(session, 'j', 'enter');
    const frame = renderFrame(session.state());
    expect(frame).not.toMatch(/[\u001b\u202e]/);
    expect(frame).toContain('not compared: oracles');
  });

  it('The changes screen reports that there are none in what was compared, or why that is unknown', async () => {
    const same = side(readList('parameters', [parameter('k', '1')]));
    const known = { before: moment(1), after: moment(null), isLater: true, found: compareSides(same, same) };
    const none = await answered(USUAL, { kind: 'found', ...known, shown: createDisplayContext(same, same) });
    const frame = renderFrame(none.session.state());
    expect(frame).toContain('no differences in 1 list');
    expect(frame).toContain('not compared: oracle');
    expect(frame).toContain('since oldest snapshot 1, 2026-10-01 23:50 UTC; 11 not compared');
    const without = await answered(USUAL, { kind: 'none', why: 'No snapshot of this chain yet.' });
    expect(renderFrame(without.session.state())).toContain('No snapshot of this chain yet.');
    const { session, world } = await opened();
    last(world.comparisons).fail(new Error('the disk is gone'));
    await told();
    expect(renderFrame(session.state())).toContain('the disk is gone');
    press(session, 'r');
    expect(world.comparisons.length).toBe(2);
  });

  it('The changes are copied as the command that makes the same comparison', async () => {
    const { session, world } = await answered();
    press(session, 'y');
    expect(renderFrame(session.state())).toContain('blockglass diff 12 --demo');
    expect(world.comparisons).toHaveLength(1);
  });

  it('The changes of a provision that took effect have readable members, and units', async () => {
    const version = (number: string, commitmentAmount: string, updatedAt: string) => ({
      ...{ id: 'p', partyId: 'c'.repeat(64), marketId: 'a'.repeat(64), version: number, commitmentAmount, updatedAt },
    });
    const lists = (provision: JsonObject) => [
      readList('assets', [{ id: 'ee', details: { symbol: 'HUSD', decimals: '2' } }]),
      readList('markets', [
        {
          id: 'a'.repeat(64),
          tradableInstrument: { instrument: { code: 'HELDA/HUSD', future: { settlementAsset: 'ee' } } },
        },
      ]),
      { ...readList('provisions', [provision]), scope: 'a'.repeat(64) },
    ];
    const old = version('1', '100000', '1790000000000000000');
    const young = version('2', '250000', '1790000600000000000');
    const [a, b] = [side(...lists({ current: old, pending: young })), side(...lists({ current: young }))];
    const known = { before: moment(12), after: moment(null), isLater: false };
    const { session } = await answered(USUAL, {
      ...{ kind: 'found', ...known, found: compareSides(a, b), shown: createDisplayContext(a, b) },
    });
    const frame = renderFrame(session.state());
    expect(frame).toContain('commitmentAmount   1 000 HUSD -> 2 500 …');
    expect(frame).toContain('pending.updatedAt');
    press(session, 'enter');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ────────────────────────────────────────────────────────────────────────────────
       change   lines 1-18 of 64
        provisions p: changed

        version
          from 1
          to   2

        commitmentAmount
          from 1 000 HUSD
          to   2 500 HUSD

        pending.id
          from p
          to   (none)

        pending.partyId
          from cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc
          to   (none)

      ────────────────────────────────────────────────────────────────────────────────
       y copy  esc back  ? help
      "
    `);
  });

  it('The changes can be compared again including what changes all the time', async () => {
    const { session, world } = await answered();
    press(session, 'a');
    expect(asked(world).isAll).toBe(true);
    expect(openState<ChangesState>(session, 'changes').answer.kind).toBe('asking');
  });

  it('The changes lead to their record when it still exists', async () => {
    const { session } = await answered();
    press(session, 'g');
    await told();
    expect(session.state().notice?.text).toBe('the record is no longer there');
    press(session, 'j', 'j', 'g');
    await told();
    expect(session.state().tab).toBe('parameters');
  });
});

it('The D key on a node that could not be opened says why, and reads nothing', async () => {
  class Gone extends FakeWorld {
    override readonly connect = () => Promise.reject(new Error('snapshot 7 not found'));
  }
  const { session } = await startSession({ world: new Gone(), tab: 'overview' });
  await told();
  expect(renderFrame(session.state())).not.toContain('asking the node');
  press(session, 'D');
  await told();
  const frame = renderFrame(session.state());
  expect(frame).toContain('snapshot 7 not found');
  expect(frame).not.toContain('reading the node');
});

it('The D key on a node that has never answered says so, and compares once it does', async () => {
  const { session, world } = await startSession();
  last(world.pages).fail(new NetworkError('connect ECONNREFUSED', { url: '', hint: '' }));
  await told();
  press(session, 'D');
  await told();
  expect(renderFrame(session.state())).toContain('The node does not answer, so its chain is not known.');
  expect(world.comparisons).toHaveLength(0);
  session.dispatch({ type: 'chain-known', chainId: 'fake-chain-1' });
  await told();
  expect(world.comparisons).toHaveLength(1);
});
