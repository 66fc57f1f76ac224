import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import { THEMES } from '../../../../src/explorer/terminal/theme.ts';
import { parseTypedExport, type TypedExport } from '../../../../src/history/plan/typed-export.ts';
import { check, end, fillWizard, LISTED, SAVED, withWizard } from '../../support/export-scenes.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { paintedLines, plain, renderFrame } from '../../support/frame.ts';
import { LARGE, SMALL, USUAL, wizard } from '../../support/scenes.ts';

function choiceOf(words: string): TypedExport {
  const choice = parseTypedExport(words, {});
  if ('problem' in choice) throw new Error(choice.problem);
  return choice;
}

describe('Export wizard on the screen', () => {
  it('The export wizard offers the tables', async () => {
    const { session } = await wizard(USUAL, 'table');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Export network history: which table?   step 1 of 4

        balances              account balances, a row per change
        blocks                one row per block: time, height, hash
        checkpoints           checkpoints of the chain state
        delegations           stake delegated to validators, per epoch
        deposits              deposits, a row per change
      > ledger                transfers between accounts: fees, rewards, settlements
        liquidity_provisions  commitments, a row per change
        margin_levels         margin levels of positions
        market_data           prices, open interest, auctions per market
        markets               market definitions, a row per change
        orders                orders, a row per change
        positions             positions, a row per change
        rewards               rewards paid, per epoch
        trades                trades with both sides and fees
        withdrawals           withdrawals, a row per change


      ────────────────────────────────────────────────────────────────────────────────
       enter next  p presets  : command  esc back  ? help
      "
    `);
  });

  it('The export wizard announces the review for a range named once, and says nothing about the other bound', async () => {
    const { session, world } = await wizard(USUAL, 'table');
    fillWizard(session, choiceOf('ledger e20..e25'));
    const { range } = world;
    Object.assign(world, { range: () => new Promise<never>(() => {}) });
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    const frame = renderFrame(session.state());
    expect(frame).toContain('looking for both blocks; the review follows ...');
    expect(frame).not.toMatch(/not a boundary|is needed/);
    Object.assign(world, { range });
    press(session, 'esc');
    expect(renderFrame(session.state())).not.toMatch(/not a boundary|is needed/);
  });

  it('The export wizard shows the retry key when a node did not answer', async () => {
    const { session, world } = await wizard(USUAL, 'table');
    fillWizard(session, choiceOf('ledger e20..e25'));
    last(world.segments).fail(new NetworkError('cannot reach the node', { url: '', hint: 'check the address' }));
    await told();
    const frame = renderFrame(session.state());
    expect(frame).toContain('offline');
    expect(frame).toContain('  Enter asks again');
    expect(frame).not.toContain('r tries again');
  });

  it('The export wizard shows how the export before ended, and how to see that again', async () => {
    const { session, world } = await wizard(USUAL, 'progress');
    await end(world, SAVED);
    press(session, 'esc');
    const lines = renderFrame(session.state()).split('\n');
    expect(`\n${[...lines.slice(3, 7), ...lines.slice(-2)].join('\n')}`).toMatchInlineSnapshot(`
      "
       Export network history: which table?   step 1 of 4

        last export: ledger 1-2000, complete; v shows it
        balances              account balances, a row per change
       enter next  v last result  p presets  : command  esc back  ? help
      "
    `);
  });

  it('The export wizard lists the tables that follow in its review', async () => {
    const { session, world } = await wizard(USUAL, 'table');
    fillWizard(session, choiceOf('ledger,trades 501..1500'));
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    await told();
    await check(world);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Ready to export   step 4 of 4

        table         ledger, then trades
        blocks        501 to 1500, 1 000 blocks in 2 segments, 2 CSVs (schema change)
        times         unknown: this node does not serve epochs
        missing       blocks 1501 to 2000
        501 ███████████████████████████████████████████·····················──── 2100
        file          /out/ledger-501-1500.zip
        requests      one (s: in slices, which survive a lost connection)
        if cut short  the file keeps the name .part (i: .incomplete.zip)
        The same without the screen:
        blockglass export --demo --table ledger --from 501 --to 1500
        free space    1.0 GB

        CSVs expected fake-chain-1-ledger-093-000501-000700.csv
                      fake-chain-1-ledger-094-000701-001500.csv



      ────────────────────────────────────────────────────────────────────────────────
       enter start  s slices  p presets  : command  esc back  ? help
      "
    `);
  });

  it('The export wizard marks only the segments of the range, and the one at the bound with a bar, in every theme', async () => {
    const { session } = await wizard(USUAL, 'range');
    press(session, 'up');
    for (const { utf8 } of Object.values(THEMES)) {
      const lines = paintedLines(session.state(), utf8).filter(line => / - \d+ .*schema/.test(plain(line)));
      const bars = lines.filter(line => line.startsWith('\u001b['));
      expect(bars, utf8.name).toHaveLength(1);
      for (const line of lines)
        if (!bars.includes(line)) expect(line, utf8.name).toMatch(/^ {3}(?: {4}|\u001b\[[\d;]+m\u2502)/);
    }
    expect(renderFrame(session.state()).match(/^ *>/gm)).toHaveLength(1);
  });

  it('The export wizard offers the tables at 40x12', async () => {
    const { session } = await wizard(SMALL, 'table');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       Export network history: which table?

        delegations
        deposits
      > ledger
        transfers between accounts: fees,
        rewards, settlements
      ────────────────────────────────────────
       enter next  p presets  ? help
      "
    `);
  });

  it('The export wizard shows at once which bound is not on a boundary, and what is near', async () => {
    const { session } = await wizard(USUAL, 'range');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Export ledger: which blocks?   step 2 of 4

        first block  1   on a boundary
      > last block   1999   not a boundary

        segments end at 1000 and 2000, not at 1999

        1 ██████████████████████████······································────── 5500
        3 segments, with 1 gap. Type e41, a date, last 3 or last-month
                  5001 - 5500         500 blocks, schema 94
           ~ gap: 2001 - 5000 is missing ~
                  1001 - 2000         1 000 blocks, schema 94
           - schema 94 from 1001 on, 93 before -
         │           1 - 1000         1 000 blocks, schema 93





      ────────────────────────────────────────────────────────────────────────────────
       enter next  up higher  down lower  tab from/to  ctrl-p presets  esc back
      "
    `);
  });

  it('The export wizard says that a word is not a block height', async () => {
    const { session } = await wizard(USUAL, 'range');
    session.paste('banana');
    expect(renderFrame(session.state())).toMatch(/> last block .*banana.* not a block height/);
  });

  it('The export wizard shows the bounds of the range at 40x12', async () => {
    const { session } = await wizard(SMALL, 'range');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       Export ledger: which blocks?

        first block  1   on a boundary
      > last block   1999   not a boundary

        segments end at 1000 and 2000, not at
        1999
      ────────────────────────────────────────
       enter next  up higher  esc back
      "
    `);
  });

  it('The export wizard asks for the destination', async () => {
    const { session } = await wizard(USUAL, 'destination');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Where to?   step 3 of 4

      > folder or file  .

        In a folder: fake-chain-1-ledger-000001-002000.zip, or the file name sent by
        the node.
        During the download it ends in .part; only a complete file gets its name.












      ────────────────────────────────────────────────────────────────────────────────
       enter next  ctrl-p presets  esc back
      "
    `);
  });

  it.each([30, 24, 20])('The export wizard has room for the complete equal command on %i rows', async rows => {
    const { session } = await wizard(USUAL, 'review');
    session.dispatch({ type: 'resized', screen: { columns: 80, rows } });
    expect(renderFrame(session.state())).toContain('blockglass export --demo --table ledger --from 1 --to 2000');
  });

  it('The export wizard shows the equal command whole or not at all, however long the range notes are', async () => {
    const { session } = await wizard(USUAL, 'review');
    const state = session.state();
    const note = 'epoch 20 begins with block 10858, in the segment that begins with 1, which is said at some length';
    const said = withWizard(state, { notes: { from: note, to: note } });
    const shown = Array.from({ length: 30 }, (_, index) => {
      const frame = renderFrame({ ...said, screen: { columns: 80, rows: 10 + index } });
      const parts = ['The same without the screen:', 'blockglass export --demo --table ledger --from 1 --to 2000'];
      return parts.map(part => frame.includes(part));
    });
    for (const [heading, command] of shown) expect(command).toBe(heading);
    expect(shown.slice(8).flat()).not.toContain(false);
  });

  it('The export wizard shows what will be exported, and the equal command', async () => {
    const { session } = await wizard(USUAL, 'review');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Ready to export   step 4 of 4

        table         ledger
        blocks        1 to 2000, 2 000 blocks in 2 segments, 2 CSVs (schema change)
        times         unknown: this node does not serve epochs
        missing       blocks 2001 to 5000
        1 ██████████████████████████······································────── 5500
        file          /home/me/fake-chain-1-ledger-000001-002000.zip
        requests      one (s: in slices, which survive a lost connection)
        if cut short  the file keeps the name .part (i: .incomplete.zip)
        The same without the screen:
        blockglass export --demo --table ledger --from 1 --to 2000
        free space    12.3 GB

        CSVs expected fake-chain-1-ledger-093-000001-001000.csv
                      fake-chain-1-ledger-094-001001-002000.csv



      ────────────────────────────────────────────────────────────────────────────────
       enter start  s slices  p presets  : command  esc back  ? help
      "
    `);
  });

  it('The export wizard shows the progress of the export', async () => {
    const { session } = await wizard(USUAL, 'progress');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       Exporting ledger, blocks 1 to 2000

       Blocks    ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░  0 of 2 000 (0 %)
                 ▒ under way   ░ to come
       Checks    no CSV checked yet   54 321 rows so far   now ledger 1-1000
                 per CSV name, header, rows, CRC-32; at the end directory, blocks

       Received  12.3 MB in 2 s, on average 4.9 MB/s
       4.0 kB/s    █ ██
                   █▄██
                   ████
                  ██████
                 ▄██████
                 ███████
              0 ────────────────────────────────────────────────
                0 s                                        12 s

        The file gets its name once every check has passed. Other tabs stay usable.

      ────────────────────────────────────────────────────────────────────────────────
       y copy  x cancel  : command  esc back  ? help
      "
    `);
  });

  it('The export wizard shows the progress of the export at 40x12', async () => {
    const { session } = await wizard(SMALL, 'progress');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       Exporting ledger, blocks 1 to 2000

       Blocks    0 of 2 000 (0 %), 12.3 MB
       Rate      average 4.9 MB/s
       Checks    no CSV checked yet 54 321
                 rows so far now ledger 1-1000

      ────────────────────────────────────────
       y copy  x cancel  : command  ? help
      "
    `);
  });

  it('The export wizard shows in the status line of another tab that an export runs', async () => {
    const { session } = await wizard(LARGE, 'progress');
    session.press('2');
    expect(renderFrame(session.state()).split('\n').at(-3)).toMatchInlineSnapshot(
      `"                                                                                       export ledger: 12.3 MB, 4.9 MB/s"`,
    );
  });
});
