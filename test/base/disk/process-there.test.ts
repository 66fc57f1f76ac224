import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessThere, processStart } from '../../../src/base/disk/process-there.ts';

describe('whether a process is there', () => {
  it('is asked of the system: this one is, and one that has ended is not', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect([process.pid, pid].map(id => isProcessThere(id))).toEqual([true, false]);
  });

  it('is denied of what is no number of a process, so that a broken lock holds up nobody', () => {
    const odd = [2 ** 31, 9_999_999_999, 1.5, Number.NaN, Number.POSITIVE_INFINITY];
    expect(odd.filter(id => isProcessThere(id))).toEqual([]);
  });

  it('is denied of a zombie, which has ended and has only not been taken note of', async () => {
    // The shell becomes a program that takes no note of the child it has.
    const parent = spawn('sh', ['-c', 'true & exec sleep 60'], { stdio: 'ignore' });
    try {
      await expect.poll(() => zombieOf(parent.pid ?? 0), { timeout: 10_000 }).toBeGreaterThan(0);
      const pid = zombieOf(parent.pid ?? 0);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(isProcessThere(pid)).toBe(false);
      expect(isProcessThere(pid, processStart(pid))).toBe(false);
    } finally {
      parent.kill();
    }
  });

  it('is denied of another one that was given the same number since', () => {
    expect(isProcessThere(process.pid, processStart(process.pid))).toBe(true);
    expect(isProcessThere(process.pid, '1')).toBe(false);
  });
});

/** The number of a child that is a zombie; 0 without one. */
function zombieOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'latin1').split(' ');
  const isZombie = (child: string): boolean => /^State:\s*Z/m.test(readFileSync(`/proc/${child}/status`, 'latin1'));
  return Number(children.find(child => child !== '' && isZombie(child)) ?? 0);
}
