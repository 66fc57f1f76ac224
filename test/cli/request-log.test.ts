import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRequestLog } from '../../src/cli/request-log.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'blockglass-log-'));
afterEach(() => rmSync(join(folder, 'log'), { force: true }));

describe('the log of requests', () => {
  it('is appended to, a line a request with its time, for its owner alone', () => {
    const path = join(folder, 'log');
    openRequestLog(path)('GET one');
    openRequestLog(path)('GET two');
    expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z GET one\n\d{4}-\S+Z GET two\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is refused at once as a pipe that nobody reads, a folder, or a file in no folder', () => {
    const path = join(folder, 'log');
    execFileSync('mkfifo', [path]);
    expect(() => openRequestLog(path)).toThrow(new UsageError(`--log ${path} is a pipe that nobody reads`));
    for (const other of [folder, join(folder, 'none', 'log')])
      expect(() => openRequestLog(other)).toThrow(`--log ${other} cannot be written`);
  });
});
