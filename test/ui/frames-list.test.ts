import { describe, expect, it } from 'vitest';
import { renderFrame } from './frame.ts';
import { filters, inspector, LARGE, SMALL, table, USUAL } from './scenes.ts';

describe('the table', () => {
  it('is drawn at 80x24', async () => {
    const { session } = await table(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  demo  fake-chain-1            block 24031  6 s old at 08:00:00 UTC
       market any  party any  reference any  live any
        ID          MARKET      PARTY       COMMITMENT    FEE  STATUS    UPDATED  +3 >
      > 0000..0000  0000..4240  0000..8480   1 000 000  0.1 %  ACTIVE  1 min ago
        0000..0001  0000..4241  0000..8481   1 000 001  0.1 %  ACTIVE  1 min ago
        0000..0002  0000..4242  0000..8482   1 000 002  0.1 %  ACTIVE  1 min ago
        0000..0003  0000..4240  0000..8483   1 000 003  0.1 %  ACTIVE  1 min ago
        0000..0004  0000..4241  0000..8484   1 000 004  0.1 %  ACTIVE  1 min ago
        0000..0005  0000..4242  0000..8485   1 000 005  0.1 %  ACTIVE  1 min ago
        0000..0006  0000..4240  0000..8486   1 000 006  0.1 %  ACTIVE  1 min ago
        0000..0007  0000..4241  0000..8480   1 000 007  0.1 %  ACTIVE  1 min ago
        0000..0008  0000..4242  0000..8481   1 000 008  0.1 %  ACTIVE  1 min ago
        0000..0009  0000..4240  0000..8482   1 000 009  0.1 %  ACTIVE  1 min ago
        0000..000a  0000..4241  0000..8483   1 000 010  0.1 %  ACTIVE  1 min ago
        0000..000b  0000..4242  0000..8484   1 000 011  0.1 %  ACTIVE  1 min ago
        0000..000c  0000..4240  0000..8485   1 000 012  0.1 %  ACTIVE  1 min ago
        0000..000d  0000..4241  0000..8486   1 000 013  0.1 %  ACTIVE  1 min ago
        0000..000e  0000..4242  0000..8480   1 000 014  0.1 %  ACTIVE  1 min ago
        0000..000f  0000..4240  0000..8481   1 000 015  0.1 %  ACTIVE  1 min ago
        0000..0010  0000..4241  0000..8482   1 000 016  0.1 %  ACTIVE  1 min ago
        0000..0011  0000..4242  0000..8483   1 000 017  0.1 %  ACTIVE  1 min ago
      ────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter inspect  n next  g go to  f filter  / find  ? help
      "
    `);
  });

  it('is drawn at 40x12', async () => {
    const { session } = await table(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       demo  block 24031  6 s old at 08:00:00
       market any  party any  reference any  …
        ID               MARKET           +8 >
      > 0000000..000000  0000000..0f4240
        0000000..000001  0000000..0f4241
        0000000..000002  0000000..0f4242
        0000000..000003  0000000..0f4240
        0000000..000004  0000000..0f4241
        0000000..000005  0000000..0f4242
      ────────────────────────────────────────
       rows 1-50, more   n next  ? help
      "
    `);
  });

  it('is drawn at 120x40', async () => {
    const { session } = await table(LARGE);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  demo  fake-chain-1                                 block 24031  6 s old at 08:00:00 UTC   20 req/s allowed
       market any  party any  reference any  live any
        ID             MARKET         PARTY          COMMITMENT    FEE  STATUS    UPDATED  VERSION  REFERENCE        CREATED
      > 000000..00000  000000..f4240  000000..e8480   1 000 000  0.1 %  ACTIVE  1 min ago        1  reference-0   16 min ago
        000000..00001  000000..f4241  000000..e8481   1 000 001  0.1 %  ACTIVE  1 min ago        1  reference-1   16 min ago
        000000..00002  000000..f4242  000000..e8482   1 000 002  0.1 %  ACTIVE  1 min ago        1  reference-2   16 min ago
        000000..00003  000000..f4240  000000..e8483   1 000 003  0.1 %  ACTIVE  1 min ago        1  reference-3   16 min ago
        000000..00004  000000..f4241  000000..e8484   1 000 004  0.1 %  ACTIVE  1 min ago        1  reference-4   16 min ago
        000000..00005  000000..f4242  000000..e8485   1 000 005  0.1 %  ACTIVE  1 min ago        1  reference-5   16 min ago
        000000..00006  000000..f4240  000000..e8486   1 000 006  0.1 %  ACTIVE  1 min ago        1  reference-6   16 min ago
        000000..00007  000000..f4241  000000..e8480   1 000 007  0.1 %  ACTIVE  1 min ago        1  reference-7   16 min ago
        000000..00008  000000..f4242  000000..e8481   1 000 008  0.1 %  ACTIVE  1 min ago        1  reference-8   16 min ago
        000000..00009  000000..f4240  000000..e8482   1 000 009  0.1 %  ACTIVE  1 min ago        1  reference-9   16 min ago
        000000..0000a  000000..f4241  000000..e8483   1 000 010  0.1 %  ACTIVE  1 min ago        1  reference-10  16 min ago
        000000..0000b  000000..f4242  000000..e8484   1 000 011  0.1 %  ACTIVE  1 min ago        1  reference-11  16 min ago
        000000..0000c  000000..f4240  000000..e8485   1 000 012  0.1 %  ACTIVE  1 min ago        1  reference-12  16 min ago
        000000..0000d  000000..f4241  000000..e8486   1 000 013  0.1 %  ACTIVE  1 min ago        1  reference-13  16 min ago
        000000..0000e  000000..f4242  000000..e8480   1 000 014  0.1 %  ACTIVE  1 min ago        1  reference-14  16 min ago
        000000..0000f  000000..f4240  000000..e8481   1 000 015  0.1 %  ACTIVE  1 min ago        1  reference-15  16 min ago
        000000..00010  000000..f4241  000000..e8482   1 000 016  0.1 %  ACTIVE  1 min ago        1  reference-16  16 min ago
        000000..00011  000000..f4242  000000..e8483   1 000 017  0.1 %  ACTIVE  1 min ago        1  reference-17  16 min ago
        000000..00012  000000..f4240  000000..e8484   1 000 018  0.1 %  ACTIVE  1 min ago        1  reference-18  16 min ago
        000000..00013  000000..f4241  000000..e8485   1 000 019  0.1 %  ACTIVE  1 min ago        1  reference-19  16 min ago
        000000..00014  000000..f4242  000000..e8486   1 000 020  0.1 %  ACTIVE  1 min ago        1  reference-20  16 min ago
        000000..00015  000000..f4240  000000..e8480   1 000 021  0.1 %  ACTIVE  1 min ago        1  reference-21  16 min ago
        000000..00016  000000..f4241  000000..e8481   1 000 022  0.1 %  ACTIVE  1 min ago        1  reference-22  16 min ago
        000000..00017  000000..f4242  000000..e8482   1 000 023  0.1 %  ACTIVE  1 min ago        1  reference-23  16 min ago
        000000..00018  000000..f4240  000000..e8483   1 000 024  0.1 %  ACTIVE  1 min ago        1  reference-24  16 min ago
        000000..00019  000000..f4241  000000..e8484   1 000 025  0.1 %  ACTIVE  1 min ago        1  reference-25  16 min ago
        000000..0001a  000000..f4242  000000..e8485   1 000 026  0.1 %  ACTIVE  1 min ago        1  reference-26  16 min ago
        000000..0001b  000000..f4240  000000..e8486   1 000 027  0.1 %  ACTIVE  1 min ago        1  reference-27  16 min ago
        000000..0001c  000000..f4241  000000..e8480   1 000 028  0.1 %  ACTIVE  1 min ago        1  reference-28  16 min ago
        000000..0001d  000000..f4242  000000..e8481   1 000 029  0.1 %  ACTIVE  1 min ago        1  reference-29  16 min ago
        000000..0001e  000000..f4240  000000..e8482   1 000 030  0.1 %  ACTIVE  1 min ago        1  reference-30  16 min ago
        000000..0001f  000000..f4241  000000..e8483   1 000 031  0.1 %  ACTIVE  1 min ago        1  reference-31  16 min ago
        000000..00020  000000..f4242  000000..e8484   1 000 032  0.1 %  ACTIVE  1 min ago        1  reference-32  16 min ago
        000000..00021  000000..f4240  000000..e8485   1 000 033  0.1 %  ACTIVE  1 min ago        1  reference-33  16 min ago
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter inspect  n next  g go to  f filter  / find  y copy  : command  q quit  ? help
      "
    `);
  });
});

describe('the filter bar', () => {
  it('is drawn at 80x24', async () => {
    const { session } = await filters(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  demo  fake-chain-1            block 24031  6 s old at 08:00:00 UTC
       market any  party any  reference any  live any
        market      any
      > party       00000000000000000000000000000000000000000000000000000000001e8480
        reference   any
        live        any
       provisions of this party; 1 of 7 seen

        ID          MARKET      PARTY       COMMITMENT    FEE  STATUS    UPDATED  +3 >
      > 0000..0000  0000..4240  0000..8480   1 000 000  0.1 %  ACTIVE  1 min ago
        0000..0001  0000..4241  0000..8481   1 000 001  0.1 %  ACTIVE  1 min ago
        0000..0002  0000..4242  0000..8482   1 000 002  0.1 %  ACTIVE  1 min ago
        0000..0003  0000..4240  0000..8483   1 000 003  0.1 %  ACTIVE  1 min ago
        0000..0004  0000..4241  0000..8484   1 000 004  0.1 %  ACTIVE  1 min ago
        0000..0005  0000..4242  0000..8485   1 000 005  0.1 %  ACTIVE  1 min ago
        0000..0006  0000..4240  0000..8486   1 000 006  0.1 %  ACTIVE  1 min ago
        0000..0007  0000..4241  0000..8480   1 000 007  0.1 %  ACTIVE  1 min ago
        0000..0008  0000..4242  0000..8481   1 000 008  0.1 %  ACTIVE  1 min ago
        0000..0009  0000..4240  0000..8482   1 000 009  0.1 %  ACTIVE  1 min ago
        0000..000a  0000..4241  0000..8483   1 000 010  0.1 %  ACTIVE  1 min ago
        0000..000b  0000..4242  0000..8484   1 000 011  0.1 %  ACTIVE  1 min ago
      ────────────────────────────────────────────────────────────────────────────────
       rows 1-50, more   enter apply  tab next field  down values seen  esc back
      "
    `);
  });

  it('is drawn at 40x12', async () => {
    const { session } = await filters(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       demo  block 24031  6 s old at 08:00:00
       market any  party any  reference any  …
        market      any
      > party       0000000000000000000000000…
        reference   any
        live        any
       provisions of this party; 1 of 7 seen

        ID               MARKET           +8 >
      ────────────────────────────────────────
       rows 1-50, more   enter apply
      "
    `);
  });
});

describe('the inspector', () => {
  it('lies over the table at 80x24', async () => {
    const { session } = await inspector(USUAL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  demo  fake-chain-1            block 24031  6 s old at 08:00:00 UTC
       no filters at the node
        oracle spec  0b                                                          1/39
      > ▾ Spec
            call latestAnswer() on 0x0c, every 1 min: prices.BTC OPERATOR_UNSPECIFIED…
            id                   0b
            status               STATUS_UNSPECIFIED
            createdAt            2023-11-14 22:13:20.123456 UTC  (1157 d ago)
            updatedAt            0
        ▾ Contract call
            address              0x0c
            method               latestAnswer
          ▾ args 4 elements
              0                    text
              1                    9007199254740993
              2                    1.10
            ▾ 3
              ▾ deep 2 elements
                  0                    true
                  1                    null
            sourceChainId        1
      ────────────────────────────────────────────────────────────────────────────────
       1 of 4   enter value  space fold  R raw  / find  y copy  : command  ? help
      "
    `);
  });

  it('lies over the table at 40x12', async () => {
    const { session } = await inspector(SMALL);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       demo  block 24031  6 s old at 08:00:00
       no filters at the node
        oracle spec  0b                  1/39
      > ▾ Spec
            call latestAnswer() on 0x0c, ever…
            id                   0b
            status               STATUS_UNSPE…
            createdAt            2023-11-14 2…
            updatedAt            0
      ────────────────────────────────────────
       1 of 4   enter value  R raw  ? help
      "
    `);
  });

  it('stands beside the table at 120x40', async () => {
    const { session } = await inspector(LARGE);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  demo  fake-chain-1                                 block 24031  6 s old at 08:00:00 UTC   20 req/s allowed
       no filters at the node
        ID  STATUS       SOURCE           CREATED  +1 >    │  oracle spec  0b                                            1/39
      > 0b  UNSPECIFIED  eth-oracle    1157 d ago          │> ▾ Spec
        0b  UNSPECIFIED  oracle        1157 d ago          │      call latestAnswer() on 0x0c, every 1 min: prices.BTC OPERAT…
        0b  UNSPECIFIED  time          1157 d ago          │      id                   0b
        0b  UNSPECIFIED  time-trigger  1157 d ago          │      status               STATUS_UNSPECIFIED
                                                           │      createdAt            2023-11-14 22:13:20.123456 UTC  (1157 …
                                                           │      updatedAt            0
                                                           │  ▾ Contract call
                                                           │      address              0x0c
                                                           │      method               latestAnswer
                                                           │    ▾ args 4 elements
                                                           │        0                    text
                                                           │        1                    9007199254740993
                                                           │        2                    1.10
                                                           │      ▾ 3
                                                           │        ▾ deep 2 elements
                                                           │            0                    true
                                                           │            1                    null
                                                           │      sourceChainId        1
                                                           │      requiredConfirmations 3
                                                           │    ▸ abi [{"type":"function","inputs":[]}]
                                                           │  ▾ Trigger
                                                           │    ▾ timeTrigger
                                                           │        every                60 s  (1 min)
                                                           │        initial              1700000000  (2023-11-14 22:13:20 UTC)
                                                           │        until                1800000000  (2027-01-15 08:00:00 UTC)
                                                           │  ▾ Normalisers 1 element
                                                           │    ▾ 0
                                                           │        expression           $[0]
                                                           │        name                 price
                                                           │  ▾ Filters 1 element
                                                           │    ▾ 0
                                                           │      ▾ key
                                                           │          name                 prices.BTC
                                                           │          numberDecimalPlaces  18
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1-4 of 4   enter value  space fold  R raw  / find  y copy  : command  esc back  q quit  ? help
      "
    `);
  });
});
