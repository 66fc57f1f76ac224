import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../support/frame.ts';
import {
  commandLine,
  copyMenu,
  demanding,
  empty,
  failed,
  help,
  limited,
  SMALL,
  table,
  USUAL,
} from '../../support/scenes.ts';

describe('Overlays', () => {
  it('The help lists the keys of the mode at 80x24', async () => {
    const { session } = await help(USUAL);
    // How many keys there are is told by their own page.
    const frame = renderFrame(session.state()).replace(/1 of \d+/, '1 of all');
    expect(frame).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ────────────────────────────────────────────────────────────────────────────────
       Provisions: liquidity commitments by market
       Keys: type / to filter, Enter runs  1 of all
      > enter     inspect the record
        n ]       next page
        g         open what its ids refer to
        f         filter at the node
        /         find in the loaded rows
        p [       previous page                      this is the first page
        <         first page
        >         last page
        r         reload
        o         newest or oldest first
        w         watch: reload every 10 s, mark what changed
        v         show the old values of the marked cells  w marks what changed
        z         change the number of rows a page
        backspace back to where g was pressed        g was not pressed yet
        =         filter by the ids of this row


      ────────────────────────────────────────────────────────────────────────────────
       enter choose  / filter  esc back
      "
    `);
  });

  it('The help fits into 40x12', async () => {
    const { session } = await help(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ────────────────────────────────────────
       Provisions: liquidity commitments by m…
       Keys: type / to filter, Enter runs  1 …
      > enter     inspect the record
        n ]       next page
        g         open what its ids refer to


      ────────────────────────────────────────
       enter choose  / filter  esc back
      "
    `);
  });

  it('The copy menu shows what is copied', async () => {
    const { session } = await copyMenu(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ────────────────────────────────────────────────────────────────────────────────
       Copy  1 of 17

      > status                             UNSPECIFIED, activated 1157 d 9 h ago (202…
        contract address                   0x0c
        method signature                   latestAnswer()
        selector                           0x50d25bcd
        id                                 0b
        record as JSON                     oracle spec 0b
        table as CSV                       4 rows, the whole list
        table as TSV                       4 rows, the whole list
        table as Markdown                  4 rows, the whole list
        command for this record            blockglass show oracles 0b --demo
        command for this page              blockglass list oracles --demo --page-size…
        curl for this page                 curl -sS 'http://127.0.0.1:3008/api/v2/ora…
        status                             STATUS_UNSPECIFIED
        source                             eth-oracle
        created                            1700000000123456000
       status: UNSPECIFIED, activated 1157 d 9 h ago (2023-11-14 22:13:20 UTC)

      ────────────────────────────────────────────────────────────────────────────────
       enter choose  / filter  esc back
      "
    `);
  });

  it('The command line shows the error next to what was typed', async () => {
    const { session } = await commandLine(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ────────────────────────────────────────────────────────────────────────────────
       Commands

        size N                    rows a page, 1-5000
















       : size 9999   a page has 1 to 5000 rows, not "9999"
       enter done  esc back
      "
    `);
  });
});

describe('Screen states', () => {
  it('An error has its code, message, every detail and what to try', async () => {
    const { session } = await failed(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Provisions ─ newest first ─ live: current and pending ────────────────────────
        The node answered HTTP 400
        failed to get liquidity provision: partyID: zz: decoding: not a valid hex id
        (or well known exception) (code 280001)
        InvalidArgument error (code 3)
        What to try: check the filters
        r tries again   Esc shows the rows again

        http://127.0.0.1:3008/api/v2/liquidity/provisions?partyId=zz











      ────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   r try again  n next  f filter  y copy  a versions  ? help
      "
    `);
  });

  it('An error fits into 40x12', async () => {
    const { session } = await failed(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Provisions ─ newest first ────────────
        The node answered HTTP 400
        failed to get liquidity provision:
        partyID: zz: decoding: not a valid
        hex id (or well known exception)
        (code 280001)
        InvalidArgument error (code 3)
        What to try: check the filters
      ────────────────────────────────────────
       rows 1-50, more   r try again  ? help
      "
    `);
  });

  it('A rate limit has a countdown', async () => {
    const { session } = await limited(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Provisions ─ newest first ─ live: current and pending ────────────────────────
        Too many requests
        HTTP 429: api request rate limit exceeded
        What to try: wait; the node counts all its users together and bans those who
        continue
        3 s to wait

        N other nodes

        http://127.0.0.1:3008/api/v2/x










      ────────────────────────────────────────────────────────────────────────────────
       f filter  y copy  a versions  : command  q quit  ? help
      "
    `);
  });

  it('An empty list says so', async () => {
    const { session } = await empty(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Provisions ─ 0 rows ─ cols 1-4/10 ────
        PARTY  MARKET  STATUS  COMMITMENT    >

        no liquidity provision matches the fi…
        f changes them



      ────────────────────────────────────────
       no rows   f filter  / find  ? help
      "
    `);
  });

  it('A filter demand of the node is shown in the filter bar', async () => {
    const { session } = await demanding(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Provisions ─ newest first ─ live: current and pending ────────────────────────
        market      any
        party       any
        reference   any
        live        true
       provisions on this market
       This node lists provisions only by market or party. Choose one.













      ────────────────────────────────────────────────────────────────────────────────
       f type  : command  q quit  ? help
      "
    `);
  });

  it('A filter demand of the node fits into 40x12', async () => {
    const { session } = await demanding(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Provisions ─ newest first ────────────
        market      any
        party       any
        reference   any
        live        true
       provisions on this market
       This node lists provisions only by
       market or party. Choose one.
      ────────────────────────────────────────
       f type  : command  q quit  ? help
      "
    `);
  });

  it('A screen that is too small says how large it must be', async () => {
    const { session } = await table({ columns: 39, rows: 11 });
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
      blockglass
      too small: 39x11
      needs 40x12
      q quits







      "
    `);
  });
});
