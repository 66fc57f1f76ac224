import { describe, expect, it } from 'vitest';
import { page, refusal, withNode } from './wire.ts';

const node = withNode();

const bundlesPath = '/api/v2/erc20/multisigcontrol/signer/removed/bundles';
const bundles = (more: Record<string, string> = {}) =>
  page(`${node.url}/api/v2/erc20/multisigcontrol/signer/removed/bundles`, 'bundles', more);

describe('signer bundles', () => {
  it('are twelve rows, several for one old signer, one of them unsigned', async () => {
    const rows = (await bundles()).edges.map(({ node: row }) => row);
    expect(rows).toHaveLength(12);
    expect(new Set(rows.map(({ oldSigner }) => oldSigner)).size).toBe(4);
    expect(rows.filter(({ signatures }) => signatures === '')).toHaveLength(1);
    const noncesPerSigner = rows.map(({ oldSigner, nonce }) => `${oldSigner} ${nonce}`);
    expect(new Set(noncesPerSigner).size).toBe(4);
  });

  it('hold whole signatures of 65 bytes, sorted ascending', async () => {
    for (const { node: row } of (await bundles()).edges) {
      expect(Object.keys(row)).toEqual(['oldSigner', 'submitter', 'nonce', 'timestamp', 'signatures', 'epochSeq']);
      const signatures =
        String(row.signatures)
          .slice(2)
          .match(/.{130}/g) ?? [];
      expect(String(row.signatures)).toBe(signatures.length === 0 ? '' : `0x${signatures.join('')}`);
      expect(signatures).toEqual(signatures.toSorted());
      for (const signature of signatures) expect(signature).toMatch(/^[0-9a-f]{64}[0-7][0-9a-f]{63}0[01]$/);
    }
  });

  it('are found by submitter, epoch and node, an empty filter being none', async () => {
    const all = await bundles();
    const [first] = all.edges;
    const submitter = String(first?.node.submitter);
    const bySubmitter = await bundles({ submitter: submitter.toUpperCase().replace('0X', '0x') });
    expect(bySubmitter.edges).toEqual(all.edges.filter(({ node: row }) => row.submitter === submitter));
    const epochSeq = String(first?.node.epochSeq);
    expect((await bundles({ epochSeq })).edges).toEqual(all.edges.filter(({ node: row }) => row.epochSeq === epochSeq));
    expect(await bundles({ nodeId: '', submitter: '', epochSeq: '' })).toEqual(all);
    expect((await bundles({ nodeId: 'ab'.repeat(32) })).edges).toEqual([]);
  });

  it('refuse filters that cannot be read', async () => {
    const inner = 'epochSql: x: strconv.ParseInt: parsing "x": invalid syntax';
    expect(await refusal(`${node.url}${bundlesPath}?epochSeq=x`)).toEqual([
      400,
      3,
      10036,
      'failed to parse epoch id',
      inner,
    ]);
    const multisig = [400, 3, 270002, 'failed to get removed multisig events'];
    expect((await refusal(`${node.url}${bundlesPath}?nodeId=zz`)).slice(0, 4)).toEqual(multisig);
    expect((await refusal(`${node.url}${bundlesPath}?submitter=abcd`)).slice(0, 4)).toEqual(multisig);
  });
});
