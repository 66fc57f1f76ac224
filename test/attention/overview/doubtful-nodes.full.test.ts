import { describe, expect, it } from 'vitest';
import { MAX_OVERVIEW_REQUESTS, type OverviewAnswers } from '../../../src/attention/overview/answers.ts';
import { overviewFacts } from '../../../src/attention/overview/facts/facts.ts';
import { createOverview } from '../../../src/attention/overview/overview.ts';
import { requestOverview } from '../../../src/attention/overview/request-overview.ts';
import { sanitize } from '../../../src/base/text/safe-text.ts';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import type { Mine } from '../../../src/chain/directory/mine.ts';
import { ownLines } from '../../../src/explorer/screens/overview/mine.ts';
import { newOverview } from '../../../src/explorer/screens/overview/state.ts';
import {
  arrival,
  BUNDLE,
  bond,
  type Chain,
  clientFor,
  fee,
  type Head,
  IDS,
  iso,
  market,
  NOW_MS,
  ns,
  overviewFrom,
  page,
  provision,
  REMOVED,
  SOUND,
  segment,
  spec,
  statistics,
  validator,
} from './sound-chain.ts';

const NOW_S = NOW_MS / 1000;
const CONTROL = '\u001b[31mred\u0007\u202e\n\tevil';
const HUGE = '9'.repeat(30);

const MINE: Mine = {
  party: new Set([IDS.party]),
  submitter: new Set([BUNDLE.submitter]),
  node: new Set([validator(0).id]),
  market: new Set([IDS.market]),
};

/** Every sentence of the overview: its lines, its findings, and the lines of what is the user's. */
async function sentences(chain: Chain, head: Head | null = {}): Promise<readonly string[]> {
  const { answers, paths } = await overviewFrom({ ...SOUND, ...chain }, { head });
  expect(paths.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
  return sentencesOf(answers);
}

function sentencesOf(answers: OverviewAnswers): readonly string[] {
  const overview = createOverview(answers, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false }, mineOn: () => MINE });
  const state = { ...newOverview(0), answers, overview };
  return [
    ...overviewFacts(overview, null, { nowMs: NOW_MS, isSilent: false }).map(
      ({ label, sentence }) => `${label}: ${sentence}`,
    ),
    ...overview.attention.flatMap(({ rule, findings }) =>
      findings.map(({ severity, sentence }) => `${severity} ${rule}: ${sentence}`),
    ),
    ...ownLines(state).map(({ label, sentence }) => `${label}: ${sentence}`),
  ];
}

const node0 = (members: object): Chain => ({
  nodes: page('nodes', [validator(0, members), ...[1, 2, 3, 4].map(index => validator(index))]),
});
const ranking = (members: object): Chain =>
  node0({
    rankingScore: {
      status: 'VALIDATOR_NODE_STATUS_TENDERMINT',
      votingPower: '2500',
      performanceScore: '1',
      ...members,
    },
  });
const scores = (multisigScore: unknown): Chain => ({
  nodes: page(
    'nodes',
    [0, 1, 2, 3, 4].map(index =>
      validator(index, { rewardScore: { multisigScore, validatorStatus: 'VALIDATOR_NODE_STATUS_TENDERMINT' } }),
    ),
  ),
});
const said = (members: object): Chain => ({ statistics: statistics(members) });
const segments = (...list: readonly unknown[]): Chain => ({ 'networkhistory/segments': { segments: list } });
const fees = (...rows: readonly unknown[]): Chain => ({ 'liquidity/paidfees': page('paidLiquidityFees', rows) });
const provisions = (...rows: readonly unknown[]): Chain => ({
  'all-provisions': page('liquidityProvisions', rows),
});
const accounts = (...rows: readonly unknown[]): Chain => ({ accounts: page('accounts', rows) });
const bundles = (...rows: readonly unknown[]): Chain => ({ 'removed/bundles': page('bundles', rows) });
const arrivals = (...rows: readonly unknown[]): Chain => ({ 'oracle/data': page('oracleData', rows) });
const asset = (details: object): Chain => ({
  assets: page('assets', [
    { id: IDS.asset, status: 'STATUS_ENABLED', details: { symbol: 'HUSD', decimals: '5', quantum: '1', ...details } },
  ]),
});
const trigger = (timeTrigger: object, members: object = {}): Chain => ({
  'oracle/specs': page('oracleSpecs', [
    spec({
      data: {
        external: {
          ethOracle: {
            ...{ address: REMOVED, abi: '[]', method: 'price', args: [], requiredConfirmations: '3' },
            ...{ sourceChainId: '5', trigger: { timeTrigger }, filters: [], normalisers: [] },
          },
        },
      },
      ...members,
    }),
  ]),
});

interface Lie {
  readonly lie: string;
  readonly chain: Chain;
  readonly head?: Head | null;
  /** What is said instead of what a sound node leads to; nothing else changes. */
  readonly says: readonly (string | RegExp)[];
}

const lie = (text: string, chain: Chain, says: Lie['says'], head: Head | null = {}): Lie => ({
  ...{ lie: text, chain, says, head },
});

const OVERDUE_UNKNOWN =
  /^unknown oracle-overdue: not known whether 1 oracle spec is overdue: their (?:times|last values) cannot be read$/;
/** Without the chain, nothing is known to be the user's. */
const BUNDLE_NEEDED = [
  /^warning bundle: remove signer \S+: only your submitter can submit it: 5 signatures; /,
  /^submitter \S+: 1 signer bundle to submit, the newest removes \S+$/,
] as const;
const CANNOT_COMPARE =
  /^unknown commitment-above-bond: 1 bond of 1 active provision of HELDA\/HUSD \(you\) cannot be compared/;
const segmentsUnread = (some: string): string =>
  `unknown history: history with a gap, broken or behind: only ${some} cannot be read`;

const LIES: readonly Lie[] = [
  // The node.
  lie('a core that is behind its data node', said({ blockHeight: '1' }), [
    'Node: v0.79.0, chain-1, block 5010, 1.0 s old, 5 009 blocks ahead of its core',
  ]),
  lie(
    'a block of the same height that is much older',
    {},
    [
      'Node: v0.79.0, chain-1, block 5010, 11574 d old, not in sync with its core',
      'warning node-behind: the data node is 11574 d behind its core',
      'unknown provision-change: provisions of HELDA/HUSD (you) that change at the next epoch: not known, read before epoch 42 began',
    ],
    { ageSeconds: 1e9 },
  ),
  lie('a core in the year 9999', said({ vegaTime: '9999-12-31T23:59:59Z' }), [
    'Node: v0.79.0, chain-1, block 5010, 1.0 s old, not in sync with its core',
    'Epoch: 42, end not known',
    'warning node-behind: the newest block of the core is 2912116 d ahead of this clock: one of the two clocks is wrong',
  ]),
  lie(
    'a height without a time',
    said({ blockHeight: '-7', vegaTime: 'never' }),
    [
      'Node: v0.79.0, chain-1, block not known, age not known, core not known',
      'Epoch: 42, end not known',
      'unknown node-behind: whether the node is behind is not known: it does not give the time of its newest block',
      'unknown history: whether the history is behind is not known: the node does not give its newest block',
    ],
    null,
  ),
  lie(
    'numbers and lists for texts of the core',
    said({ appVersion: 7, chainId: [], blockHeight: true, epochSeq: 4.5 }),
    [
      'Node: version not known, chain-1, block 5010, 1.0 s old, core not known',
      'Epoch: not known: the node does not report the current epoch',
      ...BUNDLE_NEEDED,
    ],
  ),
  lie('statistics without members', { statistics: { statistics: {} } }, [
    'Node: version not known, chain-1, block 5010, 1.0 s old, core not known',
    'Epoch: not known: the node does not report the current epoch',
    ...BUNDLE_NEEDED,
  ]),
  // History.
  lie('a segment that ends before it begins', segments(segment(1000, 1), segment(2001, 5000)), [
    'History: blocks 2001 to 5000 in 1 segment, no gap, in part: 1 of 2 cannot be read',
    segmentsUnread('1 of the history segments could be checked: 1 of 2'),
  ]),
  lie('segments that are none', segments(7, null, 'x', {}, { ...segment(1, 5000), toHeight: HUGE }), [
    'History: no segment that can be read, in part: 5 of 5 cannot be read',
    segmentsUnread('0 of the history segments could be checked: 5 of 5'),
  ]),
  lie('history beyond the newest block', segments(segment(1, 5_000_000)), [
    'History: blocks 1 to 5000000 in 1 segment, no gap',
    'unknown history: whether the history is behind is not known: it ends at block 5000000, after the newest block 5010 of the node',
  ]),
  // The epoch.
  ...['-1', HUGE, 'soon', '4.2'].map(epochSeq =>
    lie(`the epoch ${epochSeq}`, said({ epochSeq }), [
      'Epoch: not known: the node does not report the current epoch',
      ...BUNDLE_NEEDED,
    ]),
  ),
  lie('an epoch that ends before it begins', said({ epochExpiryTime: iso(NOW_S - 600) }), ['Epoch: 42, end not known']),
  lie('an epoch that takes no time', said({ epochStartTime: iso(NOW_S), epochExpiryTime: iso(NOW_S) }), [
    'Epoch: 42, end not known',
  ]),
  lie('an epoch that begins later', said({ epochStartTime: iso(NOW_S + 200) }), [
    'Epoch: 42, ends in 5 min (12:05 UTC)',
  ]),
  lie('an epoch of eight thousand years', said({ epochExpiryTime: '9999-12-31T23:59:59Z' }), [
    'Epoch: 42, ends in 2912116 d (9999-12-31 23:59 UTC), 0 % done',
  ]),
  lie(
    'a chain that stands still',
    said({ vegaTime: iso(NOW_S - 3600), epochStartTime: iso(NOW_S - 3900), epochExpiryTime: iso(NOW_S - 3300) }),
    [
      'Node: v0.79.0, chain-1, block 5010, 1 h old, in sync with its core',
      'Epoch: 42, should have ended 55 min ago (11:05 UTC)',
      'critical node-behind: no new block for 1 h: the core of the node has none either',
    ],
    { ageSeconds: 3600 },
  ),
  lie('an epoch without times', said({ epochExpiryTime: '', epochStartTime: null }), ['Epoch: 42, end not known']),
  // The network.
  lie('the same market twice', { markets: page('markets', [market(), market()]) }, []),
  lie('the same validator five times', { nodes: page('nodes', Array(5).fill(validator(0))) }, [
    /^Network: 1 market \(1 active\), 1 validator \(1 in consensus\), /,
    /^validator Validator 0: in consensus, rank 1 of 1 by voting power, /,
  ]),
  lie('markets that are none', { markets: page('markets', [null, 7, 'x', []]) }, [
    /^Network: 0 markets or more: 4 of the 4 edges on this page cannot be read, /,
    /^unknown oracle-deactivated: .*: only 0 of the markets could be checked: /,
    /^unknown oracle-overdue: .*: only 0 of the markets could be checked: /,
    /^party dddd..dddd: only your market asked: ACTIVE, 5 000 000 smallest units committed, /,
    /^market aaaa..aaaa: 10 HUSD of fees in epoch 41, markets in part: 4 of the 4 edges/,
  ]),
  lie('a market state that is no word', { markets: page('markets', [market({ state: CONTROL })]) }, [
    /^Network: 1 market \(not known how many active\), /,
    'market HELDA/HUSD: state not known, 10 HUSD of fees in epoch 41',
  ]),
  // Fees.
  lie('fees below nothing', fees(fee(40), fee(41, '-5')), [
    'Fees: epoch 40: 10 HUSD on 1 market, allocated to liquidity providers, in part: 1 of 2 rows cannot be read',
    /^Trend: not known: /,
    /^party .* 10 HUSD of fees on 1 market in epoch 40, .*fees in part: 1 of 2 rows cannot be read$/,
    /^validator .*fees in part: 1 of 2 rows cannot be read$/,
    'market HELDA/HUSD: ACTIVE, 10 HUSD of fees in epoch 40, fees in part: 1 of 2 rows cannot be read',
  ]),
  lie('fees of an epoch that has not begun', fees(fee(40), fee(41), fee(99_999)), [
    /^Fees: epoch 41: 10 HUSD on 1 market, .*in part: 1 of 3 rows of epochs that have not begun$/,
    'Trend: not known: 1 of 3 rows of epochs that have not begun',
    /^party .* 10 HUSD of fees on 1 market in epoch 41, .*fees in part: 1 of 3 rows of epochs that have not begun$/,
    /^validator .*fees in part: 1 of 3 rows of epochs that have not begun$/,
    /^market .* 10 HUSD of fees in epoch 41, fees in part: 1 of 3 rows of epochs that have not begun$/,
  ]),
  // The core may have said so before the epoch ended.
  lie('fees of an epoch that has just ended', fees(fee(40), fee(41), fee(43)), [
    'Fees: epoch 43: 10 HUSD on 1 market, allocated to liquidity providers',
    'Trend: fees of the epochs 34 to 43, up to 10 HUSD on all markets',
    /^party .* 10 HUSD of fees on 1 market in epoch 43$/,
    'market HELDA/HUSD: ACTIVE, 10 HUSD of fees in epoch 43',
  ]),
  lie('the fees of an epoch twice', fees(fee(40), fee(41), fee(41)), [
    /^Fees: epoch 41: 10 HUSD on 1 market, .*in part: 1 of 3 rows listed twice$/,
    'Trend: not known: 1 of 3 rows listed twice',
    /^party .* 10 HUSD of fees on 1 market in epoch 41, .*fees in part: 1 of 3 rows listed twice$/,
    /^validator .*fees in part: 1 of 3 rows listed twice$/,
    'market HELDA/HUSD: ACTIVE, 10 HUSD of fees in epoch 41, fees in part: 1 of 3 rows listed twice',
  ]),
  lie(
    'a share of fees below nothing',
    fees(fee(40), fee(41, '1000000', { feesPaidPerParty: [{ party: IDS.party, amount: '-900' }] })),
    [
      'Trend: fees of the epochs 32 to 41, up to 10 HUSD on all markets',
      /^party .* ACTIVE, 50 HUSD committed, fees in part: 1 row cannot be read$/,
    ],
  ),
  lie('text for the shares of fees', fees(fee(40), fee(41, '1000000', { feesPaidPerParty: 'all' })), [
    'Trend: fees of the epochs 32 to 41, up to 10 HUSD on all markets',
    /^party .* ACTIVE, 50 HUSD committed, fees in part: 1 row cannot be read$/,
    /^validator .*fees in part: 1 row cannot be read$/,
  ]),
  ...['-3', '999999', 'five'].map(decimals =>
    lie(`an asset with ${decimals} decimals`, asset({ decimals }), [
      'Fees: epoch 41: 1 000 000 smallest units of HUSD on 1 market, allocated to liquidity providers',
      'Trend: fees of the epochs 32 to 41, up to 3 000 000 smallest units on all markets',
      /^party .* ACTIVE, 5 000 000 smallest units committed, 1 000 000 smallest units of fees /,
      'market HELDA/HUSD: ACTIVE, 1 000 000 smallest units of fees in epoch 41',
    ]),
  ),
  // Validators.
  ...['-1', '77', '5e-1', 'NaN', ''].map(performanceScore =>
    lie(`the performance "${performanceScore}"`, ranking({ performanceScore }), [
      'unknown validator-performance: the performance of 1 validator cannot be read',
      'validator Validator 0: in consensus, rank 1 to 5 of 5 by voting power, multisig score 1, no signer bundle that it can submit',
    ]),
  ),
  lie('voting power below nothing', ranking({ votingPower: '-5' }), [
    'validator Validator 0: in consensus, performance 100 %, multisig score 1, no signer bundle that it can submit',
  ]),
  lie('a validator without scores', node0({ rankingScore: {}, rewardScore: 7 }), [
    /^Network: .* 5 validators \(4 in consensus, 1 not known\)/,
    'unknown validator-performance: the performance of 1 validator cannot be read',
    'unknown validator-outside: the role of 1 validator is not reported by the node',
    'validator Validator 0: role not known, no signer bundle that it can submit',
  ]),
  ...['-0', 'NaN', 'zero', '1e0'].map(score =>
    lie(`the multisig score "${score}"`, scores(score), [
      'unknown excess-signer: the multisig scores of 5 consensus validators are not known',
      ...(score === '1e0' ? [] : BUNDLE_NEEDED),
      /^validator Validator 0: in consensus, rank 1 to 5 of 5 by voting power, performance 100 %, no signer bundle /,
    ]),
  ),
  lie('multisig scores of a thousand', scores('1000'), [
    'unknown excess-signer: the multisig scores of 5 consensus validators are not known',
    /^validator Validator 0: in consensus, rank 1 to 5 of 5 by voting power, performance 100 %, no signer bundle /,
  ]),
  // Provisions and bonds.
  lie('a commitment below nothing', provisions(provision({ commitmentAmount: '-1' })), [
    CANNOT_COMPARE,
    /^party dddd..dddd: only HELDA\/HUSD \(you\) asked: ACTIVE, an amount that cannot be read committed, /,
  ]),
  lie('a provision of another market', provisions(provision({ marketId: IDS.oldMarket })), [
    /^unknown commitment-above-bond: .*: the node ignores a filter \(market, live\)$/,
    /^unknown provision-change: .*: the node ignores a filter \(market, live\)$/,
    /^party dddd..dddd: 10 HUSD of fees on 1 market in epoch 41, provisions in part: .* ignores a filter/,
  ]),
  lie('a provision status that is no word', provisions(provision({ status: CONTROL })), [
    'unknown provision-change: the status of 1 provision of HELDA/HUSD (you) is not known here',
    /^party dddd..dddd: only HELDA\/HUSD \(you\) asked: status not known, 50 HUSD committed, /,
  ]),
  lie('the same provision twice', provisions(provision(), provision()), []),
  ...['-5', 'x', ''].map(balance => lie(`the bond "${balance}"`, accounts(bond({ balance })), [CANNOT_COMPARE])),
  lie('two bonds of one party', accounts(bond({ balance: '1' }), bond()), [CANNOT_COMPARE]),
  lie('a bond on another market', accounts(bond({ balance: '1', marketId: IDS.oldMarket })), [CANNOT_COMPARE]),
  // Oracle specs.
  lie('a spec that is never due again', trigger({ initial: String(NOW_S + 1e9), every: '60' }), []),
  ...[
    ['an interval below nothing', { initial: String(NOW_S - 100_000), every: '-60' }],
    ['times that do not fit', { initial: HUGE, every: HUGE }],
    ['times that are no numbers', { initial: 'x', every: 'y' }],
  ].map(([what, times]) => lie(`a spec with ${what}`, trigger(Object(times)), [OVERDUE_UNKNOWN])),
  lie(
    'a spec that is made later',
    trigger({ initial: String(NOW_S - 100_000), every: '60' }, { createdAt: ns(NOW_S + 1e6) }),
    [OVERDUE_UNKNOWN],
  ),
  lie('a spec with a status that is no word', { 'oracle/specs': page('oracleSpecs', [spec({ status: CONTROL })]) }, [
    'unknown oracle-deactivated: status not known of 1 oracle spec used by HELDA/HUSD (you): neither active nor deactivated',
  ]),
  lie('a value that comes later', arrivals(arrival(-1e6)), [OVERDUE_UNKNOWN]),
  ...['0', '-5', 'x'].map(broadcastAt =>
    lie(`a value of the time ${broadcastAt}`, arrivals(arrival(0, { broadcastAt })), [OVERDUE_UNKNOWN]),
  ),
  lie('a value for text in place of a list of specs', arrivals(arrival(60, { matchedSpecIds: IDS.spec })), [
    OVERDUE_UNKNOWN,
  ]),
  // Bundles.
  lie(
    'a bundle of numbers and lists',
    bundles({ oldSigner: 7, submitter: [], nonce: {}, signatures: 7, epochSeq: [] }),
    [
      'unknown bundle: signer or submitter of 1 signer bundle cannot be read',
      /^submitter \S+: signer bundles in part: 1 row cannot be read$/,
      /^validator Validator 0: .*, signer bundles in part: 1 row cannot be read$/,
    ],
  ),
  lie('signatures that nobody made', bundles({ ...BUNDLE, epochSeq: '42', signatures: `0x${'ab'.repeat(65)}` }), [
    /^unknown bundle: whether a bundle that removes \S+ can be submitted is not known: none of the validators/,
    BUNDLE_NEEDED[1],
  ]),
];

describe('Overview of a node with false answers', () => {
  it.each(LIES)('The overview does not believe a false answer: $lie', async ({ chain, head = {}, says }) => {
    const sound = new Set(await sentences({}));
    const changed = (await sentences(chain, head)).filter(line => !sound.has(line));
    const isSaid = (line: string, text: string | RegExp): boolean =>
      typeof text === 'string' ? line === text : text.test(line);
    expect(changed.filter(line => !says.some(text => isSaid(line, text)))).toEqual([]);
    expect(says.filter(text => changed.filter(line => isSaid(line, text)).length !== 1)).toEqual([]);
  });

  it.each([
    ['control signs', CONTROL],
    ['a very long text', 'W'.repeat(5000)],
    ['digits without end', HUGE],
    ['nothing', null],
  ])('The overview is complete and does not fail with %s in place of any member', async (_, odd) => {
    for (const [path, answer] of Object.entries(SOUND)) {
      for (const changed of eachMemberAs(answer, odd)) {
        const lines = await sentences({ [path]: changed });
        expect(lines.length).toBeGreaterThan(5);
        for (const line of lines) expect(sanitize(line)).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
      }
    }
  });
});

/** Whether a text claims nothing: it says that something is not known, or could be read in part. */
const isOpen = (text: string): boolean =>
  /not known|not answered yet|in part: |^unknown |were not asked$|cannot be reached/.test(text);

/** The parts of the sentences that claim what a sound node did not say; amounts may be without their unit. */
function claims(lines: readonly string[], sound: readonly string[]): readonly string[] {
  const known = sound.join('\n');
  return lines.filter(
    line =>
      !isOpen(line) &&
      line
        .replace(/^[^:]+: /, '')
        .split(', ')
        .some(part => !known.includes(part) && !/ smallest units | one asset /.test(` ${part} `)),
  );
}

describe('Overview of a node that stops answering', () => {
  it('The overview never reports more than what the node answered', async () => {
    const sound = await sentences({});
    const known = new Set(sound);
    const all = await overviewFrom(SOUND);
    let whole = 0;
    for (let answered = 0; answered <= all.paths.length; answered++) {
      const answers = await dyingAfter(answered);
      const lines = sentencesOf(answers);
      expect([answered, claims(lines, sound)]).toEqual([answered, []]);
      // A line that is there with a sound node says why it is not, and no rule is silent.
      for (const label of ['Node', 'History', 'Epoch', 'Network', 'Fees', 'Trend'])
        expect([answered, lines.filter(line => line.startsWith(`${label}: `)).length]).toEqual([answered, 1]);
      const { attention } = createOverview(answers, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false } });
      const lost = attention.filter(({ findings, looked }) => findings.length === 0 && looked.length === 0);
      expect([answered, lost.map(({ rule }) => rule)]).toEqual([answered, []]);
      whole = lines.filter(line => known.has(line)).length;
    }
    expect(whole).toBe(sound.length);
  });
});

describe('Overview of a slow node', () => {
  it('The overview reports that it is waiting for the node, and nothing more', async () => {
    const sound = await sentences({});
    const seen = new Set<string>();
    await overviewFrom(SOUND, {
      onAnswer: answers => {
        for (const line of sentencesOf(answers)) seen.add(line);
      },
    });
    expect(seen.size).toBeGreaterThan(sound.length + 5);
    expect(claims([...seen], sound)).toEqual([]);
  });
});

describe('Overview of an empty node', () => {
  const empty: Chain = Object.fromEntries(
    Object.entries(SOUND).map(([path, answer]) => {
      const [wrapper = ''] = Object.keys(Object(answer));
      return [path, path === 'statistics' ? answer : wrapper === 'segments' ? { segments: [] } : page(wrapper, [])];
    }),
  );

  it('The overview reports that the node lists nothing', async () => {
    expect(await sentences(empty)).toMatchInlineSnapshot(`
      [
        "Node: v0.79.0, chain-1, block 5010, 1.0 s old, in sync with its core",
        "History: no segments",
        "Epoch: 42, ends in 5 min (12:05 UTC), 49 % done",
        "Network: 0 markets, 0 validators, 0 assets, 0 oracle specs, 0 signer bundles",
        "Fees: none: this node has no record of paid fees",
        "Trend: none",
        "unknown excess-signer: multisig scores are not known: the node lists no validator as part of consensus",
        "unknown commitment-above-bond: commitments above their bond: not known, because provisions of one market could not be read: no market is known",
        "unknown provision-change: provisions that change at the next epoch: not known, because provisions of one market could not be read: no market is known",
        "unknown validator-performance: performance is not known: the node lists no validators",
        "unknown validator-outside: the consensus set is not known: the node lists no validators",
        "info history: the node lists no history segments",
        "party dddd..dddd: no fees in any epoch listed, provisions not known: no market is known",
        "submitter 0x1faa..208a: no signer bundle that it can submit",
        "validator 0000..0000: not among the validators of this node",
        "market aaaa..aaaa: not among the markets of this node, no fees in any epoch listed",
      ]
    `);
  });

  it('The overview reports that the node answered nothing if its answers are empty objects', async () => {
    const nothing = Object.fromEntries(Object.keys(SOUND).map(path => [path, {}]));
    for (const line of await sentences(nothing, null)) expect([line, isOpen(line)]).toEqual([line, true]);
  });
});

/** The overview of a node that answers so many requests and then no more. */
async function dyingAfter(count: number): Promise<OverviewAnswers> {
  const sound = clientFor(SOUND);
  let left = count;
  const get: typeof sound.get = async (request, signal, options) => {
    if (left-- > 0) return sound.get(request, signal, options);
    throw new NetworkError('the connection broke', { url: 'http://n/', hint: '' });
  };
  return requestOverview({ ...sound, get }, { signal: new AbortController().signal, nowMs: () => NOW_MS });
}

/** The answer once for each of its members, with that member replaced. */
function* eachMemberAs(answer: unknown, odd: unknown): Iterable<unknown> {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    const patched = (member: unknown): unknown =>
      Array.isArray(answer)
        ? answer.with(Number(name), member)
        : Object.fromEntries(Object.entries(answer).map(([key, own]) => [key, key === name ? member : own]));
    yield patched(odd);
    for (const deeper of eachMemberAs(value, odd)) yield patched(deeper);
  }
}
