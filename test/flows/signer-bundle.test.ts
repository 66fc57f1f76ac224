import { expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { tabKey } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import { hasRows, openExplorer } from './support/explorer.ts';
import { run } from './support/program.ts';

/** What was last put on the clipboard with OSC 52. */
function clipboard(terminal: Terminal): string {
  const encoded = [...terminal.raw.matchAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].at(-1)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

it('The explorer shows a bundle that can be submitted, its signers and what to send in three keys', async () => {
  const node = await startNode({});
  try {
    await using terminal = await openExplorer({ node: node.url, columns: 80, rows: 24 });
    await terminal.press(tabKey('bundles'));
    await terminal.waitFor(screen => screen.includes('OLD SIGNER') && hasRows(screen));
    await terminal.press('enter');
    const screen = await terminal.waitFor('5 of 5 signatures known');
    for (const text of [/Remove signer 0x\w{4}\.\.\w{4} \(Gannet\)/, /Only 0x\w{4}\.\.\w{4} \(\w.+\) can submit it/])
      expect(screen).toMatch(text);
    expect(screen).toContain("whether the nonce was used; who the contract's signers are");
    expect(screen).toContain('Call remove_signer(old_signer, nonce, signatures)');
    expect(screen.match(/^ +\w[\w ]* +0x[0-9a-fA-F]{40}$/gm)).toHaveLength(7);
    await terminal.press('C');
    await terminal.waitFor(/calldata (?:sent|copied)/);
    const { stdout } = await run(['show', 'bundles', '0', '--meaning', '--node', node.url, '-o', 'json']);
    const { call, known, submitter } = JSON.parse(stdout);
    expect(clipboard(terminal)).toBe(call.calldata);
    expect([known, call.function]).toEqual([5, 'remove_signer(address,uint256,bytes)']);
    expect(screen).toContain(call.contract);
    const sending = await run(['show', 'bundles', '0', '--node', node.url]);
    expect(sending.stdout).toContain(`cast send ${call.contract} 'remove_signer(address,uint256,bytes)'`);
    expect(sending.stdout).toContain(`--from ${submitter}`);
  } finally {
    await node.close();
  }
});
