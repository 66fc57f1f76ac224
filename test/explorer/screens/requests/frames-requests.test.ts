import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../../src/chain/api/sent-request.ts';
import { last, press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { requestsTold } from '../../support/requests-told.ts';
import { LARGE, type Size, SMALL, table, USUAL } from '../../support/scenes.ts';

const [REQUEST] = requestsTold(1);
if (REQUEST === undefined) throw new Error('no request');

const OTHERS: readonly SentRequest[] = [
  {
    ...REQUEST,
    url: 'http://127.0.0.1:3008/api/v2/networkhistory/export?table=Ledger',
    outcome: { kind: 'streaming' },
  },
  { ...REQUEST, outcome: { kind: 'cancelled' }, status: null, wireBytes: null, bodyBytes: null, budgetLeft: null },
  {
    ...REQUEST,
    url: 'http://other.example/api/v2/x?text=%1b%5B2J%E2%80%AEabc',
    outcome: { kind: 'failed', error: 'network', message: 'cannot reach the node: \u001b[2Jwords' },
    ...{ status: null, wireBytes: null, bodyBytes: null, budgetLeft: null, elapsedMs: 30_012 },
  },
];

async function logged(size: Size, ...keys: readonly string[]): Promise<string> {
  const { session, world } = await table(size);
  press(session, 'L');
  last(world.tells).answer({ version: 1, requests: [...OTHERS, ...requestsTold(40)] });
  await told();
  press(session, ...keys);
  return renderFrame(session.state());
}

describe('Request log on the screen', () => {
  it('The request log is drawn at 80x24', async () => {
    expect(await logged(USUAL, 'j', 'j')).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ─ Requests ─ newest first, the last 500 of this run ────────────────────────────
        UTC      STATUS        TOOK RECEIVED LEFT GET
        08:00:01 200 ...      12 ms   1.4 kB   99 networkhistory/export?table=Ledger
        08:00:01 cancelled    12 ms        -    - liquidity/provisions?pagination.fir…
      > 08:00:01 network   30012 ms        -    - http://other.example/api/v2/x?text=…
        08:00:40 200         480 ms  40.4 kB   60 retry 1 liquidity/provisions?pagina…
        08:00:39 503         468 ms  39.4 kB    - liquidity/provisions?pagination.fir…
        08:00:38 200         456 ms  38.4 kB   62 liquidity/provisions?pagination.fir…
        08:00:37 200         444 ms  37.4 kB   63 liquidity/provisions?pagination.fir…
        08:00:36 503         432 ms  36.4 kB    - retry 1 liquidity/provisions?pagina…
        08:00:35 200         420 ms  35.4 kB   65 liquidity/provisions?pagination.fir…
        08:00:34 200         408 ms  34.4 kB   66 liquidity/provisions?pagination.fir…
        08:00:33 503         396 ms  33.4 kB    - liquidity/provisions?pagination.fir…
        08:00:32 200         384 ms  32.4 kB   68 retry 1 liquidity/provisions?pagina…
        08:00:31 200         372 ms  31.4 kB   69 liquidity/provisions?pagination.fir…
        08:00:30 503         360 ms  30.4 kB    - liquidity/provisions?pagination.fir…
        08:00:29 200         348 ms  29.4 kB   71 liquidity/provisions?pagination.fir…
        08:00:28 200         336 ms  28.4 kB   72 retry 1 liquidity/provisions?pagina…
        08:00:27 503         324 ms  27.4 kB    - liquidity/provisions?pagination.fir…
        08:00:26 200         312 ms  26.4 kB   74 liquidity/provisions?pagination.fir…
      ────────────────────────────────────────────────────────────────────────────────
       1-18 of 43   enter details  y curl  : command  esc back  ? help
      "
    `);
  });

  it('The request log is drawn at 120x40, in its middle', async () => {
    expect(await logged(LARGE, 'ctrl-f')).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                            in sync  block 24031   20 req/s allowed
      ─ Requests ─ newest first, the last 500 of this run ────────────────────────────────────────────────────────────────────
        UTC      STATUS        TOOK RECEIVED LEFT GET
        08:00:34 200         408 ms  34.4 kB   66 liquidity/provisions?pagination.first=50&reference=a 34
        08:00:33 503         396 ms  33.4 kB    - liquidity/provisions?pagination.first=50&reference=a 33
        08:00:32 200         384 ms  32.4 kB   68 retry 1 liquidity/provisions?pagination.first=50&reference=a 32
        08:00:31 200         372 ms  31.4 kB   69 liquidity/provisions?pagination.first=50&reference=a 31
        08:00:30 503         360 ms  30.4 kB    - liquidity/provisions?pagination.first=50&reference=a 30
        08:00:29 200         348 ms  29.4 kB   71 liquidity/provisions?pagination.first=50&reference=a 29
        08:00:28 200         336 ms  28.4 kB   72 retry 1 liquidity/provisions?pagination.first=50&reference=a 28
        08:00:27 503         324 ms  27.4 kB    - liquidity/provisions?pagination.first=50&reference=a 27
        08:00:26 200         312 ms  26.4 kB   74 liquidity/provisions?pagination.first=50&reference=a 26
        08:00:25 200         300 ms  25.4 kB   75 liquidity/provisions?pagination.first=50&reference=a 25
        08:00:24 503         288 ms  24.4 kB    - retry 1 liquidity/provisions?pagination.first=50&reference=a 24
        08:00:23 200         276 ms  23.4 kB   77 liquidity/provisions?pagination.first=50&reference=a 23
        08:00:22 200         264 ms  22.4 kB   78 liquidity/provisions?pagination.first=50&reference=a 22
        08:00:21 503         252 ms  21.4 kB    - liquidity/provisions?pagination.first=50&reference=a 21
        08:00:20 200         240 ms  20.4 kB   80 retry 1 liquidity/provisions?pagination.first=50&reference=a 20
        08:00:19 200         228 ms  19.4 kB   81 liquidity/provisions?pagination.first=50&reference=a 19
        08:00:18 503         216 ms  18.4 kB    - liquidity/provisions?pagination.first=50&reference=a 18
        08:00:17 200         204 ms  17.4 kB   83 liquidity/provisions?pagination.first=50&reference=a 17
        08:00:16 200         192 ms  16.4 kB   84 retry 1 liquidity/provisions?pagination.first=50&reference=a 16
        08:00:15 503         180 ms  15.4 kB    - liquidity/provisions?pagination.first=50&reference=a 15
        08:00:14 200         168 ms  14.4 kB   86 liquidity/provisions?pagination.first=50&reference=a 14
        08:00:13 200         156 ms  13.4 kB   87 liquidity/provisions?pagination.first=50&reference=a 13
        08:00:12 503         144 ms  12.4 kB    - retry 1 liquidity/provisions?pagination.first=50&reference=a 12
        08:00:11 200         132 ms  11.4 kB   89 liquidity/provisions?pagination.first=50&reference=a 11
        08:00:10 200         120 ms  10.4 kB   90 liquidity/provisions?pagination.first=50&reference=a 10
      > 08:00:09 503         108 ms   9.4 kB    - liquidity/provisions?pagination.first=50&reference=a 9
        08:00:08 200          96 ms   8.4 kB   92 retry 1 liquidity/provisions?pagination.first=50&reference=a 8
        08:00:07 200          84 ms   7.4 kB   93 liquidity/provisions?pagination.first=50&reference=a 7
        08:00:06 503          72 ms   6.4 kB    - liquidity/provisions?pagination.first=50&reference=a 6
        08:00:05 200          60 ms   5.4 kB   95 liquidity/provisions?pagination.first=50&reference=a 5
        08:00:04 200          48 ms   4.4 kB   96 retry 1 liquidity/provisions?pagination.first=50&reference=a 4
        08:00:03 503          36 ms   3.4 kB    - liquidity/provisions?pagination.first=50&reference=a 3
        08:00:02 200          24 ms   2.4 kB   98 liquidity/provisions?pagination.first=50&reference=a 2
        08:00:01 200          12 ms   1.4 kB   99 liquidity/provisions?pagination.first=50&reference=a 1
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       10-43 of 43   enter details  y curl  : command  esc back  ? help
      "
    `);
  });

  it('The request log is drawn at 40x12', async () => {
    expect(await logged(SMALL)).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Requests  newest first, the last 500 …
        UTC      STATUS    GET
      > 08:00:01 200 ...   networkhistory/exp…
        08:00:01 cancelled liquidity/provisio…
        08:00:01 network   http://other.examp…
        08:00:40 200       retry 1 liquidity/…
        08:00:39 503       liquidity/provisio…
        08:00:38 200       liquidity/provisio…
      ────────────────────────────────────────
       1-6 of 43   enter details  ? help
      "
    `);
  });

  it('The request log is drawn before any request was sent', async () => {
    const { session } = await table(SMALL);
    press(session, 'L');
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                      in sync
      ─ Requests  newest first, the last 500 …

        no request was sent yet





      ────────────────────────────────────────
       no requests   : command  ? help
      "
    `);
  });

  it('The request log is drawn with one request in full', async () => {
    expect(await logged(USUAL, 'j', 'j', 'enter')).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                       in sync  block 24031
      ────────────────────────────────────────────────────────────────────────────────
       request
        GET http://other.example/api/v2/x?text=%1b%5B2J%E2%80%AEabc
          text=␛[2J�abc

        sent      2027-01-15T08:00:01.000Z
        status    network
        problem   cannot reach the node: ␛[2Jwords
        took      30012 ms
        received  not known
        body      not known
        attempt   1
        left      not reported







      ────────────────────────────────────────────────────────────────────────────────
       y copy  esc back  ? help
      "
    `);
  });
});
