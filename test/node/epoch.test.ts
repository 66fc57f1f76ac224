import * as v from 'valibot';
import { expect, it } from 'vitest';
import { ask, refusal, withNode } from './wire.ts';

const startedMs = Date.UTC(2026, 5, 1);
const node = withNode({ clock: () => startedMs });
// The newest block is 400 ms old when the node starts, and each before it 1050 ms older.
const genesisMs = startedMs - 400 - 23_531 * 1050;

const epochSchema = v.strictObject({
  epoch: v.strictObject({
    seq: v.string(),
    timestamps: v.strictObject({
      startTime: v.string(),
      expiryTime: v.string(),
      endTime: v.string(),
      firstBlock: v.string(),
      lastBlock: v.string(),
    }),
    validators: v.array(v.never()),
    delegations: v.array(v.never()),
  }),
});

async function epoch(query: string) {
  return v.parse(epochSchema, JSON.parse((await ask(`${node.url}/api/v2/epoch${query}`)).text)).epoch;
}

const nanoseconds = (ms: number) => `${ms}000000`;

it('An epoch that has ended has its last block and its end time', async () => {
  expect(await epoch('?id=2')).toEqual({
    seq: '2',
    timestamps: {
      startTime: nanoseconds(genesisMs + 600_000),
      expiryTime: nanoseconds(genesisMs + 1_200_000),
      endTime: nanoseconds(genesisMs + 1_200_000),
      firstBlock: '572',
      lastBlock: '1142',
    },
    validators: [],
    delegations: [],
  });
});

it('Epochs follow each other without a gap, from block 1 on', async () => {
  expect((await epoch('?id=1')).timestamps.firstBlock).toBe('1');
  for (let id = 2; id <= 42; id++) {
    const before = (await epoch(`?id=${id - 1}`)).timestamps;
    const { startTime, firstBlock } = (await epoch(`?id=${id}`)).timestamps;
    expect([startTime, Number(firstBlock)]).toEqual([before.endTime, Number(before.lastBlock) + 1]);
  }
});

it.each(['', '?id=0', '?id=0&block=0'])(
  'An epoch request without a number (%j) returns the current epoch, which has no end',
  async query => {
    const { headers, text } = await ask(`${node.url}/statistics`);
    const current = await epoch(query);
    expect(current.seq).toBe(JSON.parse(text).statistics.epochSeq);
    expect([current.timestamps.endTime, current.timestamps.lastBlock]).toEqual(['0', '0']);
    expect(Number(current.timestamps.firstBlock)).toBeLessThanOrEqual(Number(headers.get('x-block-height')?.[0]));
  },
);

it('A block belongs to the epoch whose first and last block enclose it', async () => {
  for (const [block, seq] of [
    ['1', '1'],
    ['571', '1'],
    ['572', '2'],
    ['1142', '2'],
    ['1143', '3'],
  ]) {
    expect((await epoch(`?block=${block}`)).seq).toBe(seq);
  }
});

it.each(['?id=999', '?id=18446744073709551615', '?block=99999999', '?block=18446744073709551615'])(
  'The epoch request %s is answered with not found',
  async query => {
    expect(await refusal(`${node.url}/api/v2/epoch${query}`)).toEqual([
      404,
      5,
      250001,
      'failed to get epoch',
      'no resource corresponding to this id',
    ]);
  },
);

it.each([
  ['?id=-1', 'parsing field "id": strconv.ParseUint: parsing "-1": invalid syntax'],
  ['?block=x', 'parsing field "block": strconv.ParseUint: parsing "x": invalid syntax'],
])('The epoch request %s is refused by the gateway', async (query, message) => {
  expect(await refusal(`${node.url}/api/v2/epoch${query}`)).toEqual([400, 3, message]);
});
