import { expect, it } from 'vitest';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { run } from './run-command.ts';

it('`status` waits once for a node that keeps refusing, and reports it as busy', async () => {
  const node = await startFaultyNode({ faults: ['too-many'] });
  try {
    const { code, out } = await run(['status', '--node', node.url]);
    expect([code, out]).toEqual([3, expect.stringContaining('BUSY')]);
  } finally {
    await node.close();
  }
});
