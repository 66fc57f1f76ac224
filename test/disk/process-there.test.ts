import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isProcessThere } from '../../src/disk/process-there.ts';

describe('whether a process is there', () => {
  it('is asked of the system: this one is, and one that has ended is not', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect([process.pid, pid].map(pid => isProcessThere(pid))).toEqual([true, false]);
  });

  it('is denied of what is no number of a process, so that a broken lock holds up nobody', () => {
    expect(
      [2 ** 31, 9_999_999_999, 1.5, Number.NaN, Number.POSITIVE_INFINITY].filter(pid => isProcessThere(pid)),
    ).toEqual([]);
  });
});
