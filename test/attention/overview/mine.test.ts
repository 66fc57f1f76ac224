import { describe, expect, it } from 'vitest';
import { NO_ANSWERS } from '../../../src/attention/overview/answers.ts';
import { createOverview } from '../../../src/attention/overview/overview.ts';
import { RefusedError } from '../../../src/chain/api/errors.ts';
import { type Mine, NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import {
  BUNDLE,
  type Chain,
  fee,
  IDS,
  NOW_MS,
  overviewFrom,
  page,
  provision,
  SOUND,
  validator,
} from './sound-chain.ts';

const id = (digits: string): string => digits.repeat(32);
const party: Mine = { ...NOTHING_MINE, party: new Set([IDS.party]) };
const market: Mine = { ...NOTHING_MINE, market: new Set([IDS.market]) };
const submitter: Mine = { ...NOTHING_MINE, submitter: new Set([BUNDLE.submitter]) };
const node = (index: number): Mine => ({ ...NOTHING_MINE, node: new Set([validator(index).id]) });

/** What is said of what is the user's, in sentences; `(unread)` before what could not be read. */
async function said(chain: Chain, mine: Mine, on = 'chain-1', isAsked = false): Promise<readonly string[]> {
  const mineOn = (chainId: string) => (chainId === on ? mine : NOTHING_MINE);
  const { answers, paths } = await overviewFrom(chain, isAsked ? { mineOn } : {});
  expect(paths.length).toBeLessThanOrEqual(12 + (isAsked ? mine.party.size : 0));
  const { mine: lines } = createOverview(answers, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false }, mineOn });
  return lines.flatMap(({ facts, unread }) => [
    ...facts.map(
      ({ sentence, resource, key }) => `${sentence}${resource === null ? '' : ` [${resource} ${key?.slice(0, 4)}]`}`,
    ),
    ...unread.map(why => `(unread) ${why}`),
  ]);
}

const refused = new RefusedError(500, { code: 13, message: 'no', details: [] }, { url: 'http://n/', hint: '' });

describe("Overview of the user's own ids", () => {
  it('The overview reports own ids from the lists that are read anyway', async () => {
    expect(await said(SOUND, party)).toEqual([
      'only HELDA/HUSD asked: ACTIVE, 50 HUSD committed [provisions eeee]',
      '10 HUSD of fees on 1 market in epoch 41 [fees aaaa]',
    ]);
    expect(await said(SOUND, market)).toEqual(['ACTIVE [markets aaaa]', '10 HUSD of fees in epoch 41 [fees aaaa]']);
  });

  it('The overview reports all commitments of a party, on every market, with one request for the party', async () => {
    const rows = [provision(), provision({ id: id('e2'), marketId: id('a2') })];
    const chain = { ...SOUND, 'all-provisions': page('liquidityProvisions', rows) };
    expect((await said(chain, party, 'chain-1', true)).slice(0, 2)).toEqual([
      '2 commitments: ACTIVE, 50 HUSD committed on HELDA/HUSD [provisions eeee]',
      'ACTIVE, 5 000 000 smallest units committed on a2a2a..2a2a2 [provisions e2e2]',
    ]);
    const { paths } = await overviewFrom(chain, { mineOn: () => party });
    expect(paths.filter(path => path.includes('partyId='))).toEqual([
      `api/v2/liquidity/all-provisions?partyId=${IDS.party}&live=true&pagination.first=5000`,
    ]);
    const none = { ...SOUND, 'all-provisions': page('liquidityProvisions', []) };
    expect((await said(none, party, 'chain-1', true))[0]).toBe('no live provision on any market');
    const cut = { ...SOUND, 'all-provisions': page('liquidityProvisions', rows, { hasNextPage: true }) };
    expect(await said(cut, party, 'chain-1', true)).toContain('(unread) provisions in part: the node has more');
    const away = await said({ ...SOUND, 'all-provisions': refused }, party, 'chain-1', true);
    expect(away.at(-1)).toMatch(/^\(unread\) provisions not known: /);
  });

  it('The overview reports nothing from another chain, and nothing while the chain is unknown', async () => {
    expect(await said(SOUND, party, 'chain-2')).toEqual([]);
    expect(
      createOverview(NO_ANSWERS, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false }, mineOn: () => party }).mine,
    ).toEqual([]);
  });

  it('The overview reports where own ids were not found, for complete lists', async () => {
    const other: Mine = {
      ...NOTHING_MINE,
      party: new Set([id('77')]),
      market: new Set([id('78')]),
      node: new Set([id('79')]),
    };
    expect(await said(SOUND, other)).toEqual([
      'no fees in epoch 41',
      '(unread) provisions: none on HELDA/HUSD, others were not asked',
      'not among the validators of this node',
      'not among the markets of this node',
      'no fees in epoch 41',
    ]);
    const partial = { ...SOUND, markets: page('markets', [], { hasNextPage: true }) };
    expect(await said(partial, { ...NOTHING_MINE, market: new Set([id('78')]) })).toEqual([
      'no fees in epoch 41',
      '(unread) markets in part: this page of 0 rows reports more',
    ]);
  });

  it('The overview never treats unreadable data as nothing', async () => {
    const broken = { ...SOUND, 'liquidity/paidfees': refused, 'removed/bundles': refused };
    expect(await said(broken, party)).toContain('(unread) fees not known: HTTP 500: no');
    expect(await said(broken, submitter)).toEqual([expect.stringMatching(/^\(unread\) signer bundles not known: /)]);
    const unreadable = { ...SOUND, 'liquidity/paidfees': page('paidLiquidityFees', [fee(41), fee(40, 'much')]) };
    expect(await said(unreadable, market)).toContain('(unread) fees in part: 1 of 2 rows cannot be read');
  });

  it('The overview lists the bundles that an own id can submit, and those not known to be needed', async () => {
    const bundles = [BUNDLE, { ...BUNDLE, nonce: '2' }, { ...BUNDLE, submitter: `0x${'1'.repeat(40)}` }];
    const listed = { ...SOUND, 'removed/bundles': page('bundles', bundles) };
    expect(await said(listed, submitter)).toEqual([
      '2 signer bundles to submit, none known to be needed [bundles 0xe2]',
    ]);
    const newly = {
      ...SOUND,
      'removed/bundles': page(
        'bundles',
        bundles.map(one => ({ ...one, epochSeq: '42' })),
      ),
    };
    expect(await said(newly, submitter)).toEqual([
      expect.stringMatching(/^2 signer bundles to submit, the newest removes 0x.* \[bundles 0xe2\]$/),
    ]);
    const unsigned = bundles.map((one, index) => ({
      ...one,
      epochSeq: '42',
      ...(index === 1 && { signatures: '0xab' }),
    }));
    expect(await said({ ...SOUND, 'removed/bundles': page('bundles', unsigned) }, submitter)).toEqual([
      expect.stringMatching(/^1 signer bundle to submit, the newest removes 0x.*; 1 more cannot be submitted \[/),
    ]);
    const none = page('bundles', [{ ...BUNDLE, epochSeq: '42', signatures: '' }]);
    expect(await said({ ...SOUND, 'removed/bundles': none }, submitter)).toEqual([
      '1 signer bundle to submit, but not with these signatures [bundles 0xe2]',
    ]);
  });

  it('The overview has rank, performance and score of an own validator, and the holdings of its keys', async () => {
    const address = validator(0).ethereumAddress;
    const chain = {
      ...SOUND,
      'removed/bundles': page('bundles', [{ ...BUNDLE, submitter: address, epochSeq: '42' }]),
      'liquidity/paidfees': page('paidLiquidityFees', [
        fee(41, '1000000', { feesPaidPerParty: [{ party: validator(0).pubKey, amount: '250000' }] }),
      ]),
    };
    expect(await said(chain, node(0))).toEqual([
      'in consensus, rank 1 to 5 of 5 by voting power, performance 100 %, multisig score 1 [validators 0000]',
      expect.stringMatching(/^1 signer bundle to submit, the newest removes /),
      '2.50 HUSD of fees on 1 market in epoch 41 [fees aaaa]',
    ]);
    const weak = { rankingScore: { ...validator(0).rankingScore, votingPower: '2000' } };
    const one = page('nodes', [validator(0, weak), ...[1, 2, 3].map(index => validator(index)), validator(4, weak)]);
    expect((await said({ ...chain, nodes: one }, node(0)))[0]).toContain('rank 4 to 5 of 5 by voting power');
    const odd = { rankingScore: { status: 'constructor', votingPower: '', performanceScore: 'x' }, rewardScore: {} };
    expect(await said({ ...SOUND, nodes: page('nodes', [validator(0, odd)]) }, node(0))).toContain(
      'role not known [validators 0000]',
    );
  });

  it('The overview reports what an own commitment becomes at the next epoch', async () => {
    const leaving = {
      ...SOUND,
      'all-provisions': page('liquidityProvisions', [provision({}, { commitmentAmount: '0' })]),
    };
    expect(await said(leaving, party)).toContain(
      'only HELDA/HUSD asked: ACTIVE, 50 HUSD committed, leaves at the next epoch [provisions eeee]',
    );
  });

  it('The overview puts what may be cut off last, and reports when only one market was requested', async () => {
    const joining = {
      ...SOUND,
      'all-provisions': page('liquidityProvisions', [provision({ status: 'STATUS_PENDING' })]),
    };
    expect((await said(joining, party))[0]).toBe(
      'only HELDA/HUSD asked: PENDING, 50 HUSD committed, joins at the next epoch [provisions eeee]',
    );
  });

  it('The overview reports what an own commitment was to become if an epoch has begun since it was read', async () => {
    const rowsOf = (...rows: readonly object[]) => ({ ...SOUND, 'all-provisions': page('liquidityProvisions', rows) });
    const sentences = async (chain: Chain) => {
      const { answers } = await overviewFrom(chain, { head: { ageSeconds: 400 } });
      const { mine, attention } = createOverview(answers, {
        nowMs: NOW_MS,
        limit: { ms: 60_000, isLive: false },
        mineOn: () => party,
      });
      const { findings = [] } = attention.find(({ rule }) => rule === 'provision-change') ?? {};
      return [...mine.flatMap(({ facts }) => facts.slice(0, 1)), ...findings].map(({ sentence }) => sentence);
    };
    expect(await sentences(rowsOf(provision({}, { commitmentAmount: '0' })))).toEqual([
      'only HELDA/HUSD asked: ACTIVE, 50 HUSD committed, was to leave when epoch 42 began',
      '1 of 1 live provision of HELDA/HUSD was to change when epoch 42 began (1 to leave); what changes next is not known',
    ]);
    expect(await sentences(rowsOf(provision()))).toEqual([
      'only HELDA/HUSD asked: ACTIVE, 50 HUSD committed',
      'provisions of HELDA/HUSD that change at the next epoch: not known, read before epoch 42 began',
    ]);
  });
});
