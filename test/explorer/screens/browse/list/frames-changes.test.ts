import { describe, expect, it } from 'vitest';
import { answerPage, press, startSession } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { hexId, pageOf, provision } from '../../../support/provision-pages.ts';

async function changed(columns: number) {
  const { session, world } = await startSession({ columns, rows: 12 });
  await answerPage(world, pageOf([1, 2, 3, 4].map(number => provision(number))));
  press(session, 'w', 'r');
  const amended = provision(2, { commitmentAmount: '2500000', status: 'STATUS_PENDING' });
  await answerPage(world, pageOf([provision(8), provision(1), amended, provision(3, { partyId: hexId(7) })]));
  press(session, 'j', 'j');
  return session;
}

describe('Watched list on the screen', () => {
  it('A watched list marks what a reload has changed, and counts it', async () => {
    expect(renderFrame((await changed(80)).state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ─ Provisions ─ 4 rows ─ watching, every 10 s ─ live: current and pending ───────
        PARTY          MARKET         STATUS            COMMITMENT, raw    FEE  VER  >
       +000000..e8481  000000..f4242  ACTIVE                  1 000 008  0.1 %    1
        000000..e8481  000000..f4241  ACTIVE                  1 000 001  0.1 %    1
        000000..e8482  000000..f4242 *PENDING (new)          *2 500 000  0.1 %    1
      >*000000..00007  000000..f4240  ACTIVE                  1 000 003  0.1 %    1


       2 changed, 1 new, 1 gone since 08:00:00 UTC
       1-4 of 4   enter inspect  v was  g go to  f filter  / find  y copy  ? help
      "
    `);
    expect(renderFrame((await changed(120)).state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                           answered
      ─ Provisions ─ 4 rows, newest first ─ watching, every 10 s ─ live: current and pending ─────────────────────────────────
        PARTY       MARKET      STATUS         COMMITMENT, raw    FEE  VER    UPDATED  ID          REFERENCE       CREATED
       +0000..8481  0000..4242  ACTIVE               1 000 008  0.1 %    1  1 min ago  0000..0008  reference-8  16 min ago
        0000..8481  0000..4241  ACTIVE               1 000 001  0.1 %    1  1 min ago  0000..0001  reference-1  16 min ago
        0000..8482  0000..4242 *PENDING (new)       *2 500 000  0.1 %    1  1 min ago  0000..0002  reference-2  16 min ago
      >*0000..0007  0000..4240  ACTIVE               1 000 003  0.1 %    1  1 min ago  0000..0003  reference-3  16 min ago


       2 changed, 1 new, 1 gone since 08:00:00 UTC
       1-4 of 4   enter inspect  v was  g go to  f filter  / find  T statement  y copy  a versions  : command  ? help
      "
    `);
  });

  it('A watched list shows the previous values', async () => {
    const session = await changed(80);
    press(session, 'v');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       changed since 08:00:00 UTC
        PARTY
          before  00000000000000000000000000000000000000000000000000000000001e8483
          now     0000000000000000000000000000000000000000000000000000000000000007



       2 changed, 1 new, 1 gone since 08:00:00 UTC
       y copy  esc back  ? help
      "
    `);
  });
});

describe('UTC times in a list', () => {
  it('The heading of a column with UTC times shows their time zone', async () => {
    const session = await changed(120);
    press(session, 'w', 't', 'j');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                           answered
      ─ Provisions ─ 4 rows, newest first ─ live: current and pending ─ columns 1-9 of 10 (right arrow: more) ────────────────
        PARTY       MARKET      STATUS         COMMITMENT, raw    FEE  VER           UPDATED UTC  ID          REFERENCE      >
        0000..8481  0000..4242  ACTIVE               1 000 008  0.1 %    1  2027-01-15 07:58:20Z  0000..0008  reference-8
        0000..8481  0000..4241  ACTIVE               1 000 001  0.1 %    1  2027-01-15 07:58:20Z  0000..0001  reference-1
        0000..8482  0000..4242  PENDING (new)        2 500 000  0.1 %    1  2027-01-15 07:58:20Z  0000..0002  reference-2
      > 0000..0007  0000..4240  ACTIVE               1 000 003  0.1 %    1  2027-01-15 07:58:20Z  0000..0003  reference-3


      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1-4 of 4   enter inspect  g go to  f filter  / find  T statement  y copy  a versions  : command  q quit  ? help
      "
    `);
  });
});
