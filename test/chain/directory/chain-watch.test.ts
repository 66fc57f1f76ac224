import { describe, expect, it } from 'vitest';
import type { ChainDoubt } from '../../../src/chain/api/client.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import { ChainWatch, watchedClient } from '../../../src/chain/directory/chain-watch.ts';
import { clientOf } from '../../support/client.ts';

const START_MS = 1_700_000_000_000;

interface Answer {
  /** Seconds after the start. */
  readonly at?: number;
  readonly path?: string;
  readonly json?: Json;
  readonly block?: number;
  /** Time of the block, in seconds after the start. */
  readonly time?: number;
}

const core = (chainId: string, more: Answer & { readonly genesisTime?: string } = {}): Answer => {
  const { genesisTime = '2026-01-01T00:00:00Z', ...others } = more;
  return { path: 'statistics', json: { statistics: { chainId, genesisTime } }, ...others };
};
/** Newest segment first, as nodes list them. */
const history = (...chains: readonly string[]): Answer => ({
  path: 'api/v2/networkhistory/segments',
  json: { segments: chains.map(chainId => ({ chainId })) },
});

const replyOf = ({ at = 0, json = {}, block, time }: Answer) => ({
  json,
  facts: {
    ...(block !== undefined && { blockHeight: String(block) }),
    ...(time !== undefined && { blockTimeNs: `${START_MS + time * 1000}000000` }),
    rate: {},
  },
  ...{ bytes: 1, elapsedMs: 1, headerAtMs: START_MS + at * 1000 },
});

function doubtsOn(answers: readonly Answer[], sinceMs = START_MS): readonly string[] {
  const watch = new ChainWatch();
  for (const answer of answers) watch.hear({ path: answer.path ?? 'api/v2/markets', query: [] }, replyOf(answer));
  return watch.doubts(sinceMs).map(({ severity, sentence }) => `${severity}: ${sentence}`);
}

const BACK = 'the node was restored from an earlier state, or another one that is behind answers here';

describe('Answers of one address', () => {
  it.each<readonly [string, readonly Answer[]]>([
    ['none', []],
    ['of a core and its history', [core('a'), history('a', 'a'), core('a')]],
    ['of a node without a core', [history('a', 'a', ''), { block: 5002 }, { block: 5002 }]],
    ['of a core that does not name its chain', [core(''), history('a')]],
    ['of a node that was moved to another chain once', [core('a'), history('a'), core('b'), history('b'), core('b')]],
    ['of a chain that was started again once', [core('a'), core('a', { genesisTime: '2026-02-02T00:00:00Z' })]],
    ['of one start in two spellings', [core('a'), core('a', { genesisTime: '2026-01-01T00:00:00.000Z' }), core('a')]],
    ['of nodes a few blocks apart', [{ block: 5000 }, { block: 4998 }, { block: 5001 }, { block: 4990 }]],
    [
      'of a cache with an older block',
      [
        { at: 9, block: 5000 },
        { at: 1, block: 4000 },
      ],
    ],
    [
      'of fast blocks, some of them from a cache without an age',
      [
        { block: 5000, time: 10 },
        { block: 4900, time: 5 },
      ],
    ],
    [
      'of a node that catches up',
      [
        { block: 1, time: 0 },
        { at: 1, block: 901, time: 900 },
      ],
    ],
    [
      'long apart',
      [
        { block: 1, time: 0 },
        { at: 3600, block: 3601, time: 3600 },
      ],
    ],
  ])('The answers of one address are of one chain: %s', (_, answers) => {
    expect(doubtsOn(answers)).toEqual([]);
  });

  it.each<readonly [string, readonly Answer[], string]>([
    ['of a core and another history', [core('a'), history('b')], 'untrusted: its history is from b, its core from a'],
    ['in any order', [history('b'), core('a')], 'untrusted: its history is from b, its core from a'],
    ['of a history of two chains', [core('b'), history('b', 'a')], 'untrusted: its history is from a, its core from b'],
    ['of a history of two chains without a core', [history('b', 'a')], 'untrusted: its history is from a and b'],
    ['of two cores in turn', [core('a'), core('b'), core('a')], 'untrusted: its core is of b and a in turn'],
    [
      'of a core that was called like its history only later',
      [core('a'), history('b'), core('b'), history('b')],
      'untrusted: its history is from b, its core from a',
    ],
    [
      'of a history that was called like its core only later',
      [history('b'), core('a'), history('a')],
      'untrusted: its history is from b, its core from a',
    ],
    [
      'of two starts in turn',
      [core('a'), core('a', { genesisTime: '2026-02-02T00:00:00Z' }), core('a')],
      'untrusted: its chain was started at 2026-02-02T00:00:00.000Z and 2026-01-01T00:00:00.000Z in turn',
    ],
    [
      'of an earlier block',
      [{ block: 6010 }, { at: 1, block: 5002 }],
      `noted: its newest block went back from 6010 to 5002: ${BACK}`,
    ],
    [
      'of an earlier block and time',
      [
        { block: 6010, time: 0 },
        { at: 1, block: 5002, time: -1008 },
        { at: 2, block: 5003, time: -1007 },
      ],
      `noted: its newest block went back from 6010 to 5002: ${BACK}`,
    ],
    [
      'of a block that no node reaches so soon',
      [
        { block: 5002, time: 0 },
        { at: 1, block: 9000, time: 3998 },
      ],
      'noted: its newest block went from 5002 to 9000 within 1 s: nodes that are far apart answer here',
    ],
  ])('The answers of one address raise a doubt: %s', (_, answers, doubt) => {
    expect(doubtsOn(answers)).toEqual([doubt]);
  });

  it('The answers of one address raise no doubt when they are from an earlier time', () => {
    expect(doubtsOn([core('a'), history('b'), { block: 9000 }, { block: 1 }], START_MS + 1)).toEqual([]);
  });

  it('The answers of one address raise no doubt by what only an answer of an earlier time contradicts', () => {
    const answers = [core('a'), { ...history('b'), at: 2 }, core('b', { at: 3 })];
    expect([doubtsOn(answers, START_MS), doubtsOn(answers, START_MS + 1)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it('The answers of one address raise a doubt once, whatever else is requested', async () => {
    const sent = [core('a'), history('b'), core('a'), history('b')];
    const said: ChainDoubt[] = [];
    const client = watchedClient(
      clientOf(async () => ({ ...replyOf(sent.shift() ?? {}), headerAtMs: Date.now() })),
      doubt => said.push(doubt),
    );
    for (const { path = '' } of [...sent]) await client.get({ path, query: [] });
    expect(said).toEqual([{ severity: 'untrusted', sentence: 'its history is from b, its core from a' }]);
    expect(client.doubts?.()).toEqual(said);
  });
});
