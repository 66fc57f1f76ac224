import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../../support/frame.ts';
import { filters, inspector, LARGE, SMALL, table, USUAL } from '../../../support/scenes.ts';

describe('Table of a list', () => {
  it('The table of a list is drawn at 80x24', async () => {
    const { session } = await table(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Provisions ─ 50 rows loaded ─ live: current and pending ─ columns 1-7 of 10 ──
        PARTY         MARKET        STATUS    COMMITMENT, raw    FEE  VER    UPDATED >
      > 00000..e8480  00000..f4240  ACTIVE          1 000 000  0.1 %    1  1 min ago
        00000..e8481  00000..f4241  ACTIVE          1 000 001  0.1 %    1  1 min ago
        00000..e8482  00000..f4242  ACTIVE          1 000 002  0.1 %    1  1 min ago
        00000..e8483  00000..f4240  ACTIVE          1 000 003  0.1 %    1  1 min ago
        00000..e8484  00000..f4241  ACTIVE          1 000 004  0.1 %    1  1 min ago
        00000..e8485  00000..f4242  ACTIVE          1 000 005  0.1 %    1  1 min ago
        00000..e8486  00000..f4240  ACTIVE          1 000 006  0.1 %    1  1 min ago
        00000..e8480  00000..f4241  ACTIVE          1 000 007  0.1 %    1  1 min ago
        00000..e8481  00000..f4242  ACTIVE          1 000 008  0.1 %    1  1 min ago
        00000..e8482  00000..f4240  ACTIVE          1 000 009  0.1 %    1  1 min ago
        00000..e8483  00000..f4241  ACTIVE          1 000 010  0.1 %    1  1 min ago
        00000..e8484  00000..f4242  ACTIVE          1 000 011  0.1 %    1  1 min ago
        00000..e8485  00000..f4240  ACTIVE          1 000 012  0.1 %    1  1 min ago
        00000..e8486  00000..f4241  ACTIVE          1 000 013  0.1 %    1  1 min ago
        00000..e8480  00000..f4242  ACTIVE          1 000 014  0.1 %    1  1 min ago
        00000..e8481  00000..f4240  ACTIVE          1 000 015  0.1 %    1  1 min ago
        00000..e8482  00000..f4241  ACTIVE          1 000 016  0.1 %    1  1 min ago
        00000..e8483  00000..f4242  ACTIVE          1 000 017  0.1 %    1  1 min ago
      ────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter inspect  n next  g go to  f filter  / find  ? help
      "
    `);
  });

  it('The table of a list is drawn at 40x12', async () => {
    const { session } = await table(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Provisions ─ 50 rows loaded ──────────
        PARTY   MARKET   STATUS         raw  >
      > 000000  0000000  ACTIVE   1 000 000
        000000  0000000  ACTIVE   1 000 001
        000000  0000000  ACTIVE   1 000 002
        000000  0000000  ACTIVE   1 000 003
        000000  0000000  ACTIVE   1 000 004
        000000  0000000  ACTIVE   1 000 005
      ────────────────────────────────────────
       rows 1-50, more   n next  ? help
      "
    `);
  });

  it('The table of a list is drawn at 120x40', async () => {
    const { session } = await table(LARGE);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                            in sync  block 24031   20 req/s allowed
      ─ Provisions ─ 50 rows loaded, newest first ─ live: current and pending ────────────────────────────────────────────────
        PARTY         MARKET        STATUS    COMMITMENT, raw    FEE  VER    UPDATED  ID            REFERENCE        CREATED
      > 00000..e8480  00000..f4240  ACTIVE          1 000 000  0.1 %    1  1 min ago  00000..00000  reference-0   16 min ago
        00000..e8481  00000..f4241  ACTIVE          1 000 001  0.1 %    1  1 min ago  00000..00001  reference-1   16 min ago
        00000..e8482  00000..f4242  ACTIVE          1 000 002  0.1 %    1  1 min ago  00000..00002  reference-2   16 min ago
        00000..e8483  00000..f4240  ACTIVE          1 000 003  0.1 %    1  1 min ago  00000..00003  reference-3   16 min ago
        00000..e8484  00000..f4241  ACTIVE          1 000 004  0.1 %    1  1 min ago  00000..00004  reference-4   16 min ago
        00000..e8485  00000..f4242  ACTIVE          1 000 005  0.1 %    1  1 min ago  00000..00005  reference-5   16 min ago
        00000..e8486  00000..f4240  ACTIVE          1 000 006  0.1 %    1  1 min ago  00000..00006  reference-6   16 min ago
        00000..e8480  00000..f4241  ACTIVE          1 000 007  0.1 %    1  1 min ago  00000..00007  reference-7   16 min ago
        00000..e8481  00000..f4242  ACTIVE          1 000 008  0.1 %    1  1 min ago  00000..00008  reference-8   16 min ago
        00000..e8482  00000..f4240  ACTIVE          1 000 009  0.1 %    1  1 min ago  00000..00009  reference-9   16 min ago
        00000..e8483  00000..f4241  ACTIVE          1 000 010  0.1 %    1  1 min ago  00000..0000a  reference-10  16 min ago
        00000..e8484  00000..f4242  ACTIVE          1 000 011  0.1 %    1  1 min ago  00000..0000b  reference-11  16 min ago
        00000..e8485  00000..f4240  ACTIVE          1 000 012  0.1 %    1  1 min ago  00000..0000c  reference-12  16 min ago
        00000..e8486  00000..f4241  ACTIVE          1 000 013  0.1 %    1  1 min ago  00000..0000d  reference-13  16 min ago
        00000..e8480  00000..f4242  ACTIVE          1 000 014  0.1 %    1  1 min ago  00000..0000e  reference-14  16 min ago
        00000..e8481  00000..f4240  ACTIVE          1 000 015  0.1 %    1  1 min ago  00000..0000f  reference-15  16 min ago
        00000..e8482  00000..f4241  ACTIVE          1 000 016  0.1 %    1  1 min ago  00000..00010  reference-16  16 min ago
        00000..e8483  00000..f4242  ACTIVE          1 000 017  0.1 %    1  1 min ago  00000..00011  reference-17  16 min ago
        00000..e8484  00000..f4240  ACTIVE          1 000 018  0.1 %    1  1 min ago  00000..00012  reference-18  16 min ago
        00000..e8485  00000..f4241  ACTIVE          1 000 019  0.1 %    1  1 min ago  00000..00013  reference-19  16 min ago
        00000..e8486  00000..f4242  ACTIVE          1 000 020  0.1 %    1  1 min ago  00000..00014  reference-20  16 min ago
        00000..e8480  00000..f4240  ACTIVE          1 000 021  0.1 %    1  1 min ago  00000..00015  reference-21  16 min ago
        00000..e8481  00000..f4241  ACTIVE          1 000 022  0.1 %    1  1 min ago  00000..00016  reference-22  16 min ago
        00000..e8482  00000..f4242  ACTIVE          1 000 023  0.1 %    1  1 min ago  00000..00017  reference-23  16 min ago
        00000..e8483  00000..f4240  ACTIVE          1 000 024  0.1 %    1  1 min ago  00000..00018  reference-24  16 min ago
        00000..e8484  00000..f4241  ACTIVE          1 000 025  0.1 %    1  1 min ago  00000..00019  reference-25  16 min ago
        00000..e8485  00000..f4242  ACTIVE          1 000 026  0.1 %    1  1 min ago  00000..0001a  reference-26  16 min ago
        00000..e8486  00000..f4240  ACTIVE          1 000 027  0.1 %    1  1 min ago  00000..0001b  reference-27  16 min ago
        00000..e8480  00000..f4241  ACTIVE          1 000 028  0.1 %    1  1 min ago  00000..0001c  reference-28  16 min ago
        00000..e8481  00000..f4242  ACTIVE          1 000 029  0.1 %    1  1 min ago  00000..0001d  reference-29  16 min ago
        00000..e8482  00000..f4240  ACTIVE          1 000 030  0.1 %    1  1 min ago  00000..0001e  reference-30  16 min ago
        00000..e8483  00000..f4241  ACTIVE          1 000 031  0.1 %    1  1 min ago  00000..0001f  reference-31  16 min ago
        00000..e8484  00000..f4242  ACTIVE          1 000 032  0.1 %    1  1 min ago  00000..00020  reference-32  16 min ago
        00000..e8485  00000..f4240  ACTIVE          1 000 033  0.1 %    1  1 min ago  00000..00021  reference-33  16 min ago
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter inspect  n next  g go to  f filter  / find  S whole list  T statement  y copy  q quit  ? help
      "
    `);
  });
});

describe('Filter bar', () => {
  it('The filter bar is drawn at 80x24', async () => {
    const { session } = await filters(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Provisions ─ 50 rows loaded ─ live: current and pending ─ columns 1-7 of 10 ──
        market      any
      > party       00000000000000000000000000000000000000000000000000000000001e8480
        reference   any
        live        true
       provisions of this party; 1 of 7 known

        PARTY         MARKET        STATUS    COMMITMENT, raw    FEE  VER    UPDATED >
      > 00000..e8480  00000..f4240  ACTIVE          1 000 000  0.1 %    1  1 min ago <
        00000..e8481  00000..f4241  ACTIVE          1 000 001  0.1 %    1  1 min ago
        00000..e8482  00000..f4242  ACTIVE          1 000 002  0.1 %    1  1 min ago
        00000..e8483  00000..f4240  ACTIVE          1 000 003  0.1 %    1  1 min ago
        00000..e8484  00000..f4241  ACTIVE          1 000 004  0.1 %    1  1 min ago
        00000..e8485  00000..f4242  ACTIVE          1 000 005  0.1 %    1  1 min ago
        00000..e8486  00000..f4240  ACTIVE          1 000 006  0.1 %    1  1 min ago
        00000..e8480  00000..f4241  ACTIVE          1 000 007  0.1 %    1  1 min ago
        00000..e8481  00000..f4242  ACTIVE          1 000 008  0.1 %    1  1 min ago
        00000..e8482  00000..f4240  ACTIVE          1 000 009  0.1 %    1  1 min ago
        00000..e8483  00000..f4241  ACTIVE          1 000 010  0.1 %    1  1 min ago
        00000..e8484  00000..f4242  ACTIVE          1 000 011  0.1 %    1  1 min ago
      ────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter apply  tab next field  down values  esc back
      "
    `);
  });

  it('The filter bar is drawn at 40x12', async () => {
    const { session } = await filters(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Provisions ─ 50 rows loaded ──────────
        market      any
      > party       …0000000000000000001e8480
        reference   any
        live        true
       provisions of this party; 1 of 7 known

        PARTY   MARKET   STATUS         raw  >
      ────────────────────────────────────────
       rows 1-50, more   enter apply
      "
    `);
  });
});

describe('Inspector', () => {
  it('The inspector covers the table at 80x24', async () => {
    const { session } = await inspector(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Oracle specs ─ 4 rows ────────────────────────────────────────────────────────
        oracle spec  0b                                                          1/27
      >   prices.BTC, by calling latestAnswer() of a contract
          status               UNSPECIFIED, activated 1157 d 9 h ago (2023-11-14
                               22:13:20 UTC)
          contract             0x0c
          on                   Ethereum mainnet
          method               latestAnswer()
          fires                every 1 min until 2027-01-15 08:00:00 UTC, from
                               2023-11-14 22:13:20 UTC
          last due             was due 40 s ago (2027-01-15 07:59:20 UTC)
          next                 never: the next time would be after its end
                               (2027-01-15 08:00:00 UTC)
          must hold            prices.BTC OPERATOR_UNSPECIFIED 0
        ▾ What blockglass cannot check
            which markets use it: no market is loaded
            the last value: the node does not serve it, or not now
        ▾ Call
            signature            latestAnswer()
            selector             0x50d25bcd
      ────────────────────────────────────────────────────────────────────────────────
       1 of 4   enter value  R raw  / find  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The inspector covers the table at 40x12', async () => {
    const { session } = await inspector(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Oracle specs ─ 4 rows ────────────────
        oracle spec  0b                  1/53
      >   prices.BTC, by calling
          latestAnswer() of a contract
          status               UNSPECIFIED,
                               activated
                               1157 d 9 h ago
                               (2023-11-14
      ────────────────────────────────────────
       1 of 4   enter value  R raw  ? help
      "
    `);
  });

  it('The inspector is next to the table at 120x40', async () => {
    const { session } = await inspector(LARGE);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                            in sync  block 24031   20 req/s allowed
      ─ Oracle specs ─ 4 rows ─ columns 1-4 of 5 (right arrow: more) ─────────────────────────────────────────────────────────
        ID  STATUS       SOURCE        DELIVERS                  >│  oracle spec  0b
      > 0b  UNSPECIFIED  eth-oracle    call latestAnswer() on 0… <│>   prices.BTC, by calling latestAnswer() of a contract
        0b  UNSPECIFIED  oracle        prices.BTC OPERATOR_UNSP…  │    status               UNSPECIFIED, activated 1157 d 9 h
        0b  UNSPECIFIED  time          chain time > 2023-11-14 …  │                         ago (2023-11-14 22:13:20 UTC)
        0b  UNSPECIFIED  time-trigger  chain time, every 10 min…  │    contract             0x0c
                                                                  │    on                   Ethereum mainnet
                                                                  │    method               latestAnswer()
                                                                  │    fires                every 1 min until 2027-01-15
                                                                  │                         08:00:00 UTC, from 2023-11-14
                                                                  │                         22:13:20 UTC
                                                                  │    last due             was due 40 s ago (2027-01-15
                                                                  │                         07:59:20 UTC)
                                                                  │    next                 never: the next time would be
                                                                  │                         after its end (2027-01-15
                                                                  │                         08:00:00 UTC)
                                                                  │    must hold            prices.BTC OPERATOR_UNSPECIFIED 0
                                                                  │  ▾ What blockglass cannot check
                                                                  │      which markets use it: no market is loaded
                                                                  │      the last value: the node does not serve it, or not
                                                                  │      now
                                                                  │  ▾ Call
                                                                  │      signature            latestAnswer()
                                                                  │      selector             0x50d25bcd
                                                                  │      argument 0           text
                                                                  │      argument 1           9007199254740993
                                                                  │      argument 2           1.10
                                                                  │      argument 3           {"deep":[true,null]}
                                                                  │      arguments            4 are given, the method takes 0
                                                                  │      confirmations        3 blocks of that chain
                                                                  │  ▾ Values from the result
                                                                  │      price                $[0]
                                                                  │  ▸ Fields as sent (1)
                                                                  │
                                                                  │
                                                                  │
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1-4 of 4   enter value  R raw  / find  y copy  : command  esc back  ? help
      "
    `);
  });
});
