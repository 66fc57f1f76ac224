import { judgeAll } from '../../src/attention/rules/registry.ts';
import type { RuleInput } from '../../src/attention/rules/rule-input.ts';
import { parseJson } from '../../src/chain/api/json.ts';
import { readPage } from '../../src/chain/api/page.ts';
import { NO_NAMES } from '../../src/chain/directory/directory.ts';
import { readNames } from '../../src/chain/directory/fetch-directory.ts';
import type { Row } from '../../src/chain/resources/resource.ts';
import { atMost, median, type Section } from '../figure.ts';
import { hex } from '../records.ts';

const SPECS = 1000;
const MARKETS = 200;
const ANSWERS = 12;
const NOW_MS = 1_800_000_000_000;

/** What the rules of the overview cost each time an answer arrives, on a chain with very many oracle specs. */
export const rules: Section = async ({ isFull, once }) => {
  const rounds = isFull ? 15 : 5;
  const answers: number[] = [];
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [start = 0, ...later] = await once(() => startOfOverview());
    first.push(start);
    answers.push(...later);
  }
  const what = (which: string) => `rules judged, ${SPECS} oracle specs, ${which} answer`;
  return [
    atMost('rules', what('each later'), median(answers), 8, 'ms'),
    atMost('rules', what('the first'), median(first), 60, 'ms'),
  ];
};

/** Milliseconds of each of the answers that a start brings. */
function startOfOverview(): readonly number[] {
  const seen = seenOf();
  return Array.from({ length: ANSWERS }, (_, index) => {
    const startedMs = performance.now();
    judgeAll({ ...seen, nowMs: NOW_MS + index });
    return performance.now() - startedMs;
  });
}

function seenOf(): RuleInput {
  const [specs, markets, arrivals] = [
    rowsOf('oracleSpecs', SPECS, specAt),
    rowsOf('markets', MARKETS, marketAt),
    rowsOf('oracleData', SPECS, arrivalAt),
  ];
  const read = <Value>(value: Value, records: number) =>
    ({ kind: 'read', value, records, gap: '', atMs: NOW_MS }) as const;
  const unread = { kind: 'unread', why: 'not part of this' } as const;
  return {
    directory: { ...NO_NAMES, ...readNames('markets', markets) },
    ...{ nowMs: NOW_MS, blockTimeMs: NOW_MS, epoch: 42n, hasEnded: false, limit: { ms: 60_000, isLive: false } },
    sources: {
      specs: read(specs, SPECS),
      markets: read(markets, MARKETS),
      arrivals: read({ rows: arrivals, hasMore: true, blockTimeMs: NOW_MS }, SPECS),
      ...{ node: unread, history: unread, validators: unread, bundles: unread, provisions: unread, bonds: unread },
    },
  };
}

function rowsOf(name: string, count: number, nodeAt: (index: number) => unknown): readonly Row[] {
  const edges = Array.from({ length: count }, (_, index) => ({ node: nodeAt(index), cursor: String(index) }));
  const page = readPage(parseJson(JSON.stringify({ [name]: { edges, pageInfo: { hasNextPage: false } } })), name);
  return page?.records ?? [];
}

const SECONDS = String(NOW_MS / 1000 - 86_400);

const condition = (value: string) => ({ operator: 'OPERATOR_GREATER_THAN_OR_EQUAL', value });

function specAt(index: number): unknown {
  const filters = [
    {
      key: { name: `prices.P${index}.value`, type: 'TYPE_INTEGER', numberDecimalPlaces: '18' },
      conditions: [condition('1')],
    },
  ];
  const call = {
    ethOracle: {
      ...{ abi: JSON.stringify([{ name: 'getPrice', type: 'function', inputs: [], outputs: [{ type: 'uint256' }] }]) },
      ...{ address: `0x${hex(index, 7).slice(0, 40)}`, method: 'getPrice', args: [index, 'a'], sourceChainId: '1' },
      ...{ requiredConfirmations: '3', filters, normalisers: [{ name: `prices.P${index}.value`, expression: '$[0]' }] },
      trigger: { timeTrigger: { every: '3600', initial: SECONDS, until: '' } },
    },
  };
  const signed = { oracle: { filters, signers: [{ ethAddress: { address: `0x${hex(index, 8).slice(0, 40)}` } }] } };
  const internal = { time: { conditions: [condition(SECONDS)] } };
  const data = index % 4 === 3 ? { internal } : { external: index % 4 === 2 ? signed : call };
  const status = index % 5 === 0 ? 'STATUS_DEACTIVATED' : 'STATUS_ACTIVE';
  const spec = { id: hex(index, 9), createdAt: `${SECONDS}000000000`, updatedAt: '', status, data };
  return { externalDataSourceSpec: { spec } };
}

const marketAt = (index: number): unknown => ({
  ...{ id: hex(index, 3), state: 'STATE_ACTIVE' },
  tradableInstrument: {
    instrument: {
      code: `MKT${index}`,
      future: {
        settlementAsset: hex(0, 4),
        dataSourceSpecForSettlementData: { id: hex(index * 4 + 1, 9) },
        dataSourceSpecForTradingTermination: { id: hex(index * 4 + 3, 9) },
      },
    },
  },
});

const arrivalAt = (index: number): unknown => ({
  externalData: {
    data: {
      ...{ matchedSpecIds: [hex(index, 9)], broadcastAt: `${NOW_MS / 1000 - index}000000000`, signers: [] },
      data: [{ name: `prices.P${index}.value`, value: '1' }],
      metaData: [{ name: 'eth-block-time', value: String(NOW_MS / 1000 - index) }],
    },
  },
});
