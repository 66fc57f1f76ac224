import { describe, expect, it } from 'vitest';
import type { OverviewAnswers } from '../../../src/attention/overview/answers.ts';
import { createOverview } from '../../../src/attention/overview/overview.ts';
import { RULES } from '../../../src/attention/rules/registry.ts';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import { NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import {
  arrival,
  BUNDLE,
  bond,
  type Chain,
  findingsOf,
  type Head,
  IDS,
  iso,
  market,
  NOW_MS,
  overviewFrom,
  page,
  provision,
  SOUND,
  segment,
  spec,
  statistics,
  validator,
} from '../overview/sound-chain.ts';

const NOW_S = NOW_MS / 1000;
const zero = { rewardScore: { multisigScore: '0', validatorStatus: 'VALIDATOR_NODE_STATUS_TENDERMINT' } };
const all = [0, 1, 2, 3, 4];
const nodes = (members: object, ...which: readonly number[]) =>
  page(
    'nodes',
    all.map(index => validator(index, which.includes(index) ? members : {})),
  );
const ranking = (members: object) => ({
  rankingScore: { status: 'VALIDATOR_NODE_STATUS_TENDERMINT', votingPower: '2500', performanceScore: '1', ...members },
});

/** One thing that is wrong, and all that the rules then find. */
const wrong = (what: string, chain: Chain, found: readonly string[], head: Head | null = {}) =>
  [what, chain, head, found] as const;

describe('Attention rule', () => {
  it('An attention rule finds nothing on a healthy chain and reports what it checked', async () => {
    const asked = await overviewFrom(SOUND);
    expect(findingsOf(asked)).toEqual([]);
    expect(asked.overview.attention.map(({ rule }) => rule)).toEqual(RULES.map(({ id }) => id));
    for (const { isWaiting, looked } of asked.overview.attention) {
      expect(isWaiting).toBe(false);
      expect(looked.length).toBeGreaterThan(0);
      for (const { gap, atMs } of looked) expect([gap, atMs]).toEqual(['', NOW_MS]);
    }
  });

  it.each([
    wrong(
      'a data node behind its core',
      { statistics: statistics({ blockHeight: '5310' }) },
      [
        'warning node-behind: the data node is 5 min behind its core, 300 blocks',
        'unknown provision-change: provisions of HELDA/HUSD that change at the next epoch: not known, read before epoch 42 began',
      ],
      { height: '5010', ageSeconds: 301 },
    ),
    wrong(
      'a chain that stands still',
      { statistics: statistics({ vegaTime: iso(NOW_S - 720) }) },
      ['critical node-behind: no new block for 12 min: the core of the node has none either'],
      { ageSeconds: 720 },
    ),
    wrong(
      'a block from the future',
      {},
      ['warning node-behind: the newest block is 10 min ahead of this clock: one of the two clocks is wrong'],
      { ageSeconds: -600 },
    ),
    wrong('a core that is not connected', { statistics: statistics({ status: 'CHAIN_STATUS_REPLAYING' }) }, [
      'warning node-behind: the core reports "replaying", not "connected"',
    ]),
    wrong('an excess signer', { nodes: nodes(zero, ...all) }, [
      expect.stringMatching(
        /^critical excess-signer: no consensus validator is rewarded: removing signer 0xe20..074ee may help; multisig scores are 0: the contract has a signer outside consensus, or none of the 5 is a signer \[bundles 0xe20c747a73\]$/,
      ),
      expect.stringMatching(
        /^warning bundle: remove signer 0xe20..074ee: only 0x1fa..1208a can submit it: 5 signatures; the threshold of the contract is not known here \[bundles /,
      ),
    ]),
    wrong('an excess signer without a bundle', { nodes: nodes(zero, ...all), 'removed/bundles': page('bundles', []) }, [
      expect.stringMatching(
        /^critical excess-signer: .*: no bundle listed here removes a signer outside consensus; .* \[validators 000000000000\]$/,
      ),
    ]),
    wrong(
      'an excess signer, whose newest bundle nobody signed',
      {
        nodes: nodes(zero, ...all),
        'removed/bundles': page('bundles', [
          { ...BUNDLE, epochSeq: '41', oldSigner: `0x${'0a'.repeat(20)}`, signatures: '' },
          BUNDLE,
        ]),
      },
      [
        expect.stringMatching(
          /^critical excess-signer: .* removing signer 0xe20..074ee may help; .* \[bundles 0xe20c747a73\]$/,
        ),
        expect.stringMatching(/^warning bundle: remove signer 0xe20..074ee: /),
      ],
    ),
    wrong(
      'an excess signer, whose bundles nobody signed',
      { nodes: nodes(zero, ...all), 'removed/bundles': page('bundles', [{ ...BUNDLE, signatures: '' }]) },
      [
        expect.stringMatching(
          /^critical excess-signer: .*: no bundle listed here that removes a signer can be submitted; .* \[validators 000000000000\]$/,
        ),
      ],
    ),
    wrong(
      'an excess signer, whose bundles cannot be read',
      {
        nodes: nodes(zero, ...all),
        'removed/bundles': new NetworkError('the connection broke', { url: '', hint: '' }),
      },
      [
        expect.stringMatching(
          /^critical excess-signer: .*: the fix is not known, because signer bundles could not be read; /,
        ),
        expect.stringMatching(/^unknown bundle: /),
      ],
    ),
    wrong('a removal of this epoch', { 'removed/bundles': page('bundles', [{ ...BUNDLE, epochSeq: '42' }]) }, [
      expect.stringMatching(/^warning bundle: remove signer /),
    ]),
    wrong(
      'a removal that strangers signed',
      {
        'removed/bundles': page('bundles', [{ ...BUNDLE, epochSeq: '42', nonce: '43' }]),
      },
      [
        'unknown bundle: whether a bundle that removes 0xe20..074ee can be submitted is not known: none of the validators listed here signed it',
      ],
    ),
    wrong(
      'a removal that nobody signed',
      { 'removed/bundles': page('bundles', [{ ...BUNDLE, epochSeq: '42', signatures: '' }]) },
      [],
    ),
    wrong(
      'a removal of a consensus validator',
      {
        'removed/bundles': page('bundles', [{ ...BUNDLE, epochSeq: '42', oldSigner: validator(1).ethereumAddress }]),
      },
      [],
    ),
    wrong('an oracle that is late', { 'oracle/data': page('oracleData', [arrival(4300)]) }, [
      `warning oracle-overdue: oracle spec ${IDS.spec.slice(0, 5)}..ccccc 1 h 9 min overdue: HELDA/HUSD settles on it [oracles cccccccccccc]`,
    ]),
    wrong(
      'an oracle that is late for nobody',
      {
        'oracle/data': page('oracleData', [arrival(4300)]),
        markets: page('markets', [market({ state: 'STATE_SETTLED' })]),
      },
      [expect.stringMatching(/^info oracle-overdue: .*: no market loaded here depends on it /)],
    ),
    wrong('an oracle that nothing was ever heard of', { 'oracle/data': page('oracleData', []) }, [
      expect.stringMatching(/^warning oracle-overdue: .* 10 h 9 min overdue: HELDA/),
    ]),
    wrong(
      'an oracle that is late within the data that was read',
      {
        'oracle/data': page(
          'oracleData',
          [arrival(60, { matchedSpecIds: ['ff'] }), arrival(8000, { matchedSpecIds: ['ff'] })],
          { hasNextPage: true },
        ),
      },
      [expect.stringMatching(/^warning oracle-overdue: .* at least 2 h 9 min overdue: /)],
    ),
    wrong(
      'an oracle whose data was not read so far back',
      {
        'oracle/data': page('oracleData', [arrival(60, { matchedSpecIds: ['ff'] })], { hasNextPage: true }),
      },
      ['unknown oracle-overdue: not known whether 1 oracle spec is overdue: their last values cannot be read'],
    ),
    wrong('an oracle without a source', { 'oracle/specs': page('oracleSpecs', [spec({ data: {} })]) }, [
      'unknown oracle-overdue: not known whether 1 oracle spec is overdue: their times cannot be read',
    ]),
    wrong(
      'a deactivated oracle that a market needs',
      {
        'oracle/specs': page('oracleSpecs', [spec({ status: 'STATUS_DEACTIVATED' })]),
      },
      [
        'critical oracle-deactivated: oracle spec ccccc..ccccc is deactivated: HELDA/HUSD settles on it [oracles cccccccccccc]',
      ],
    ),
    wrong(
      'a deactivated oracle of a market that is settled',
      {
        'oracle/specs': page('oracleSpecs', [spec({ status: 'STATUS_DEACTIVATED' })]),
        markets: page('markets', [market({ state: 'STATE_SETTLED' })]),
      },
      [],
    ),
    wrong('a market whose oracle is not listed', { 'oracle/specs': page('oracleSpecs', []) }, [
      'unknown oracle-deactivated: status not known of 1 oracle spec used by HELDA/HUSD: not in the list',
    ]),
    wrong(
      'a provision that leaves',
      { 'all-provisions': page('liquidityProvisions', [provision({}, { commitmentAmount: '0' })]) },
      [
        'info provision-change: provision of ddddd..ddddd (50 HUSD) leaves HELDA/HUSD at the next epoch [provisions eeeeeeeeeeee]',
      ],
    ),
    wrong(
      'provisions that change',
      {
        'all-provisions': page('liquidityProvisions', [
          provision({ id: '1'.repeat(64) }, { id: '1'.repeat(64), commitmentAmount: '6000000' }),
          provision({ id: '2'.repeat(64) }, { id: '2'.repeat(64), commitmentAmount: '0' }),
          provision({ id: '3'.repeat(64), status: 'STATUS_PENDING' }),
          provision({ id: '4'.repeat(64) }),
        ]),
      },
      [
        'info provision-change: 3 of 4 live provisions of HELDA/HUSD change at the next epoch: 1 to leave, 1 amended, 1 new [provisions 222222222222]',
      ],
    ),
    wrong(
      'provisions that change, on a node that lists a pending version alone',
      {
        'all-provisions': page('liquidityProvisions', [
          { ...provision({ id: '1'.repeat(64), version: '2', status: 'STATUS_PENDING' }).current },
          {
            ...provision({ id: '2'.repeat(64), version: '2', status: 'STATUS_PENDING', commitmentAmount: '0' }).current,
          },
          { ...provision({ id: '3'.repeat(64), version: '1', status: 'STATUS_PENDING' }).current },
        ]),
      },
      [
        'info provision-change: 3 of 3 live provisions of HELDA/HUSD change at the next epoch: 1 to leave, 1 new, 1 new or amended [provisions 222222222222]',
      ],
    ),
    wrong('a commitment above its bond', { accounts: page('accounts', [bond({ balance: '4900000' })]) }, [
      'warning commitment-above-bond: provision of ddddd..ddddd on HELDA/HUSD above its bond: 50 HUSD committed, 49 HUSD bond [provisions eeeeeeeeeeee]',
    ]),
    wrong(
      'a commitment without a bond that is active no longer, or not yet',
      {
        accounts: page('accounts', [bond({ balance: '0' })]),
        'all-provisions': page('liquidityProvisions', [
          provision({ id: '1'.repeat(64), status: 'STATUS_UNDEPLOYED' }),
          provision({ id: '2'.repeat(64), status: 'STATUS_PENDING' }),
        ]),
      },
      [expect.stringMatching(/^info provision-change: provision of .* joins HELDA\/HUSD/)],
    ),
    wrong('a bond that is not there', { accounts: page('accounts', [bond({ type: 'ACCOUNT_TYPE_GENERAL' })]) }, [
      'unknown commitment-above-bond: 1 bond of 1 active provision of HELDA/HUSD cannot be compared: the account is missing or unreadable',
    ]),
    wrong('a validator on standby', { nodes: nodes(ranking({ status: 'VALIDATOR_NODE_STATUS_ERSATZ' }), 3) }, [
      'info validator-outside: 1 of 5 validators outside the consensus set: Validator 3 [validators 030303030303]',
    ]),
    wrong('a validator that is slow', { nodes: nodes(ranking({ performanceScore: '0.8999' }), 2) }, [
      'warning validator-performance: 1 of 5 validators below 90 % performance: Validator 2 at 89.99 % [validators 020202020202]',
    ]),
    wrong('a validator just fast enough', { nodes: nodes(ranking({ performanceScore: '0.9' }), 2) }, []),
    wrong(
      'history with a gap',
      {
        'networkhistory/segments': { segments: [segment(1, 1000), segment(2001, 5000)] },
      },
      ['warning history: history of 2 segments: blocks 1001 to 2000 missing'],
    ),
    wrong(
      'history that is not one chain',
      {
        'networkhistory/segments': {
          segments: [segment(1, 1000), { ...segment(1001, 5000), previousHistorySegmentId: 'QX' }],
        },
      },
      ['critical history: the segments do not form one chain at block 1001: its segment names QX before it, not Q1000'],
    ),
    wrong(
      'history that overlaps',
      { 'networkhistory/segments': { segments: [segment(1, 1000), segment(1001, 5000), segment(1001, 2000)] } },
      ['warning history: history of 3 segments: blocks 1001 to 2000 in more than one segment'],
    ),
    wrong(
      'history that ends early',
      { 'networkhistory/segments': { segments: [segment(1, 1000), segment(1001, 2000)] } },
      ['warning history: history ends at block 2000, 3 010 blocks behind the newest block of the node'],
    ),
    wrong('no history', { 'networkhistory/segments': { segments: [] } }, [
      'info history: the node lists no history segments',
    ]),
  ])('An attention rule is raised by %s', async (_, chain, head, found) => {
    expect(findingsOf(await overviewFrom({ ...SOUND, ...chain }, { head }))).toEqual(found);
  });

  it.each([
    ['enough', 700, 5, /^warning bundle: .* can submit it: 5 of 5 signers signed, threshold 700/],
    ['not enough', 700, 8, /^info bundle: .* not enough signatures yet: only .*: 5 of 8 signers signed, threshold 700/],
    [
      'enough up to a number of signers',
      700,
      undefined,
      /^warning bundle: .*: enough for a contract of up to 7 signers/,
    ],
  ] as const)(
    'The bundle rule compares signatures with the known threshold: %s',
    async (_, threshold, signerCount, found) => {
      const chain = { ...SOUND, 'removed/bundles': page('bundles', [{ ...BUNDLE, epochSeq: '42' }]) };
      expect(findingsOf(await overviewFrom(chain, { threshold, signerCount }))).toEqual([expect.stringMatching(found)]);
    },
  );

  it('The excess-signer rule links to the bundle that the user can submit, out of all that remove the signer', async () => {
    const others = ['1', '2'].map(digit => ({ ...BUNDLE, submitter: `0x${digit.repeat(40)}` }));
    const bundles = page('bundles', [...others.slice(0, 1), BUNDLE, ...others.slice(1)]);
    const { answers } = await overviewFrom({ ...SOUND, nodes: nodes(zero, ...all), 'removed/bundles': bundles });
    const { checked } = answers;
    if (checked.kind !== 'answered') throw new Error('the signatures were checked');
    const signed = [...checked.value].find(([row]) => row.submitter === BUNDLE.submitter)?.[1];
    if (signed === undefined) throw new Error('the bundle was checked');
    const allSigned = { ...checked, value: new Map([...checked.value].map(([row]) => [row, signed])) };
    const keysFor = (mine: string): readonly (string | null | undefined)[] => {
      const mineOn = () => ({ ...NOTHING_MINE, submitter: new Set([mine]) });
      const settings = { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false }, mineOn };
      const { attention } = createOverview({ ...answers, checked: allSigned }, settings);
      return ['bundle', 'excess-signer'].map(id => attention.find(({ rule }) => rule === id)?.findings[0]?.key);
    };
    for (const { submitter } of [BUNDLE, ...others])
      for (const key of keysFor(submitter)) expect(key).toContain(submitter);
  });

  it('The bundle rule counts the signatures of bundles with the same removal, whoever submits them', async () => {
    const other = { ...BUNDLE, submitter: `0x${'1'.repeat(40)}` };
    const bundles = page(
      'bundles',
      [BUNDLE, other].map(row => ({ ...row, epochSeq: '42' })),
    );
    const { answers } = await overviewFrom({ ...SOUND, 'removed/bundles': bundles });
    const { checked } = answers;
    if (checked.kind !== 'answered') throw new Error('the signatures were checked');
    const [signed] = checked.value.values();
    if (signed?.findings === undefined) throw new Error('the bundle was checked');
    const fewer = { ...signed, findings: { ...signed.findings, known: 4 } };
    const value = new Map([...checked.value].map(([row], index) => [row, index === 0 ? signed : fewer]));
    const found = [BUNDLE, other].map(({ submitter }) => {
      const mineOn = () => ({ ...NOTHING_MINE, submitter: new Set([submitter]) });
      const settings = { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false }, mineOn };
      const { attention } = createOverview({ ...answers, checked: { ...checked, value } }, settings);
      return attention.find(({ rule }) => rule === 'bundle')?.findings[0];
    });
    for (const one of found)
      expect(one?.sentence).toContain('2 bundles, for one submitter each, 1 for you: 4 to 5 signatures; ');
    expect(new Set(found.map(one => one?.key)).size).toBe(2);
    expect(new Set(found.map(one => one?.subject)).size).toBe(1);
  });

  const LISTS: readonly (readonly [path: string, wrapper: string, rules: readonly string[]])[] = [
    ['markets', 'markets', ['oracle-deactivated', 'oracle-overdue']],
    ['nodes', 'nodes', ['excess-signer', 'bundle', 'validator-performance', 'validator-outside']],
    ['removed/bundles', 'bundles', ['bundle']],
    ['oracle/specs', 'oracleSpecs', ['oracle-deactivated', 'oracle-overdue']],
    ['oracle/data', 'oracleData', ['oracle-overdue']],
    ['all-provisions', 'liquidityProvisions', ['commitment-above-bond', 'provision-change']],
    ['accounts', 'accounts', ['commitment-above-bond']],
  ];

  it.each(LISTS)('An attention rule reports an unknown result if %s cannot be read', async (path, _, rules) => {
    const error = new NetworkError('the connection broke', { url: 'http://n/', hint: '' });
    const { overview } = await overviewFrom({ ...SOUND, [path]: error, provisions: error });
    const unknown = overview.attention.filter(({ findings }) => findings.length > 0);
    expect(unknown.map(({ rule }) => rule)).toEqual(rules);
    for (const { findings } of unknown) {
      expect(findings.map(({ severity }) => severity)).toEqual(['unknown']);
      expect(findings[0]?.sentence).toMatch(/: not known, because .* could not be read: the connection broke$/);
    }
  });

  it.each(LISTS.filter(([path]) => path !== 'oracle/data'))(
    'An attention rule reports how much it checked if %s has more rows',
    async (path, wrapper, rules) => {
      const sound = SOUND[path];
      const records: readonly { readonly node: unknown }[] = JSON.parse(JSON.stringify(sound))[wrapper].edges;
      const part = page(
        wrapper,
        records.map(({ node }) => node),
        { hasNextPage: true },
      );
      const { overview } = await overviewFrom({ ...SOUND, [path]: part });
      const unknown = overview.attention.filter(({ findings }) => findings.length > 0);
      expect(unknown.map(({ rule }) => rule)).toEqual(rules);
      for (const { findings } of unknown)
        expect(findings.map(({ severity, sentence }) => `${severity} ${sentence}`)).toEqual([
          expect.stringMatching(/^unknown .*: only \d of the .* could be checked: the node has more$/),
        ]);
    },
  );

  it('An attention rule waits for missing responses and finds nothing before', async () => {
    const waiting: number[] = [];
    const onAnswer = (answers: OverviewAnswers): void => {
      const { attention } = createOverview(answers, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false } });
      expect(attention.flatMap(({ findings }) => findings)).toEqual([]);
      waiting.push(attention.filter(({ isWaiting }) => isWaiting).length);
    };
    await overviewFrom(SOUND, { onAnswer });
    expect(waiting[0]).toBe(RULES.length - 1);
    expect(waiting.at(-1)).toBe(0);
    expect(waiting.every((count, index) => count <= (waiting[index - 1] ?? count))).toBe(true);
  });
});
