import { afterEach, describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { THEMES } from '../../../../src/explorer/terminal/theme.ts';
import { SOUND } from '../../../attention/overview/sound-chain.ts';
import { FakeWorld, press } from '../../support/fake-world.ts';
import { paintedLines, renderFrame } from '../../support/frame.ts';
import { onOverview } from '../../support/overview-scenes.ts';

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

async function drawn(scene: Parameters<typeof onOverview>[0], ...keys: readonly string[]): Promise<string> {
  const { session } = await onOverview(scene);
  sessions.push(session);
  press(session, ...keys);
  return renderFrame(session.state());
}

describe('Overview on the screen', () => {
  it('The overview shows the severity of a finding in a colour, and its subject and fact without one', async () => {
    const { session } = await onOverview({});
    sessions.push(session);
    press(session, 'home');
    const lines = paintedLines(session.state(), THEMES.dark.utf8);
    const lineWith = (text: string): string => lines.find(line => line.includes(text)) ?? '';
    expect(lineWith('CRITICAL')).toMatch(/\[38;5;210mCRITICAL.*\[0?m[^m]*no rewards/);
    expect(lineWith('Remove signer')).toMatch(/m\S*WARNING.*\[0?m[^m]*Remove signer/);
  });

  it('The overview is drawn at 80x24', async () => {
    expect(await drawn({})).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  chain-1  core v0.79.0               in sync  block 5010
      ─ Sample data of a made-up chain ─ your own node: N, or blockglass --node URL ──
       History  no segments
       Epoch    42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
       Network  1 market (1 active) · 5 validators (5 in consensus)
       Fees     epoch 41: 10 HUSD on 1 market
       Trend    ________█▃  epochs 32 to 41, up to 30 HUSD on all markets

      ─ Needs attention ─ 1 critical · 2 warnings · 2 notes ─────────────── 1-5 of 5 ─
      >CRITICAL  Consensus validators        no rewards: every multisig score is 0
       WARNING   Remove signer 0xe20..074ee  5 signatures for 0x1fa..1208a only…
       WARNING   Validator Validator 4       performance 50 %, below 90 %
       note      Validator Validator 4       outside the consensus set
       note      History                     no segments: nothing to export
       ok        none of these: node behind or stalled · deactivated oracle specs of
                 markets · overdue oracle specs · commitments above their bond (one
                 market) · provisions that change at the next epoch (one market)

      ─ Mine ─ nothing yet: M on any party, validator or market marks it as yours ────
      ─ Details ──────────────────────────────────────────────────────────────────────
       The multisig contract has a signer outside consensus, or none of the 5 is a
       signer. Removing signer 0xe20..074ee may help. Enter opens the signer bundle.
       enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview says below the tabs that the data is made up, else which keys lead on', async () => {
    const below = async (label: string, columns: number, isFirstStart = false): Promise<string | undefined> => {
      const world = new FakeWorld();
      world.connected = Promise.resolve({ label, address: 'http://n', preferences: {}, notice: null });
      const { session } = await onOverview({ world, columns });
      sessions.push(session);
      return renderFrame({ ...session.state(), isFirstStart }).split('\n')[2];
    };
    expect(await below('demo', 80)).toMatch(
      /^─ Sample data of a made-up chain ─ your own node: N, or blockglass --node URL ─*$/,
    );
    expect(await below('demo', 40)).toMatch(/^─ Sample data ─ your own node: N ─+$/);
    expect(await below('main', 80, true)).toMatch(
      /^─ A data node of a Vega chain ─ 1-8 lists and history ─ \? explains the keys ─+$/,
    );
    expect(await below('main', 80)).toMatch(
      /^─ : finds any id or name ─ 1-8 lists and history ─ \? explains the keys ─+$/,
    );
    expect(await below('main', 40)).toMatch(/^─ : finds any id ─ \? explains the keys ─+$/);
  });

  it('The overview is drawn at 120x40, with a line about the chain selected', async () => {
    expect(await drawn({ chain: SOUND, columns: 120, rows: 40 }, 'up', 'up')).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  chain-1  core v0.79.0                                                       in sync  block 5010
      ─ Sample data of a made-up chain ─ your own node: N, or blockglass --node URL ──────────────────────────────────────────
       History  blocks 1 to 5000 in 3 segments, no gap
       Epoch    42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
      >Network  1 market (1 active) · 5 validators (5 in consensus) · 1 asset (1 enabled) · 1 oracle spec
       Fees     epoch 41: 10 HUSD on 1 market

      ─ Needs attention ─ nothing found by 10 rules ──────────────────────────────────────────────────────────────────────────
       no rule found anything

       ok        none of these: node behind or stalled · multisig scores of 0 · signer bundles that can be submitted ·
                 deactivated oracle specs of markets · overdue oracle specs · commitments above their bond (one market) ·
                 provisions that change at the next epoch (one market) · validators below 90 % performance · validators
                 outside the consensus set · history with a gap, broken or behind








      ─ Mine ─ nothing yet: M on any party, validator or market marks it as yours ────────────────────────────────────────────

      ─ Start here ────────────────────────────────────────────────────────────── ─ Fees by epoch ─ all markets ──────────────
       1  Parameters      network governance settings                              30 HUSD                         ██
       2  Provisions      liquidity commitments by market                                                          ██
       3  Paid fees       liquidity fees allocated to parties, by epoch                                            ██
       4  Signer bundles  signatures that remove a signer of the bridge                                            ██
       5  Oracle specs    the data that markets settle with or end by                                              ██
       6  Markets         markets with their state and settlement asset                                            ██ ▅▅
       7  Validators      who runs the network, with what power and performance                                    ██ ██
       8  History         what a party earned, audits, reports; fetched once                                       ██ ██
       :  Find            paste any id, name or address to look it up                    0 ──────────────────────────────
       ?  Keys            what each key does here                                    epoch 32 33 34 35 36 37 38 39 40 41
      ─ Details ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Network: 1 market (1 active), 5 validators (5 in consensus), 1 asset (1 enabled), 1 oracle spec, 1 signer bundle.
       Enter opens the markets.
       enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview has each list to start from, and a bar for each epoch, at 160x45', async () => {
    expect(await drawn({ columns: 160, rows: 45 })).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  chain-1  core v0.79.0                                                                                               in sync  block 5010
      ─ Sample data of a made-up chain ─ your own node: N, or blockglass --node URL ──────────────────────────────────────────────────────────────────────────────────
       History  no segments
       Epoch    42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
       Network  1 market (1 active) · 5 validators (5 in consensus) · 1 asset (1 enabled) · 1 oracle spec · 1 signer bundle
       Fees     epoch 41: 10 HUSD on 1 market

      ─ Needs attention ─ 1 critical · 2 warnings · 2 notes ─────────────────────────────────────────────────────────────────────────────────────────────── 1-5 of 5 ─
      >CRITICAL  Consensus validators              no rewards: every multisig score is 0
       WARNING   Remove signer 0xe20..074ee        5 signatures for 0x1fa..1208a only; threshold not known
       WARNING   Validator Validator 4             performance 50 %, below 90 %
       note      Validator Validator 4             outside the consensus set
       note      History                           no segments: nothing to export

       ok        none of these: node behind or stalled · deactivated oracle specs of markets · overdue oracle specs · commitments above their bond (one market) ·
                 provisions that change at the next epoch (one market)









      ─ Mine ─ nothing yet: M on any party, validator or market marks it as yours ────────────────────────────────────────────────────────────────────────────────────

      ─ Start here ────────────────────────────────────────────────────────────────── ─ Fees by epoch ─ all markets ──────────────────────────────────────────────────
       1  Parameters      network governance settings                                  30 HUSD                                                         ██████
       2  Provisions      liquidity commitments by market                                                                                              ██████
       3  Paid fees       liquidity fees allocated to parties, by epoch                                                                                ██████
       4  Signer bundles  signatures that remove a signer of the bridge                                                                                ██████
       5  Oracle specs    the data that markets settle with or end by                                                                                  ██████
       6  Markets         markets with their state and settlement asset                                                                                ██████
       7  Validators      who runs the network, with what power and performance                                                                        ██████ ▃▃▃▃▃▃
       8  History         what a party earned, audits, reports; fetched once                                                                           ██████ ██████
       :  Find            paste any id, name or address to look it up                                                                                  ██████ ██████
       ?  Keys            what each key does here                                                                                                      ██████ ██████
                                                                                             0 ──────────────────────────────────────────────────────────────────────
                                                                                         epoch 32     33     34     35     36     37     38     39     40     41
      ─ Details ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       The multisig contract has a signer outside consensus, or none of the 5 is a signer. Removing signer 0xe20..074ee may help. Enter opens the signer bundle.
       Checked 5 validators, 1 signer bundle.
       enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it.each([
    { columns: 120, rows: 40 },
    { columns: 160, rows: 45 },
    { columns: 200, rows: 60 },
  ])(
    'The overview fills $columns by $rows from the start, and everything has its place whatever is answered',
    async size => {
      const lines = (text: string) => text.split('\n').slice(4, -5);
      const { statistics: _, 'liquidity/paidfees': __, markets: ___, nodes: ____, ...rest } = SOUND;
      const empty = lines(await drawn({ ...size, chain: rest }));
      const full = lines(await drawn(size));
      const heads = ['Needs attention', 'Mine', 'Start here', 'Fees by epoch', '?  Keys'];
      for (const head of heads)
        expect(full.findIndex(line => line.includes(head))).toBe(empty.findIndex(line => line.includes(head)));
      const last = full.findLastIndex(line => line.trim() !== '');
      expect(full.length - 1 - last).toBeLessThanOrEqual(size.rows / 8);
    },
  );

  it('The overview is drawn at 60x16', async () => {
    expect(await drawn({ columns: 60, rows: 16 }, 'G')).toMatchInlineSnapshot(`
      "
       DEMO DATA  chain-1                     in sync  block 5010
      ─ Sample data ─ your own node: N ───────────────────────────
       History  no segments
       Epoch    42  ends in 5 min (12:05 UTC)  49 % done
       Network  1 market (1 active) · 1 asset (1 enabled)
       Fees     epoch 41: 10 HUSD on 1 market
       Trend    ________█▃  epochs 32 to 41, up to 30 HUSD on all…
      ─ Needs attention ─ 1 critical · 2 warnings · 2 notes ──────
       WARNING   Remove signer 0xe20..074ee: 5 signatures for…
       WARNING   Validator Validator 4: performance 50 %, below…
       note      Validator Validator 4: outside the consensus set
      >note      History: no segments: nothing to export
      ─ Mine ─ nothing yet: M marks an id as yours ───────────────
      ────────────────────────────────────────────────────────────
       enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview is drawn at 40x12', async () => {
    expect(await drawn({ columns: 40, rows: 12 })).toMatchInlineSnapshot(`
      "
       DEMO DATA          in sync  block 5010
      ─ Sample data ─ your own node: N ───────
       Epoch    42  49 % done
       Network  1 market (1 active)
       Fees     epoch 41: 10 HUSD
      ─ Needs attention  1 critical · 2 warni…
      >CRITICAL  Consensus validators: no…
       WARNING   Remove signer 0xe20..074ee: …
       WARNING   Validator Validator 4: perfo…
      ────────────────────────────────────────
       enter open  D changes  y copy  ? help
      "
    `);
  });

  it('The overview shows one error, and what to do, when nothing is answered', async () => {
    const error = new NetworkError('connect ECONNREFUSED 127.0.0.1:9', {
      url: 'http://127.0.0.1:9/statistics',
      hint: 'check the address and the port: nothing is listening there',
    });
    const chain = { statistics: error, 'networkhistory/segments': error };
    expect(await drawn({ chain })).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA                               offline since 12:00:00 UTC
      ─ Home ─────────────────────────────────────────────────────────────────────────
        The node cannot be reached
        connect ECONNREFUSED 127.0.0.1:9
        What to try: check the address and the port: nothing is listening there
        r tries again
        N other nodes

        http://127.0.0.1:9/statistics










      ────────────────────────────────────────────────────────────────────────────────


       r reload  N other nodes  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview shows in each line what a node does not serve', async () => {
    const { statistics: _, 'liquidity/paidfees': __, 'networkhistory/segments': ___, ...rest } = SOUND;
    expect(await drawn({ chain: rest })).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA                                      in sync  block 5010
      ─ Sample data of a made-up chain ─ your own node: N, or blockglass --node URL ──
       History  not known: not served by this node
       Epoch    not known: not served by this node
       Network  1 market (1 active) · 5 validators (5 in consensus)
       Fees     not known: not served by this node
       Trend    not known: not served by this node

      ─ Needs attention ─ 1 warning · 1 not known ───────────────────────── 1-2 of 2 ─
      >WARNING   Remove signer 0xe20..074ee  5 signatures for 0x1fa..1208a only…
       not known History                     not known

       ok        none of these: node behind or stalled · multisig scores of 0 ·
                 deactivated oracle specs of markets · overdue oracle specs ·
                 commitments above their bond (one market) · provisions that change at
                 the next epoch (one market) · validators below 90 % performance ·
                 validators outside the consensus set

      ─ Mine ─ not known: the node does not report a chain id ────────────────────────
      ─ Details ──────────────────────────────────────────────────────────────────────
       Only 0x1fa..1208a can submit it: 5 signatures; the threshold of the contract
       is not known here.
       enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });
});
