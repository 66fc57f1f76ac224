import { expect, it } from 'vitest';
import { runShell } from './support/program.ts';

const CLOSED =
  'blockglass: stdout is closed, so nothing can be printed. Open it, or discard the output with > /dev/null\n';

it.each([
  'list parameters --demo',
  'show parameters 0 --demo',
  'what 1',
  'query "SELECT 1"',
  'convert --ddl spark --table ledger',
  'segments --demo',
  'overview --demo',
  'completion bash',
])('A command with a closed stdout does not succeed: %s', async words => {
  const { code, stderr } = await runShell(`blockglass ${words} < /dev/zero >&-`);
  expect([code, stderr]).toEqual([1, CLOSED]);
});

it.each(['list parameters --demo', '--version', '--help', 'convert --help'])(
  'A command whose stdout accepts nothing does not succeed: %s',
  async words => {
    const { code, stderr } = await runShell(`blockglass ${words} > /dev/full`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^blockglass: cannot write the output: ENOSPC/)]);
  },
);

it.each([
  'list parameters --demo > /dev/null',
  'list parameters --demo <> /dev/null >&0',
  'list parameters --demo 1<> /dev/null',
  'status --demo < /dev/zero >&-',
])('A command whose output is discarded does not fail: %s', async words => {
  const { code, stderr } = await runShell(`blockglass ${words}`);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('stdout')]);
});

it('A command whose log cannot be written reports it, and answers the request', async () => {
  const { code, stdout, stderr } = await runShell('blockglass list parameters --demo -o ndjson --log /dev/full');
  expect([code, stdout.split('\n').length > 100]).toEqual([0, true]);
  expect(stderr).toContain('note: cannot write to --log /dev/full: no space left on device\n');
});
