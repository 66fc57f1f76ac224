import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SentRequest } from '../../src/chain/api/sent-request.ts';
import { openRequestLog, requestLine } from '../../src/cli/context.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const { O_NONBLOCK, O_RDONLY } = constants;

const FACTS: SentRequest = {
  id: 1,
  sentAtMs: 0,
  url: 'http://h/x?a=b',
  status: 200,
  outcome: { kind: 'answered' },
  elapsedMs: 12,
  wireBytes: 812,
  bodyBytes: 4096,
  attempt: 1,
  budgetLeft: 49,
};

const refused = (message: string, error = 'refused'): Partial<SentRequest> => ({
  status: 503,
  bodyBytes: null,
  outcome: { kind: 'failed', error, message },
});

const folder = mkdtempSync(join(tmpdir(), 'blockglass-log-'));
afterEach(() => rmSync(join(folder, 'log'), { force: true }));

describe('Request log', () => {
  it('The request log gets one appended line per request, with its time, readable by its owner only', () => {
    const path = join(folder, 'log');
    openRequestLog(path)({ ...FACTS, url: 'one' });
    openRequestLog(path)({ ...FACTS, url: 'two' });
    expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z GET one .*\n\d{4}-\S+Z GET two .*\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<readonly [string, Partial<SentRequest>]>([
    ['200 12 ms wire=812 body=4096 attempt=1 left=49', {}],
    ['200 12 ms wire=812 body=4096 attempt=3', { attempt: 3, budgetLeft: null }],
    ['503 12 ms wire=812 attempt=1 left=0 error=refused', { ...refused('HTTP 503: words of a node'), budgetLeft: 0 }],
    [
      'failed 12 ms attempt=1 error=network',
      { ...refused('', 'network'), status: null, wireBytes: null, budgetLeft: null },
    ],
    [
      'cancelled 12 ms attempt=1',
      { outcome: { kind: 'cancelled' }, wireBytes: null, bodyBytes: null, budgetLeft: null },
    ],
    ['200 streaming wire=812 attempt=1 left=49', { outcome: { kind: 'streaming' }, bodyBytes: null }],
  ])('A request log line contains %s, and no text from the node', (words, facts) => {
    expect(requestLine({ ...FACTS, ...facts })).toBe(`GET http://h/x?a=b ${words}`);
  });

  it('The request log fails no request when the disk is full, however often it is written', () => {
    const told: string[] = [];
    const log = openRequestLog('/dev/full', why => told.push(why));
    for (let count = 0; count < 3; count++) expect(() => log(FACTS)).not.toThrow();
    expect(told).toEqual(['no space left on device']);
  });

  it('The request log reports how many lines a full pipe lost, and writes no partial line before another', () => {
    const path = join(folder, 'log');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, O_RDONLY | O_NONBLOCK);
    const log = openRequestLog(path);
    let sent = 0;
    const read = (): string => {
      const bytes = Buffer.alloc(1 << 20);
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    };
    for (; sent < 1000; sent++) log({ ...FACTS, url: `http://h/${'x'.repeat(5000)}` });
    const before = read();
    log({ ...FACTS, url: 'last' });
    const after = read();
    closeSync(reader);
    const whole = before.split('\n').filter(line => line.endsWith('left=49')).length;
    expect(after).toMatch(new RegExp(`^\\n?\\S+Z ${sent - whole} lines could not be written\\n\\S+Z GET last .*\\n$`));
    expect(() => log(FACTS)).not.toThrow();
  });

  it('The request log is refused at once for a pipe without a reader, a folder or a file in a missing folder', () => {
    const path = join(folder, 'log');
    execFileSync('mkfifo', [path]);
    expect(() => openRequestLog(path)).toThrow(
      new UsageError(`--log ${path} is a pipe without a reader. Start its reader first`),
    );
    for (const other of [folder, join(folder, 'none', 'log')])
      expect(() => openRequestLog(other)).toThrow(`--log ${other} cannot be written`);
  });
});
