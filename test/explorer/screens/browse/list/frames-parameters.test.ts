import { describe, expect, it } from 'vitest';
import { createChain } from '../../../../../src/node/demo/chain.ts';
import { demoParameters } from '../../../../../src/node/demo/network-parameters.ts';
import { answerPage, last, press, startSession, told } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { answerNames, NamingWorld } from '../../../support/naming-world.ts';
import { pageOf } from '../../../support/provision-pages.ts';

const PARAMETERS = demoParameters(createChain({ seed: '1', startedMs: 1e9 }))
  .map(([key, value]) => ({ key, value }))
  .toSorted((one, other) => (one.key < other.key ? -1 : 1));

const VEGA = { symbol: 'VEGA', name: 'Vega', status: 'STATUS_ENABLED', decimals: 18, quantum: '1' };

async function list(
  columns: number,
  rows: number,
  records: readonly { readonly key: string; readonly value: string }[],
) {
  const world = new NamingWorld();
  const { session } = await startSession({ columns, rows, tab: 'parameters', world });
  await answerPage(world, pageOf(records));
  return { session, world };
}

/** The lines of a frame that show this. */
const linesWith = (frame: string, ...texts: readonly string[]) =>
  frame.split('\n').filter(line => texts.some(text => line.includes(text)));

describe('Parameter list on the screen', () => {
  it('The parameter list shows amounts in units once the asset is known, and nothing else moves', async () => {
    const { session, world } = await list(80, 24, PARAMETERS);
    const before = renderFrame(session.state());
    const asset = PARAMETERS.find(({ key }) => key === 'reward.asset')?.value ?? '';
    for (let asks = 0; asks < 2; asks++)
      await answerNames(world, { names: { assets: new Map([[asset.toLowerCase(), VEGA]]) }, isOld: true });
    const after = renderFrame(session.state());
    expect(linesWith(after, 'Balance')).toMatchInlineSnapshot(`
      [
        "    minProposerBalance                       10 000 VEGA  1000000000000000000…",
        "    minVoterBalance                               1 VEGA  1000000000000000000",
      ]
    `);
    const others = (frame: string) => frame.split('\n').filter(line => !line.includes('Balance'));
    expect(others(after).slice(2)).toEqual(others(before).slice(2));
    press(session, '/');
    session.paste('reward.asset');
    press(session, 'enter');
    expect(linesWith(renderFrame(session.state()), '> ')).toMatchInlineSnapshot(`
      [
        ">   asset                                           VEGA  7efb3aee91d148d2c28…",
      ]
    `);
  });

  it('The parameter list has its columns where they were after a search, with names that came meanwhile', async () => {
    const { session, world } = await list(80, 24, PARAMETERS);
    const asset = PARAMETERS.find(({ key }) => key === 'reward.asset')?.value ?? '';
    for (let asks = 0; asks < 2; asks++)
      await answerNames(world, { names: { assets: new Map([[asset.toLowerCase(), VEGA]]) }, isOld: true });
    const places = () => linesWith(renderFrame(session.state()), 'VALUE').map(line => line.indexOf('RAW'));
    const before = places();
    expect(before).toHaveLength(1);
    for (const keys of [['esc'], ['enter', 'esc']]) {
      press(session, '/');
      session.paste('balance');
      expect(places()).toEqual(before);
      press(session, ...keys);
      expect(places()).toEqual(before);
    }
  });

  it('The parameter list is drawn at 80x24 in groups, with what the selected parameter is about', async () => {
    const { session } = await list(80, 24, PARAMETERS);
    press(session, 'j', 'j', 'j');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Parameters ─ 172 rows ────────────────────────────────────────────────────────
        KEY                                              VALUE  RAW
        blockchains
          ethereumConfig                             7 members  {"network_id":"1","…
          ethereumRpcA..aSourcesConfig              configs: 2  {"configs":[{"netwo…
        ethereum
          oracles.enabled                                  yes  1
        governance.proposal.VolumeDiscountProgram
      >   maxClose                                       365 d  8760h0m0s
          maxEnact                                       365 d  8760h0m0s
          minClose                                         2 d  48h0m0s
          minEnact                                         2 d  48h0m0s
          minProposerBalance              10^22 smallest units  1000000000000000000…
          minVoterBalance                 10^18 smallest units  1000000000000000000
          requiredMajority                                66 %  0.66
          requiredParticipation                        0.001 %  0.00001
        governance.proposal.asset
          maxClose                                       365 d  8760h0m0s
      ────────────────────────────────────────────────────────────────────────────────
       ethereumConfig: Primary Ethereum chain: ids, confirmations to wait, and
       bridge, staking and multisig contracts.
       1-12 of 172   enter inspect  / find  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The parameter list describes the selected parameter once the selection rests', async () => {
    const { session, world } = await list(80, 24, PARAMETERS);
    press(session, '/');
    session.paste('epoch.length');
    press(session, 'enter');
    press(session, 'j');
    last(world.waits).answer();
    await told();
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Parameters ─ 1 of 172 rows ─ find "epoch.length" ─────────────────────────────
        KEY                                              VALUE  RAW
        validators
      >   epoch.length                                  10 min  10m0s














      ────────────────────────────────────────────────────────────────────────────────
       epoch.length: Length of an epoch. 1 s to 10 d 15 h.

       1-1 of 1 found among 172   enter inspect  n next match  N previous  ? help
      "
    `);
  });

  it('The parameter list shows the group of the first row when its heading has scrolled away', async () => {
    const { session } = await list(80, 24, PARAMETERS);
    press(session, 'pagedown', 'pagedown', 'pagedown');
    expect(renderFrame(session.state()).split('\n').slice(3, 7).join('\n')).toMatchInlineSnapshot(`
      "  KEY                                              VALUE  RAW
        governance.proposal.transfer
      >   maxAmount                             7 000 quantums  7000
          maxClose                                       365 d  8760h0m0s"
    `);
  });

  it('The parameter list is drawn at 40x12 without descriptions', async () => {
    const { session } = await list(40, 12, PARAMETERS);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ─ Parameters ─ 172 rows ─ cols 1-2/3 ───
        KEY                            VALUE >
        blockchains
      >   ethereumConfig           7 members
          ethere..sConfig         configs: 2
        ethereum
          oracles.enabled                yes
        governance.proposal.VolumeDiscountPro…
      ────────────────────────────────────────
       1-3 of 172   enter inspect  ? help
      "
    `);
  });

  it('The parameter list is drawn at 160x24 with a line for the description', async () => {
    const { session } = await list(160, 24, PARAMETERS);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                                                                   answered
      ─ Parameters ─ 172 rows ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        KEY                                                                VALUE  RAW
        blockchains
      >   ethereumConfig                                               7 members  {"network_id":"1","chain_id":"1","collateral_bridge_contract":{"address":"0xbbbb7…
          ethereumRpcAndEvmCompatDataSourcesConfig                    configs: 2  {"configs":[{"network_id":"100","chain_id":"100","confirmations":3,"name":"Gnosis…
        ethereum
          oracles.enabled                                                    yes  1
        governance.proposal.VolumeDiscountProgram
          maxClose                                                         365 d  8760h0m0s
          maxEnact                                                         365 d  8760h0m0s
          minClose                                                           2 d  48h0m0s
          minEnact                                                           2 d  48h0m0s
          minProposerBalance                                10^22 smallest units  10000000000000000000000
          minVoterBalance                                   10^18 smallest units  1000000000000000000
          requiredMajority                                                  66 %  0.66
          requiredParticipation                                          0.001 %  0.00001
        governance.proposal.asset
          maxClose                                                         365 d  8760h0m0s
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ethereumConfig: Primary Ethereum chain: ids, confirmations to wait, and bridge, staking and multisig contracts.

       1-12 of 172   enter inspect  / find  y copy  : command  q quit  F count  ? help
      "
    `);
  });

  it('The parameter list handles values no vote could set, unknown keys and harmful text with care', async () => {
    const { session, world } = await list(80, 24, [
      { key: 'validators.epoch.length', value: '999h' },
      { key: 'validators.\u001b[2J\u202e.feeFraction', value: '0.5' },
      { key: '..', value: `{"a":${'['.repeat(500)}` },
      { key: '', value: '' },
    ]);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Parameters ─ 4 rows ──────────────────────────────────────────────────────────
        KEY                      VALUE  RAW
        validators
      >   epoch.length       41 d 15 h  999h
          ␛[2J�.feeFraction       50 %  0.5
        ..                              {"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…












      ────────────────────────────────────────────────────────────────────────────────
       epoch.length: Length of an epoch. Outside what a vote may set in v0.79.0: 1 s
       to 10 d 15 h.
       1-4 of 4   enter inspect  / find  y copy  : command  q quit  F count  ? help
      "
    `);
    press(session, 'j');
    last(world.waits).answer();
    await told();
    expect(renderFrame(session.state()).split('\n').slice(-5).join('\n')).toMatchInlineSnapshot(`
      "────────────────────────────────────────────────────────────────────────────────
       ␛[2J�.feeFraction: no public release up to v0.79.0 has this key; its unit is
       guessed from its name
       1-4 of 4   enter inspect  / find  y copy  : command  q quit  F count  ? help
      "
    `);
  });
});
