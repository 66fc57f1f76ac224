import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessRunning, processStartTicks } from '../../../src/base/disk/process-running.ts';

describe('Process detection', () => {
  it('Process detection asks the system: this process runs, and one that has ended does not', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect([process.pid, pid].map(id => isProcessRunning(id))).toEqual([true, false]);
  });

  it('Process detection rejects what is not a process number, so that a broken lock delays nobody', () => {
    const odd = [2 ** 31, 9_999_999_999, 1.5, Number.NaN, Number.POSITIVE_INFINITY];
    expect(odd.filter(id => isProcessRunning(id))).toEqual([]);
  });

  it('Process detection rejects a zombie, which has ended and was not reaped yet', async () => {
    // The shell becomes a program that takes no note of the child it has.
    const parent = spawn('sh', ['-c', 'true & exec sleep 60'], { stdio: 'ignore' });
    try {
      await expect.poll(() => zombieOf(parent.pid ?? 0), { timeout: 10_000 }).toBeGreaterThan(0);
      const pid = zombieOf(parent.pid ?? 0);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(isProcessRunning(pid)).toBe(false);
      expect(isProcessRunning(pid, processStartTicks(pid))).toBe(false);
    } finally {
      parent.kill();
    }
  });

  it('Process detection rejects another process that was given the same number since', () => {
    expect(isProcessRunning(process.pid, processStartTicks(process.pid))).toBe(true);
    expect(isProcessRunning(process.pid, '1')).toBe(false);
  });
});

/** The number of a child that is a zombie; 0 without one. */
function zombieOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'latin1').split(' ');
  const isZombie = (child: string): boolean => /^State:\s*Z/m.test(readFileSync(`/proc/${child}/status`, 'latin1'));
  return Number(children.find(child => child !== '' && isZombie(child)) ?? 0);
}
