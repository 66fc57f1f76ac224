import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const UNITS = ['glass-sshd.service'];
/** Of ten: what systemd-analyze calls OK ends at 5. */
const MAX_EXPOSED = 2;

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!isThere)('systemd units for guests', () => {
  it.each(UNITS)('The unit %s has a low exposure level', unit => {
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', resolve('docs/guides/guests', unit)],
      { encoding: 'utf8' },
    );
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSED);
  });
});
