import { describe, expect, it } from 'vitest';
import { HISTORY_KEY, TABS } from '../../../../src/explorer/tabs.ts';
import { press, told } from '../../support/fake-world.ts';
import { paintedLines, plain, renderFrame } from '../../support/frame.ts';
import {
  copyMenu,
  demanding,
  failed,
  help,
  inspector,
  limited,
  result,
  SAVED,
  type Size,
  table,
  wizard,
} from '../../support/scenes.ts';

const LOW: Size = { columns: 60, rows: 16 };

describe('Screen of 60 columns and 16 rows', () => {
  it('A list on a small screen has its answers, and shows which filters narrow it', async () => {
    const { session } = await table(LOW);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA  fake-chain-1               in sync  block 24031
      ─ Provisions ─ 50 rows loaded ─ live: current and pending ──
        PARTY       MARKET      STATUS  COMMITMENT, raw    FEE   >
      > 0000..8480  0000..4240  ACTIVE        1 000 000  0.1 %
        0000..8481  0000..4241  ACTIVE        1 000 001  0.1 %
        0000..8482  0000..4242  ACTIVE        1 000 002  0.1 %
        0000..8483  0000..4240  ACTIVE        1 000 003  0.1 %
        0000..8484  0000..4241  ACTIVE        1 000 004  0.1 %
        0000..8485  0000..4242  ACTIVE        1 000 005  0.1 %
        0000..8486  0000..4240  ACTIVE        1 000 006  0.1 %
        0000..8480  0000..4241  ACTIVE        1 000 007  0.1 %
        0000..8481  0000..4242  ACTIVE        1 000 008  0.1 %
        0000..8482  0000..4240  ACTIVE        1 000 009  0.1 %
      ────────────────────────────────────────────────────────────
       rows 1-50, more   enter inspect  n next  g go to  ? help
      "
    `);
  });

  it('A record on a small screen has its meaning first', async () => {
    const { session } = await inspector(LOW);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA  fake-chain-1               in sync  block 24031
      ─ Oracle specs ─ 4 rows ────────────────────────────────────
        oracle spec  0b                                      1/31
      >   prices.BTC, by calling latestAnswer() of a contract
          status               UNSPECIFIED, activated 1157 d 9 h
                               ago (2023-11-14 22:13:20 UTC)
          contract             0x0c
          on                   Ethereum mainnet
          method               latestAnswer()
          fires                every 1 min until 2027-01-15
                               08:00:00 UTC, from 2023-11-14
                               22:13:20 UTC
          last due             was due 40 s ago (2027-01-15
      ────────────────────────────────────────────────────────────
       1 of 4   enter value  R raw  / find  y copy  ? help
      "
    `);
  });

  it('The filter bar on a small screen has all of its text', async () => {
    const { session } = await demanding(LOW);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Provisions ─ newest first ─ live: current and pending ────
        market      any
        party       any
        reference   any
        live        true
       provisions on this market
       This node lists provisions only by market or party. Choose
       one.




      ────────────────────────────────────────────────────────────
       f type  : command  q quit  ? help
      "
    `);
  });

  it('A menu on a small screen has the whole selected item', async () => {
    const { session } = await copyMenu(LOW);
    press(session, '/');
    session.paste('curl');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA  fake-chain-1               in sync  block 24031
      ────────────────────────────────────────────────────────────
       Copy

      > curl for this page curl -sS 'http://127.0.0.1:3008/api/v2…






       curl for this page: curl -sS
       'http://127.0.0.1:3008/api/v2/oracle/specs?pagination.firs…
       filter: curl
       enter choose  esc back
      "
    `);
  });

  it('The column menu on a small screen shows the keys that choose first', async () => {
    const { session } = await table(LOW);
    press(session, 'c');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA  fake-chain-1               in sync  block 24031
      ────────────────────────────────────────────────────────────
       Columns  1 of 17

      > [x] PARTY                  always shown
        [x] MARKET
        [x] STATUS
        [x] COMMITMENT
        [ ] COMMIT %
        [x] FEE
        [x] VER


      ────────────────────────────────────────────────────────────
       / filter  esc back
      "
    `);
  });

  it('The help on a small screen has its keys by their full names', async () => {
    const { session } = await help(LOW);
    press(session, '/');
    session.paste('statement');
    const lines = paintedLines(session.state()).map(plain);
    expect(lines.join('\n')).toContain(' statement of fees by epoch');
  });

  it('The review of an export on a small screen has what its keys change', async () => {
    const { session } = await wizard(LOW, 'review');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1               answered
      ────────────────────────────────────────────────────────────
       Ready to export   step 4 of 4

        table         ledger
        blocks        1 to 2000, 2 000 blocks in 2 segments, 2
                      CSVs (schema change)
        requests      one (s: in slices, which survive a lost
                      connection)
        if cut short  the file keeps the name .part (i:
                      .incomplete.zip)
        file          /home/me/fake-chain-1-ledger-000001-002000.z
                      ip
      ────────────────────────────────────────────────────────────
       enter start  s slices  p presets  : command  ? help
      "
    `);
    press(session, 's', 'i');
    const lines = paintedLines(session.state()).map(plain).join('\n');
    expect(lines).toMatch(/slices +\d+ of/);
    expect(lines).toMatch(/called \.incomplete\.zip \(i:\s+\.part\)/);
  });

  it('A failure on a small screen has all of its sentences', async () => {
    const { session } = await failed(LOW);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA  fake-chain-1               in sync  block 24031
      ─ Provisions ─ newest first ─ live: current and pending ────
        The node answered HTTP 400
        failed to get liquidity provision: partyID: zz:
        decoding: not a valid hex id (or well known exception)
        (code 280001)
        InvalidArgument error (code 3)
        What to try: check the filters
        r tries again   Esc shows the rows again

        http://127.0.0.1:3008/api/v2/liquidity/provisions?partyI
        d=zz

      ────────────────────────────────────────────────────────────
       rows 1-50, more   r try again  n next  f filter  ? help
      "
    `);
  });

  it.each([
    ['a failure', failed],
    ['a limit', limited],
    ['a demand', demanding],
    ['the tables of the wizard', (size: Size) => wizard(size, 'table')],
    ['the range', (size: Size) => wizard(size, 'range')],
    ['the destination', (size: Size) => wizard(size, 'destination')],
    ['the review', (size: Size) => wizard(size, 'review')],
    ['the progress', (size: Size) => wizard(size, 'progress')],
    ['a result', (size: Size) => result(size, SAVED)],
  ] as const)('A small screen cuts no sentence short: %s', async (_, scene) => {
    const { session } = await scene(LOW);
    await told();
    const cut = paintedLines(session.state())
      .map(plain)
      .filter(line => /\u2026/.test(line));
    expect(cut).toEqual([]);
  });

  it('The tab bar on a small screen has the digit of each other tab, and one line', async () => {
    for (const open of ['1', '5', HISTORY_KEY]) {
      const { session } = await table(LOW);
      press(session, open);
      const bar = plain(paintedLines(session.state())[1] ?? '');
      expect(bar.length).toBeLessThanOrEqual(60);
      expect(bar.replaceAll(/\D/g, '')).toBe(TABS.map(({ key }) => (key === open ? '' : key)).join(''));
    }
  });
});
