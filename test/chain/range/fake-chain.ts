import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import type { NodeRequest } from '../../../src/chain/api/request.ts';
import type { NodeRequester } from '../../../src/chain/range/epoch.ts';

/** A chain in memory: the time of each block from 1 on, and epochs that end with the first block past their time. */
export interface FakeChain {
  readonly genesisMs: number;
  readonly epochMs: number;
  /** Unix milliseconds, ascending; the block of the index + 1. */
  readonly blockMs: readonly number[];
}

export interface FakeEpoch {
  readonly seq: number;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly firstBlock: number;
  readonly lastBlock: number | undefined;
}

export function epochsOf({ genesisMs, epochMs, blockMs }: FakeChain): readonly FakeEpoch[] {
  const epochs: FakeEpoch[] = [];
  let open = { seq: 1, startMs: genesisMs, firstBlock: 1 };
  for (const [index, timeMs] of blockMs.entries()) {
    // The first epoch has a block, however long the chain took to make it.
    if (timeMs < open.startMs + epochMs || index === 0) continue;
    epochs.push({ ...open, endMs: timeMs, lastBlock: index });
    open = { seq: open.seq + 1, startMs: timeMs, firstBlock: index + 1 };
  }
  return [...epochs, { ...open, endMs: undefined, lastBlock: undefined }];
}

export interface FakeNode {
  readonly client: NodeRequester;
  readonly asked: readonly NodeRequest[];
}

/** A node of that chain that knows its epochs from one on, or has no epoch operation at all. */
export function fakeNode(
  chain: FakeChain,
  { oldestEpoch = 1, hasEpochs = true, hasStatistics = true, hasHeaders = true } = {},
): FakeNode {
  const asked: NodeRequest[] = [];
  const epochs = epochsOf(chain);
  const height = chain.blockMs.length;
  const headMs = chain.blockMs.at(-1) ?? chain.genesisMs;
  const facts = hasHeaders ? { blockHeight: String(height), blockTimeNs: nanoseconds(headMs) } : {};
  const answer = ({ path, query }: NodeRequest): Json => {
    if (path === 'statistics' && hasStatistics) return statistics(chain, height, headMs);
    if (path !== 'api/v2/epoch' || !hasEpochs) throw refused([]);
    const id = query.find(([name]) => name === 'id')?.[1];
    const epoch = id === undefined ? epochs.at(-1) : epochs[Number(id) - 1];
    if (epoch === undefined || epoch.seq < oldestEpoch) throw refused([detail]);
    return { epoch: epochJson(epoch, chain.epochMs) };
  };
  const get = async (request: NodeRequest) => {
    asked.push(request);
    return { json: answer(request), facts: { ...facts, rate: {} }, bytes: 0, elapsedMs: 0 };
  };
  return { asked, client: { get } };
}

const detail = { type: 'vega.ErrorDetail', code: '250001', message: 'failed to get epoch', inner: '', rest: {} };

const refused = (details: readonly (typeof detail)[]) =>
  new RefusedError(404, { code: 5, message: 'Not Found', details }, { url: '', hint: '' });

const statistics = ({ genesisMs }: FakeChain, height: number, headMs: number): Json => ({
  statistics: {
    genesisTime: new Date(genesisMs).toISOString(),
    vegaTime: new Date(headMs).toISOString(),
    blockHeight: String(height),
  },
});

const epochJson = ({ seq, startMs, endMs, firstBlock, lastBlock }: FakeEpoch, epochMs: number): Json => ({
  seq: String(seq),
  timestamps: {
    startTime: nanoseconds(startMs),
    expiryTime: nanoseconds(startMs + epochMs),
    endTime: endMs === undefined ? '0' : nanoseconds(endMs),
    firstBlock: String(firstBlock),
    lastBlock: String(lastBlock ?? 0),
  },
});

const nanoseconds = (ms: number): string => `${ms}000000`;
