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
  it('The overview shows critical findings in the colour of their mark, and others without a colour', async () => {
    const { session } = await onOverview({});
    sessions.push(session);
    press(session, 'j');
    const lines = paintedLines(session.state(), THEMES.dark.utf8);
    const lineWith = (text: string): string => lines.find(line => line.includes(text)) ?? '';
    expect(lineWith('no consensus validator')).toMatch(/\[38;5;210m[^m]*no consensus validator/);
    expect(lineWith('1 of 5 validators below')).toMatch(/\[0?m[^m]*1 of 5 validators below/);
  });

  it('The overview is drawn at 80x24', async () => {
    expect(await drawn({})).toMatchInlineSnapshot(`
      "
       blockglass  demo  chain-1  core v0.79.0                    in sync  block 5010
      ─ Home ─ this chain, this node, and what needs you ─── core in sync (12:00:00) ─
        Node    v0.79.0 · in sync with its core
        History no segments
        Epoch   42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
        Network 1 market (1 active) · 5 validators (5 in consensus)
        Fees    epoch 41: 10 HUSD on 1 market
        Trend   ________█▃  epochs 32 to 41, HUSD on all markets

       Needs attention  1 critical, 2 warnings, 2 notes
      > !! no consensus validator is rewarded: removing signer 0xe20..074ee may help…
        !  remove signer 0xe20..074ee: only 0x1fa..1208a can submit it, 5 signatures…
        !  1 of 5 validators below 90 % performance: Validator 4 at 50 %
        -  1 of 5 validators outside the consensus set: Validator 4
        -  the node lists no history segments


        Mine    nothing yet: M on any party, validator or market marks it as yours
       : paste any id, name or address to look it up  1-7 lists  8 history
      ────────────────────────────────────────────────────────────────────────────────
       no consensus validator is rewarded: removing signer 0xe20..074ee may help;
       multisig scores are 0: the contract has a signer outside consensus, or none…
       line 7 of 11   enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview tells only a new user in three lines what this is and where to begin', async () => {
    const told = async (isFirstStart: boolean) => {
      const world = new FakeWorld();
      world.connected = Promise.resolve({ label: 'demo', address: 'http://n', preferences: {}, notice: null });
      const { session } = await onOverview({ world });
      sessions.push(session);
      const lines = renderFrame({ ...session.state(), isFirstStart }).split('\n');
      return lines.slice(lines.findIndex(line => line.includes('Mine')) + 1, -5);
    };
    const three = [
      '  This is a data node of a blockchain: its markets, providers and validators',
      '  Begin   enter opens a line  1-7 lists  8 history as files',
      '  Keys    ? explains each screen  : finds any id, name or address',
    ];
    expect(await told(true)).toEqual(three);
    expect(await told(false)).toEqual([' : paste any id, name or address to look it up  1-7 lists  8 history']);
  });

  it('The overview is drawn at 120x40, with a line about the chain selected', async () => {
    expect(await drawn({ chain: SOUND, columns: 120, rows: 40 }, 'up', 'up')).toMatchInlineSnapshot(`
      "
       blockglass  demo  chain-1  core v0.79.0                                                            in sync  block 5010
      ─ Home ─ this chain, this node, and what needs you ─────────────────────────────────────────── core in sync (12:00:00) ─
        Node    v0.79.0 · in sync with its core
        History blocks 1 to 5000 in 3 segments, no gap
        Epoch   42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
        Network 1 market (1 active) · 5 validators (5 in consensus) · 1 asset (1 enabled) · 1 oracle spec
      > Fees    epoch 41: 10 HUSD on 1 market
        Trend   ________█▃  epochs 32 to 41, HUSD on all markets

       Needs attention  nothing found by 10 rules
         nothing needs attention; provisions are checked on one market only

        ok none found: node behind or stalled · multisig scores of 0 · signer bundles that can be submitted · deactivated
           oracle specs of markets · overdue oracle specs · commitments above their bond (one market) · provisions that change
           at the next epoch (one market) · validators below 90 % performance · validators outside the consensus set · history
           with a gap, broken or behind






        Mine    nothing yet: M on any party, validator or market marks it as yours

       Where to begin
       1  Parameters      the values that the network is governed by
       2  Provisions      who commits to a market, how much and for what fee
       3  Paid fees       liquidity fees allocated to parties, by epoch
       4  Signer bundles  signatures that remove a signer of the bridge
       5  Oracle specs    the data that markets settle with or end by
       6  Markets         markets with their state and settlement asset
       7  Validators      who runs the network, with what power and performance
       8  History         what a party earned, audits, reports; fetched once
       :  Find            paste any id, name or address to look it up
       ?  Keys            what each key does here
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Fees: epoch 41: 10 HUSD on 1 market, allocated to liquidity providers

       line 5 of 7   enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });

  it('The overview has each list to start from, and a bar for each epoch, at 160x45', async () => {
    expect(await drawn({ columns: 160, rows: 45 })).toMatchInlineSnapshot(`
      "
       blockglass  demo  chain-1  core v0.79.0                                                                                                    in sync  block 5010
      ─ Home ─ this chain, this node, and what needs you ─────────────────────────────────────────────────────────────────────────────────── core in sync (12:00:00) ─
        Node    v0.79.0 · in sync with its core
        History no segments
        Epoch   42  ━━━━━━━━━━──────────  ends in 5 min (12:05 UTC)  49 % done
        Network 1 market (1 active) · 5 validators (5 in consensus) · 1 asset (1 enabled) · 1 oracle spec · 1 signer bundle
        Fees    epoch 41: 10 HUSD on 1 market
        Trend   ________█▃  epochs 32 to 41, HUSD on all markets

       Needs attention  1 critical, 2 warnings, 2 notes
      > !! no consensus validator is rewarded: removing signer 0xe20..074ee may help; multisig scores are 0: the contract has a signer outside consensus, or none of…
        !  remove signer 0xe20..074ee: only 0x1fa..1208a can submit it, 5 signatures; the threshold of the contract is not known here
        !  1 of 5 validators below 90 % performance: Validator 4 at 50 %
        -  1 of 5 validators outside the consensus set: Validator 4
        -  the node lists no history segments

        ok none found: node behind or stalled · deactivated oracle specs of markets · overdue oracle specs · commitments above their bond (one market) · provisions
           that change at the next epoch (one market)





        Mine    nothing yet: M on any party, validator or market marks it as yours

       Where to begin                                                                  Fees by epoch  epochs 32 to 41, HUSD on all markets
       1  Parameters      the values that the network is governed by                   41  10 HUSD  █████████████████████▋
       2  Provisions      who commits to a market, how much and for what fee           40  30 HUSD  █████████████████████████████████████████████████████████████████
       3  Paid fees       liquidity fees allocated to parties, by epoch                39   0 HUSD
       4  Signer bundles  signatures that remove a signer of the bridge                38   0 HUSD
       5  Oracle specs    the data that markets settle with or end by                  37   0 HUSD
       6  Markets         markets with their state and settlement asset                36   0 HUSD
       7  Validators      who runs the network, with what power and performance        35   0 HUSD
       8  History         what a party earned, audits, reports; fetched once           34   0 HUSD
       :  Find            paste any id, name or address to look it up              33   0 HUSD
       ?  Keys            what each key does here                                      32   0 HUSD




      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       no consensus validator is rewarded: removing signer 0xe20..074ee may help; multisig scores are 0: the contract has a signer outside consensus, or none of the
       5 is a signer; looked at 5 validators, 1 signer bundle
       line 7 of 11   enter open  D changes  y copy  : command  q quit  ? help
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
      const heads = ['Needs attention', 'Mine', 'Where to begin', 'Fees by epoch', '?  Keys'];
      for (const head of heads)
        expect(full.findIndex(line => line.includes(head))).toBe(empty.findIndex(line => line.includes(head)));
      const last = full.findLastIndex(line => line.trim() !== '');
      expect(full.length - 1 - last).toBeLessThanOrEqual(size.rows / 8);
    },
  );

  it('The overview is drawn at 60x16', async () => {
    expect(await drawn({ columns: 60, rows: 16 }, 'G')).toMatchInlineSnapshot(`
      "
       demo  chain-1  core v0.79.0            in sync  block 5010
      ─ Home ─ this chain, this node, and what needs you ─────────
        Node    v0.79.0 · in sync with its core
        History no segments
        Epoch   42  ends in 5 min (12:05 UTC)  49 % done
        Network 1 market (1 active) · 1 asset (1 enabled)
        Fees    epoch 41: 10 HUSD on 1 market
       Needs attention  1 critical, 2 warnings, 2 notes  3-5 of 5
        !  1 of 5 validators below 90 % performance: Validator 4…
        -  1 of 5 validators outside the consensus set: Validator…
      > -  the node lists no history segments
        Mine    nothing yet: M marks an id as yours
       : paste any id or name  1-7 lists  8 history
      ────────────────────────────────────────────────────────────
       10 of 10   enter open  D changes  y copy  q quit  ? help
      "
    `);
  });

  it('The overview is drawn at 40x12', async () => {
    expect(await drawn({ columns: 40, rows: 12 })).toMatchInlineSnapshot(`
      "
       demo               in sync  block 5010
      ─ Home  this chain, this node, and what…
        Node    v0.79.0
        Epoch   42  49 % done
        Fees    epoch 41: 10 HUSD
       Needs attention  1 critical,… 1-3 of 5
      > !! no consensus validator is…
        !  remove signer 0xe20..074ee: only…
        !  1 of 5 validators below 90 %…
      ────────────────────────────────────────
       4 of 8   enter open  y copy  ? help
      "
    `);
  });

  it('The overview shows one error, and what to do, when nothing is answered', async () => {
    const error = new NetworkError('connect ECONNREFUSED 127.0.0.1:9', {
      url: 'http://127.0.0.1:9/statistics',
      hint: 'nothing is listening there: check the address and the port',
    });
    const chain = { statistics: error, 'networkhistory/segments': error };
    expect(await drawn({ chain })).toMatchInlineSnapshot(`
      "
       blockglass  demo                                    offline since 12:00:00 UTC
      ─ Home ─ this chain, this node, and what needs you ─────────────────────────────
        The node cannot be reached
        connect ECONNREFUSED 127.0.0.1:9
        What to try: nothing is listening there: check the address and the port
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
       blockglass  demo                                           in sync  block 5010
      ─ Home ─ this chain, this node, and what needs you ─────────────────────────────
        Node    version not known · core not known
        History not known: not served by this node
        Epoch   not known: not served by this node
        Network 1 market (1 active) · 5 validators (5 in consensus)
        Fees    not known: not served by this node
        Trend   not known: not served by this node

       Needs attention  1 warning, 1 not known
      > !  remove signer 0xe20..074ee: only 0x1fa..1208a can submit it, 5 signatures…
        ?  history with a gap, broken or behind: not known, because history segments…
        ok none found: node behind or stalled · multisig scores of 0 · deactivated
           oracle specs of markets · overdue oracle specs · commitments above their
           bond (one market) · provisions that change at the next epoch (one market) ·
           validators below 90 % performance · validators outside the consensus set

        Mine    not known: the node does not report a chain id
       : paste any id, name or address to look it up  1-7 lists  8 history
      ────────────────────────────────────────────────────────────────────────────────
       remove signer 0xe20..074ee: only 0x1fa..1208a can submit it, 5 signatures;
       the threshold of the contract is not known here; looked at 1 signer bundle, 5…
       line 7 of 8   enter open  D changes  y copy  : command  q quit  ? help
      "
    `);
  });
});
