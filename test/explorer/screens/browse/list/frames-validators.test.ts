import { describe, expect, it } from 'vitest';
import { answerPage, startSession } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { hexId, pageOf } from '../../../support/provision-pages.ts';
import { LARGE, type Size, USUAL } from '../../../support/scenes.ts';

const NARROW: Size = { columns: 60, rows: 16 };

const validator = (index: number, role: string, multisigScore: string, members: object = {}) => ({
  ...{ id: hexId(index), name: `Validator ${index}`, ethereumAddress: `0x${`0${index}`.repeat(20)}`, status: '' },
  ...{ stakedTotal: `${index}000000000000000000000`, pendingStake: index === 2 ? '-100000000000000000000' : '0' },
  rankingScore: {
    ...{ status: `VALIDATOR_NODE_STATUS_${role}`, votingPower: role === 'TENDERMINT' ? '5000' : '0' },
    performanceScore: index === 2 ? '0.885' : '1',
  },
  rewardScore: { multisigScore, validatorStatus: `VALIDATOR_NODE_STATUS_${role}` },
  ...members,
});

async function frame(size: Size, scores: readonly [string, string]): Promise<string> {
  const { session, world } = await startSession({ ...size, tab: 'validators' });
  const rows = [
    validator(1, 'TENDERMINT', scores[0]),
    validator(2, 'TENDERMINT', scores[1]),
    validator(3, 'ERSATZ', '1'),
    validator(4, 'PENDING', '0'),
  ];
  await answerPage(world, pageOf(rows));
  return renderFrame(session.state());
}

const power = (index: number, votingPower: string) => {
  const row = validator(index, 'TENDERMINT', '1');
  return { ...row, rankingScore: { ...row.rankingScore, votingPower } };
};

describe('Validator list on the screen', () => {
  it('The validator list shows status in words, performance, score and stake at 60 columns', async () => {
    expect(await frame(NARROW, ['1', '1'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1               answered
      ─ Validators ─ 4 rows ─ columns 1-5 of 9 ───────────────────
        NAME         STATUS       PERF  MULTISIG         x 10^18 >
      > Validator 1  CONSENSUS   100 %         1           1 000
        Validator 2  CONSENSUS  88.5 %         1           2 000
        Validator 3  STANDBY     100 %         1           3 000
        Validator 4  PENDING     100 %         0           4 000




      ────────────────────────────────────────────────────────────
       Takes part in consensus, with 50.0 % of all voting power.

       1-4 of 4   enter inspect  g go to  / find  y copy  ? help
      "
    `);
  });

  it('The validator list explains also at 60x16 why nobody is rewarded, below rows that leave room for it', async () => {
    expect(await frame(NARROW, ['0', '0'])).toContain('All 2 consensus validators listed have multisig score 0');
    expect(await frame({ columns: 60, rows: 11 }, ['0', '0'])).not.toContain('All 2 consensus validators');
  });

  it('The validator list says at 80x24 what the selected validator does, or why nobody is rewarded', async () => {
    expect(await frame(USUAL, ['1', '1'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Validators ─ 4 rows ─ columns 1-7 of 9 (right arrow: more) ───────────────────
        NAME         STATUS      POWER    PERF  MULTISIG  +STAKE  STAKE x 10^18, raw >
      > Validator 1  CONSENSUS  50.0 %   100 %         1                       1 000
        Validator 2  CONSENSUS  50.0 %  88.5 %         1    -5 %               2 000
        Validator 3  STANDBY     0.0 %   100 %         1                       3 000
        Validator 4  PENDING     0.0 %   100 %         0                       4 000












      ────────────────────────────────────────────────────────────────────────────────
       Takes part in consensus, with 50.0 % of all voting power.

       1-4 of 4   enter inspect  g go to  / find  y copy  : command  q quit  ? help
      "
    `);
    expect((await frame(USUAL, ['0', '0'])).split('\n').slice(-4)).toMatchInlineSnapshot(`
      [
        " All 2 consensus validators listed have multisig score 0, so no reward: the",
        " contract has an extra signer, or lacks all validators. Enter: what helps.",
        " 1-4 of 4   enter inspect  g go to  / find  y copy  : command  q quit  ? help",
        "",
      ]
    `);
  });

  it('The validator list shows stake at 120x40, and what each validator signs as', async () => {
    expect((await frame(LARGE, ['1', '0'])).split('\n').slice(0, 9)).toMatchInlineSnapshot(`
      [
        "",
        " blockglass  DEMO DATA  fake-chain-1                                                                           answered",
        "─ Validators ─ 4 rows ──────────────────────────────────────────────────────────────────────────────────────────────────",
        "  NAME         STATUS      POWER    PERF  MULTISIG  +STAKE      STAKE x 10^18, raw  SIGNS AS          ID",
        "> Validator 1  CONSENSUS  50.0 %   100 %         1                           1 000  0x01010..1010101  000000..000001",
        "  Validator 2  CONSENSUS  50.0 %  88.5 %         0    -5 %                   2 000  0x02020..2020202  000000..000002",
        "  Validator 3  STANDBY     0.0 %   100 %         1                           3 000  0x03030..3030303  000000..000003",
        "  Validator 4  PENDING     0.0 %   100 %         0                           4 000  0x04040..4040404  000000..000004",
        "",
      ]
    `);
  });

  it('The validator list shows voting power as a bar relative to the largest, when only IDs are cut for it', async () => {
    const { session, world } = await startSession({ columns: 160, rows: 16, tab: 'validators' });
    await answerPage(
      world,
      pageOf([power(1, '6000'), power(2, '3000'), power(3, '1000'), validator(4, 'ERSATZ', '1')]),
    );
    const drawn = (): readonly string[] =>
      renderFrame(session.state())
        .split('\n')
        .filter(line => /POWER|Validator /.test(line))
        .map(line => line.slice(0, 41));
    expect(drawn()).toEqual([
      '  NAME         STATUS               POWER',
      '> Validator 1  CONSENSUS  ━━━━━━━━ 60.0 %',
      '  Validator 2  CONSENSUS  ━━━━     30.0 %',
      '  Validator 3  CONSENSUS  ━╸       10.0 %',
      '  Validator 4  STANDBY              0.0 %',
    ]);
  });

  it('The validator list has no bars where all of them would be the same', async () => {
    const { session, world } = await startSession({ columns: 160, rows: 16, tab: 'validators' });
    await answerPage(world, pageOf([1, 2, 3].map(index => power(index, '2500'))));
    const frame = renderFrame(session.state());
    expect(frame).toMatch(/CONSENSUS +~25\.0 %/);
    expect(frame).not.toContain('━');
  });
});
