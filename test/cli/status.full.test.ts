import { expect, it } from 'vitest';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { run } from './run-command.ts';

it('a node that goes on refusing is waited for once, and is busy', async () => {
  const node = await startFaultyNode({ faults: ['too-many'] });
  try {
    const { code, out } = await run(['status', '--node', node.url]);
    expect([code, out]).toEqual([3, expect.stringContaining('BUSY')]);
  } finally {
    await node.close();
  }
});
