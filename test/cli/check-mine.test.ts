import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NOTHING_MINE } from '../../src/chain/directory/mine.ts';
import { run } from './run-command.ts';
import { checkerOf, type SwitchedNode, startSwitchedNode } from './switched-node.ts';

let node: SwitchedNode;
beforeAll(async () => {
  node = await startSwitchedNode(Date.now());
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(() => {
  node.alter = (_, body) => body;
  node.requests.length = 0;
});

function home(mine?: object | string) {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.config', 'blockglass'), { recursive: true });
  if (mine !== undefined)
    writeFileSync(
      join(folder, '.config', 'blockglass', 'mine.json'),
      typeof mine === 'string' ? mine : JSON.stringify({ 'demo-chain-1': mine }),
    );
  return async (...words: readonly string[]) => {
    const { code, out, err } = await run(['check', '--node', node.url, '-o', 'json', ...words], {
      env: { HOME: folder },
    });
    const list: { rule: string; severity: string; sentence: string }[] = out === '' ? [] : JSON.parse(out);
    return { code, err, found: list.map(({ rule, severity, sentence }) => `${severity} ${rule}: ${sentence}`) };
  };
}

const list = async (path: string): Promise<readonly { readonly [name: string]: string }[]> => {
  const answer = JSON.parse(await (await fetch(`${node.url}/api/v2/${path}`)).text());
  const [wrapper] = Object.values<{ edges: { node: { [name: string]: string } }[] }>(answer);
  return (wrapper?.edges ?? []).map(edge => edge.node);
};

describe('check --mine', () => {
  it("`check --mine` limits findings on validators to the user's own", async () => {
    const nodes = await list('nodes');
    const outside = nodes.find(({ name }) => name === 'Farolito')?.id ?? '';
    const inside = nodes.find(({ rankingScore }) => JSON.stringify(rankingScore).includes('TENDERMINT'))?.id ?? '';
    const check = home({ validators: [outside] });
    expect((await check('--mine', 'validator-outside')).found).toEqual([
      expect.stringMatching(/^info validator-outside: yours: 1 of 1 validator outside the consensus set: Farolito/),
    ]);
    expect((await home({ validators: [inside] })('--mine', 'validator-outside')).found).toEqual([]);
    // One that the node does not list is not fine.
    const unlisted = await home({ validators: ['ab'.repeat(32)] })(
      '--mine',
      'validator-outside',
      'validator-performance',
    );
    expect(unlisted.code).toBe(3);
    expect(unlisted.found).toEqual([
      'unknown validator-performance: yours: not known: 1 validator not in the list of this node',
      'unknown validator-outside: yours: not known: 1 validator not in the list of this node',
    ]);
    expect(await home({ validators: [inside, 'ab'.repeat(32)] })('--mine', 'validator-performance')).toMatchObject({
      code: 3,
    });
  });

  it('`check --mine` reports a market that the node does not list as unknown', async () => {
    expect(await home({ markets: ['ab'.repeat(32)] })('--mine', 'oracle-overdue')).toMatchObject({
      code: 3,
      found: [
        expect.stringMatching(/^unknown oracle-overdue: yours: not known: 1 market not in the list of this node/),
      ],
    });
  });

  it("`check --mine` checks the provisions of the user's parties on every market", async () => {
    const [, second] = await list('markets');
    const provisions = await list(`liquidity/provisions?marketId=${second?.id}&live=true`);
    const party = provisions[0]?.partyId ?? '';
    const check = home({ parties: [party] });
    const { found } = await check('--mine', 'provision-change', 'commitment-above-bond');
    expect(node.requests.some(path => path.includes(`partyId=${party}`))).toBe(true);
    expect(found.filter(line => line.startsWith('unknown'))).toEqual([]);
  });

  it('`check --mine` checks the node and the chain as usual', async () => {
    const { found } = await home({ parties: ['ab'.repeat(32)] })('--mine', 'excess-signer');
    expect(found).toEqual([expect.stringMatching(/^critical excess-signer: no consensus validator/)]);
  });

  it('`check --mine` reports who else can submit a bundle', async () => {
    const [newest] = await list('erc20/multisigcontrol/signer/removed/bundles?pagination.newestFirst=true');
    const check = home({ submitters: [newest?.submitter] });
    const { found } = await check('--mine', 'bundle');
    expect(found).toEqual([expect.stringMatching(/: 4 bundles, for one submitter each, 1 for you: /)]);
    expect((await check('bundle')).found).toContain(found[0]?.replace('yours: ', ''));
  });

  it('`check --mine` does not change alarms found without the flag', async () => {
    const [first] = await list('nodes');
    const check = home({ validators: [first?.id] });
    const all = (await check('validator-outside')).found;
    await check('--mine', 'validator-outside');
    expect((await check('validator-outside')).found).toEqual(all);
  });

  it('`check --mine` does not interfere with the alarms of a check on everything', async () => {
    const [newest] = await list('erc20/multisigcontrol/signer/removed/bundles?pagination.newestFirst=true');
    const folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    let mine = NOTHING_MINE;
    let nowMs = Date.now();
    const shared = { path: join(folder, 'memory.json'), nowMs: () => nowMs, rules: ['bundle'], mineOn: () => mine };
    const watch = checkerOf(node, shared);
    const first = await watch.check({ remindMs: undefined });
    expect(first.changes.length).toBeGreaterThan(0);
    mine = { ...NOTHING_MINE, submitter: new Set([newest?.submitter ?? '']) };
    nowMs += 1000;
    expect((await checkerOf(node, { ...shared, isMine: true }).check()).entries).toHaveLength(1);
    nowMs += 1000;
    const again = await watch.check({ remindMs: undefined });
    expect(again.changes).toEqual([]);
    expect(again.entries.map(({ sinceMs }) => sinceMs)).toEqual(first.entries.map(({ sinceMs }) => sinceMs));
  });

  it.each([
    ['nothing is', undefined, 3, /nothing is yours on the chain demo-chain-1/],
    ['the file is damaged', '{"demo-chain-1": ', 3, /mine.json is not used/],
    [
      'there are 100,000 ids',
      `{"demo-chain-1": {"parties": [${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(16).padStart(64, '0')}"`).join()}]}}`,
      3,
      /larger than 1 MiB/,
    ],
  ])("`check --mine` is never OK where %s the user's", async (_, mine, code, said) => {
    const ran = await home(mine)('--mine');
    expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(said)]);
  });

  it('`check --mine` handles as many ids as the file can hold, within time and request limits', async () => {
    const ids = Array.from({ length: 14_000 }, (_, index) => index.toString(16).padStart(64, '0'));
    const check = home({ parties: ids });
    const startMs = performance.now();
    const { code } = await check('--mine');
    expect(code).toBeGreaterThan(0);
    expect(node.requests.length).toBeLessThanOrEqual(25);
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});

it("The income rule asks for a party if only a validator is the user's", async () => {
  const [first] = await list('nodes');
  const { found } = await home({ validators: [first?.id] })('income');
  expect(found).toEqual([expect.stringMatching(/^unknown income: this rule has nothing to check: add your party /)]);
});

it("The income rule is unknown if the user's own ids cannot be read", async () => {
  const { found } = await home('{"demo-chain-1": ')('node-behind', 'income');
  expect(found).toEqual([expect.stringMatching(/^unknown income: .*mine.json is not used/)]);
});
