import { describe, expect, it } from 'vitest';
import { member } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { amountColumn, amountTitles } from '../../../src/chain/resources/amount-column.ts';
import { orderProblem } from '../../../src/chain/resources/page-request.ts';
import { validators } from '../../../src/chain/resources/validators.ts';
import { run } from '../../cli/run-command.ts';
import { page, refusal, withNode } from '../../node/wire.ts';
import { startStrictNode } from '../../support/strict-node.ts';
import { asset } from '../directory/directories.ts';
import { objectOf } from './full-records.ts';

const node = withNode();
const list = async (more: Record<string, string> = {}) =>
  (await page(`${node.url}/api/v2/nodes`, 'nodes', more)).edges.map(edge => objectOf(JSON.stringify(edge.node)));

const column = (id: string) => {
  const found = validators.columns.find(candidate => candidate.id === id);
  if (found === undefined) throw new Error(`no column ${id}`);
  return found;
};

describe('Validators of the embedded node', () => {
  it('The validators are those of its bundles: the removed signers, and those that may submit', async () => {
    const addresses = new Map((await list()).map(row => [String(row.ethereumAddress), column('status').value(row)]));
    const bundles = await page(`${node.url}/api/v2/erc20/multisigcontrol/signer/removed/bundles`, 'bundles');
    for (const { node: bundle } of bundles.edges) {
      expect(addresses.get(String(bundle.oldSigner))).toBe('VALIDATOR_NODE_STATUS_ERSATZ');
      expect(addresses.has(String(bundle.submitter))).toBe(true);
    }
    expect([...addresses.values()]).toContain('VALIDATOR_NODE_STATUS_TENDERMINT');
  });

  it('The validators are found by their id in the filter of bundles', async () => {
    const path = `${node.url}/api/v2/erc20/multisigcontrol/signer/removed/bundles`;
    const counts = await Promise.all(
      (await list()).map(async row => (await page(path, 'bundles', { nodeId: String(row.id) })).edges.length),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await page(path, 'bundles')).edges.length);
  });

  it('The validators are sorted by id, in descending order unless oldest first is requested', async () => {
    const ids = (await list({ 'pagination.newestFirst': 'false' })).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect((await list()).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('The validators have the stake that was delegated to them', async () => {
    for (const row of await list()) {
      const [total, ...parts] = [row.stakedTotal, row.stakedByOperator, row.stakedByDelegates].map(text =>
        BigInt(`${text}`),
      );
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
    }
  });

  it('The validators have the share of power and the change of stake that result from their raw rows', async () => {
    const rows = await list();
    const powerOf = (row: (typeof rows)[number]) => Number(member(row.rankingScore, 'votingPower'));
    const all = rows.reduce((sum, row) => sum + powerOf(row), 0);
    const { out } = await run(['list', 'validators', '--node', node.url]);
    for (const row of rows) {
      const line = out.split('\n').find(text => text.includes(String(row.id))) ?? '';
      expect(line).toContain(` ${((100 * powerOf(row)) / all).toFixed(1)} % `);
      const change = (100 * Number(row.pendingStake)) / Number(row.stakedTotal);
      if (Math.abs(change) >= 0.1) expect(line).toContain(` ${change > 0 ? '+' : ''}${change.toFixed(1)} % `);
    }
  });

  it('The list of validators refuses unreadable parameters', async () => {
    expect((await refusal(`${node.url}/api/v2/nodes?pagination.after=eA==`)).slice(0, 4)).toEqual([
      ...[500, 13, 110001, 'failed to get nodes'],
    ]);
    expect(await refusal(`${node.url}/api/v2/nodes?epochSeq=x`)).toEqual([
      ...[400, 3, 'parsing field "epoch_seq": strconv.ParseUint: parsing "x": invalid syntax'],
    ]);
  });
});

describe('List of validators', () => {
  it('A validator on a node without rankings has no status', () => {
    expect(column('status').value(objectOf('{"rankingScore":null,"status":"NODE_STATUS_VALIDATOR"}'))).toBe('');
  });

  it('A selected validator has notes: why it has no reward, what it does and what the next epoch changes', () => {
    const role = (status: string, multisigScore: string, votingPower: string, pendingStake = '0') =>
      objectOf(
        JSON.stringify({
          ...{ id: votingPower, stakedTotal: '1000', pendingStake },
          rankingScore: { status: `VALIDATOR_NODE_STATUS_${status}`, votingPower, performanceScore: '1' },
          rewardScore: { multisigScore, validatorStatus: `VALIDATOR_NODE_STATUS_${status}` },
        }),
      );
    const about = (...rows: readonly ReturnType<typeof role>[]) => validators.aboutAmong?.(rows[0] ?? {}, rows);
    const [one, zero, standby] = [
      role('TENDERMINT', '1', '7500'),
      role('TENDERMINT', '0', '2500'),
      role('ERSATZ', '1', '0', '-5'),
    ];
    expect(about(one, zero, standby)).toBe('Takes part in consensus, with 75.0 % of all voting power.');
    expect(about(zero, one)).toMatch(/^Multisig score 0 and no reward: others have a score, so this validator is not/);
    expect(about(standby, one, zero)).toBe(
      'On standby: does not take part in consensus. Stake at the next epoch: -0.5 %.',
    );
    expect(about(standby, zero, role('TENDERMINT', '0', '7500'))).toMatch(/^All 2 consensus validators listed have/);
    expect(about(zero)).toMatch(/^The only consensus validator listed has multisig score 0/);
    expect(about(role('ODD', '0', '5'))).toBe('');
  });

  it('The list of validators is requested as one page, in its only order', () => {
    expect(validators.paging.pageSize).toBe(5000);
    for (const rule of [validators.paging.byCursor, validators.paging.backward]) expect(rule).toMatch(/one page/);
    expect(orderProblem(validators, {})).toMatch(/by id/);
  });

  it('`list validators` prints the name, with status in words, power, score and address', async () => {
    const { out } = await run(['list', 'validators', '--node', node.url]);
    expect(out).toMatch(/^NAME +STATUS +POWER +PERF +MULTISIG +\+STAKE +STAKE VEGA +SIGNS AS +ID/);
    expect(out).toMatch(/\nAshgrove +CONSENSUS +25\.0 % .* 0x[0-9a-fA-F]{40} .* [0-9a-f]{64}/);
  });

  it('A validator has its stake in the staking asset, never rounded, and as sent for programs', async () => {
    const [row] = await list();
    const raw = String(row?.stakedTotal);
    const whole = `${raw.slice(0, -18).replace(/\B(?=(\d{3})+$)/g, ' ')}.${raw.slice(-18)}`;
    const [listed, shown] = [
      await run(['list', 'validators', '--node', node.url]),
      await run(['show', 'validators', String(row?.id), '--node', node.url]),
    ];
    expect(listed.out).toContain(whole);
    expect(shown.out).toMatch(new RegExp(`stakedTotal +${whole.replace(/0+$/, '')} VEGA +\\(${raw}\\)`));
    const { out: csv } = await run(['list', 'validators', '--node', node.url, '-o', 'csv']);
    expect(csv.split('\n')[0]).toContain(',stake,stake_scaled,symbol,ethereum,');
    expect(csv).toContain(`,${raw},`);
    const { out: ndjson } = await run(['list', 'validators', '--node', node.url, '-o', 'ndjson']);
    expect(ndjson).toContain(`"stakedTotal":"${raw}"`);
  });

  it('A validator has its stake in smallest units, as headed, if the asset or its decimals are unknown', async () => {
    const rows = await list();
    const titleWith = (directory: Directory) =>
      amountTitles('STAKE', amountColumn(column('stake'), rows, { directory, isExact: true }))[0];
    const assets = new Map([['aa', asset({ symbol: 'VEGA', decimals: 18 })]]);
    expect(titleWith({ ...NO_NAMES, assets, rewardAsset: 'AA' })).toBe('STAKE VEGA');
    const unknown = new Map([['aa', asset({ symbol: 'VEGA', decimals: null })]]);
    for (const directory of [
      { ...NO_NAMES, assets },
      { ...NO_NAMES, rewardAsset: 'aa' },
      { ...NO_NAMES, assets, rewardAsset: 'bb' },
      { ...NO_NAMES, assets: unknown, rewardAsset: 'aa' },
    ])
      expect(titleWith(directory)).toBe('STAKE, decimals not known');
  });

  it('`list validators` reports that a node has no list of validators', async () => {
    await using strict = await startStrictNode();
    const { code, err } = await run(['list', 'validators', '--node', strict.url]);
    expect([code, err.split('\n')[0]]).toEqual([3, 'blockglass: this node has no list of validators (HTTP 404)']);
  });
});
