import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CHECK_RULES } from '../../src/cli/check/judge-check.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { startHostileNode } from '../support/hostile-node.ts';
import { startStrictNode } from '../support/strict-node.ts';
import { deedsOf } from '../support/terminal-judge.ts';
import { hostileStrings } from '../torture/hostile-strings.ts';
import { readExposition } from './exposition.ts';
import { contextWith, run, TextStream } from './run-command.ts';
import { type SwitchedNode, startSwitchedNode } from './switched-node.ts';

let node: SwitchedNode;
beforeAll(async () => {
  node = await startSwitchedNode(Date.now());
});
afterAll(() => node[Symbol.asyncDispose]());
beforeEach(() => {
  node.alter = (_, body) => body;
  node.state = 'up';
  node.chainMs = Date.now();
  node.requests.length = 0;
});

function home() {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { HOME: folder };
  return {
    folder,
    env,
    memory: join(folder, '.local', 'state', 'blockglass', 'checks'),
    check: (...words: readonly string[]) => run(['check', '--node', node.url, ...words], { env }),
  };
}

const QUIET = ['node-behind', 'history', 'chain-changed'];

describe('check', () => {
  it('`check` prints the findings of every rule, the worst first, in at most 13 requests', async () => {
    const { check } = home();
    const { code, out, err } = await check('-o', 'json');
    expect(code).toBe(2);
    expect(err).toMatch(/^note: first check by .*parameter-changed.*: changes are reported from the next check on\n$/);
    const list = JSON.parse(out);
    for (const entry of list) {
      expect(Object.keys(entry)).toEqual(['rule', 'severity', 'sentence', 'since']);
      expect(new Date(entry.since).toISOString()).toBe(entry.since);
    }
    expect(list[0]).toMatchObject({ rule: 'excess-signer', severity: 'critical' });
    expect(node.requests.length).toBeLessThanOrEqual(13);
    const again = await check();
    expect(again.err).toBe('');
    const [, failed, noted, passed] =
      /: (\d+) rules failed, (\d+) passed with a note, (\d+) passed\n/.exec(again.out) ?? [];
    // Income is judged of what is the user's alone.
    const judged = CHECK_RULES.length - 1;
    expect([Number(failed), Number(noted), Number(passed)]).toEqual([3, 2, judged - 5]);
    expect(again.out).toMatch(/^CRITICAL http:\S+, chain demo-chain-1: .*\n {2}critical {2}excess-signer: /);
  });

  it('`check` sends only the requests that the given rules need, and does not mention the others', async () => {
    const { check } = home();
    expect(await check('node-behind', 'node-stalled')).toMatchObject({
      code: 0,
      out: `OK ${node.url}, chain demo-chain-1: 1 rule passed, 1 needs a second run\n`,
    });
    expect(node.requests).toEqual(['/statistics', '/api/v2/networkhistory/segments']);
    expect((await check('node-stalled', '-o', 'json')).out).toBe('[]\n');
  });

  it('`check` exits with 0, 1, 2 or 3', async () => {
    const { check } = home();
    expect((await check(...QUIET)).code).toBe(0);
    expect((await check('oracle-overdue')).code).toBe(1);
    expect((await check('excess-signer')).code).toBe(2);
    expect((await check('excess-signer', '--severity', 'excess-signer=info')).code).toBe(0);
    expect((await check('validator-outside', '--severity=validator-outside=critical')).code).toBe(2);
    node.alter = (path, body) => (path.includes('/nodes') ? '{}' : body);
    const unknown = await home().check('validator-outside', '--severity=validator-outside=info');
    expect([unknown.code, unknown.out.split('\n')[0]]).toEqual([
      3,
      `UNKNOWN ${node.url}, chain demo-chain-1: 1 rule unknown or only partly checked`,
    ]);
  });

  it.each([
    [['nope']],
    [['--bad']],
    [['--hold', 'x']],
    [['--severity', 'bundle']],
    [['--severity', 'nope=info']],
    [['--severity', 'bundle=unknown']],
    [['--least-income', 'USDC']],
    [['-o', 'csv']],
    [['--remind', '1h']],
    [['--watch', '1m', '--accept']],
    [['--watch', '1m', '-o', 'nagios']],
    [['--timeout', '0']],
    [['--node', 'http://127.0.0.1:9', '--demo']],
    [['--mine']],
  ])('`check` exits with 3 on a usage error and prints nothing that looks fine: %j', async words => {
    const { env } = home();
    const line = words.includes('--node') ? words : ['--node', node.url, ...words];
    const { code, out, err } = await run(['check', ...line], { env });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^blockglass: /);
  });

  it('`check` names the times that --hold may be', async () => {
    const { err } = await run(['check', '--node', node.url, '--hold', '3x'], { env: home().env });
    expect(err).toContain('--hold must be a time from 0s to 1d, such as 10m, 24h or 90d, not "3x"');
  });

  it('`check` exits with 3 without a home folder for its memory', async () => {
    expect(await run(['check', '--node', node.url], { env: {} })).toMatchObject({ code: 3, out: '' });
  });

  it.each([
    ['gone', /^the node cannot be reached: (?!.*cannot reach)/],
    ['busy', /did not answer/],
  ] as const)('`check` reports every rule as unknown if the node is %s', async (state, why) => {
    const { check } = home();
    node.state = state;
    const json = await check('-o', 'json');
    expect(json.code).toBe(3);
    const list: { rule: string; severity: string; sentence: string }[] = JSON.parse(json.out);
    // Whoever looks at one rule alone has to find it there.
    expect(list.length).toBeGreaterThan(14);
    expect(list.every(({ severity }) => severity === 'unknown')).toBe(true);
    expect(list[0]?.sentence).toMatch(why);
    const text = await check();
    expect(text.out.split('\n')).toHaveLength(4);
    const metrics = readExposition((await check('-o', 'prometheus')).out);
    expect(metrics.find(({ name }) => name === 'blockglass_up')?.value).toBe(0);
    expect(
      metrics
        .filter(({ name, labels }) => name === 'blockglass_check_status' && labels.rule !== 'memory')
        .every(({ value }) => value === 3),
    ).toBe(true);
  });

  it('`check` applies `--timeout` to all requests together', async () => {
    const { check } = home();
    node.alter = (path, body) => (path.includes('/nodes') ? new Promise(() => {}) : body);
    const startMs = performance.now();
    const { code, out } = await check('--timeout', '1', '-o', 'json');
    expect(performance.now() - startMs).toBeLessThan(5000);
    expect(code).toBe(1);
    expect(out).toMatch(/not answered within 1 s/);
  });

  it('`check` works with a node that serves only the documented interface', async () => {
    await using strict = await startStrictNode();
    const { env } = home();
    const { code, out } = await run(['check', '--node', strict.url, '-o', 'json'], { env });
    expect([1, 2, 3]).toContain(code);
    expect(out).toMatch(/not served by this node/);
  });
});

describe('check output formats', () => {
  it('`check` writes metrics that a strict parser accepts', async () => {
    const { check } = home();
    const metrics = readExposition((await check('-o', 'prometheus')).out);
    expect(metrics.find(({ name }) => name === 'blockglass_node_info')).toEqual({
      name: 'blockglass_node_info',
      labels: { node: node.url, version: 'v0.74.10', chain_id: 'demo-chain-1' },
      value: 1,
    });
    expect(metrics.find(({ labels }) => labels.rule === 'excess-signer')?.value).toBe(2);
  });

  it.skipIf(spawnSync('promtool', ['--version']).error !== undefined)(
    '`check` writes metrics that promtool accepts',
    async () => {
      const { check } = home();
      node.alter = (_, body) => body.replaceAll('demo-chain-1', 'a\\"b\\\\nc\\\\d{}\\u001b[31m\\u2028');
      const { out } = await check('-o', 'prometheus');
      expect(execFileSync('promtool', ['check', 'metrics'], { input: out }).toString()).toBe('');
    },
  );

  it('`check` escapes a hostile chain and version in labels', async () => {
    const { check } = home();
    const name = 'a"b\\n\\\\c} 1\nblockglass_up 7\u001b[31m\u2028|';
    node.alter = (_, body) =>
      body.replaceAll('"demo-chain-1"', JSON.stringify(name)).replaceAll('"v0.74.10"', JSON.stringify(name));
    const { out } = await check('-o', 'prometheus', ...QUIET);
    const info = readExposition(out).find(one => one.name === 'blockglass_node_info');
    expect(info?.labels.chain_id).toBe('a"b\\n\\\\c} 1\u240ablockglass_up 7\u241b[31m\ufffd|');
    const nagios = (await check('-o', 'nagios', ...QUIET)).out;
    expect(nagios.split('\n')).toHaveLength(2);
    expect(nagios.split('|')).toHaveLength(2);
  });

  it('`check` writes one Nagios line with figures, no longer than NRPE reads', async () => {
    const { check } = home();
    const { out, code } = await check('-o', 'nagios');
    expect(code).toBe(2);
    expect(out).toMatch(
      /^BLOCKGLASS CRITICAL - critical excess-signer: [^|\n]*\.\.\. \| block_age=-?[\d.]+s;60 critical=1;;;0 warning=\d;;;0 unknown=0;;;0 requests=13;;;0\n$/,
    );
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(1024);
    node.alter = (path, body) =>
      path.includes('/nodes') ? body.replaceAll(/"name":"[^"]*"/g, '"name":"\u{1f600}|\\n\u{1f600}"') : body;
    const hostile = (await check('-o', 'nagios')).out;
    expect(Buffer.byteLength(hostile)).toBeLessThanOrEqual(1024);
    expect([hostile.split('|').length, hostile.split('\n').length, hostile.includes('\ufffd')]).toEqual([2, 2, false]);
  });

  it.each(['answers', 'refuses', 'garbles'] as const)(
    '`check` writes no control sequence if a hostile node %s',
    async manner => {
      await using hostile = await startHostileNode(hostileStrings(5, 120));
      hostile.manner = manner;
      const { env } = home();
      for (const format of ['text', 'json', 'prometheus', 'nagios']) {
        for (const isTerminal of [true, false]) {
          const stdout = new TextStream(isTerminal);
          const { context, stderr } = contextWith({ stdout: createSink(stdout), env });
          const code = await runCommandLine(['check', '--node', hostile.url, '-o', format], context);
          expect(code).toBeGreaterThan(0);
          expect(await deedsOf(`${stdout.text}${stderr.text}`.replaceAll('\n', '\r\n'))).toEqual([]);
          if (format === 'prometheus') readExposition(stdout.text);
          if (format === 'nagios') expect(stdout.text.split('\n')).toHaveLength(2);
        }
      }
    },
  );

  it('`check --textfile` replaces the whole file, through a link, readable for everybody', async () => {
    const { check, folder } = home();
    const path = join(folder, 'x.prom');
    writeFileSync(path, 'old\n');
    symlinkSync(path, join(folder, 'link.prom'));
    const { code, out } = await check('--textfile', join(folder, 'link.prom'), ...QUIET, '-o', 'json');
    expect([code, out]).toEqual([0, '[]\n']);
    expect(readExposition(readFileSync(path, 'utf8')).length).toBeGreaterThan(5);
    expect(statSync(path).mode & 0o044).toBe(0o044);
    expect(readdirSync(folder).filter(name => name.includes('part'))).toEqual([]);
    expect(readFileSync(join(folder, 'link.prom'), 'utf8')).toBe(readFileSync(path, 'utf8'));
  });

  it('`check --textfile` never shows a partial file to a collector that reads it all the time', async () => {
    const { check, folder } = home();
    const path = join(folder, 'x.prom');
    await check('--textfile', path, ...QUIET);
    const checks = { areOver: false };
    const reading = (async () => {
      let reads = 0;
      for (; !checks.areOver; reads++) {
        expect(readExposition(readFileSync(path, 'utf8')).some(({ name }) => name === 'blockglass_up')).toBe(true);
        await nextTurn();
      }
      return reads;
    })();
    for (const state of ['gone', 'up', 'busy', 'up'] as const) {
      node.state = state;
      await check('--textfile', path, ...QUIET, '--timeout', '2');
    }
    checks.areOver = true;
    expect(await reading).toBeGreaterThan(20);
  });

  it.each(['/dev/null', '/proc/nothing.prom', '.'])(
    '`check --textfile %s` does not replace the file, and the check is not OK',
    async path => {
      const { check } = home();
      const { code, out } = await check('--textfile', path, ...QUIET, '-o', 'nagios');
      expect(code).toBe(3);
      expect(out).toMatch(/^BLOCKGLASS UNKNOWN - unknown textfile: --textfile .* cannot be written: /);
      expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    },
  );
});

describe('check memory', () => {
  const fileIn = (folder: string): string =>
    join(folder, readdirSync(folder).find(name => name.endsWith('.json')) ?? '');

  it('The check memory is one file per node, accessible only to its owner', async () => {
    const { check, memory } = home();
    await check(...QUIET);
    await check('parameter-changed');
    expect(readdirSync(memory)).toEqual([expect.stringMatching(/^127-0-0-1-\d+-[0-9a-f]{16}\.json$/)]);
    expect(statSync(fileIn(memory)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(fileIn(memory), 'utf8'))).toMatchObject({ format: 1, home: 'demo-chain-1' });
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another shape', () => '{"format":1,"chains":7}'],
    ['of an older format', () => '{"format":0,"chains":[]}'],
    ['full of times that are none', (text: string) => text.replaceAll(/"movedMs":\d+/g, '"movedMs":1e999')],
    ['binary', () => '\u0000\u0001\ufffd'],
  ])('The check memory that is %s is set aside once, and that check is not OK', async (_, damage) => {
    const { check, memory } = home();
    await check('node-stalled', ...QUIET);
    const path = fileIn(memory);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    const first = await check('node-stalled', ...QUIET, '-o', 'json');
    expect(first.code).toBe(3);
    expect(JSON.parse(first.out)).toEqual([
      {
        rule: 'memory',
        severity: 'unknown',
        sentence: expect.stringMatching(/was damaged and is now .*\.damaged/),
        since: expect.any(String),
      },
    ]);
    expect((await check('node-stalled', ...QUIET)).code).toBe(0);
    expect(readdirSync(memory).toSorted()).toHaveLength(2);
  });

  it('The check memory of a newer version is left unchanged', async () => {
    const { check, memory } = home();
    await check(...QUIET);
    writeFileSync(fileIn(memory), '{"format":2,"more":true}');
    const { code, out } = await check(...QUIET, '-o', 'json');
    expect([code, out]).toEqual([3, expect.stringMatching(/written by a newer blockglass/)]);
    expect(readFileSync(fileIn(memory), 'utf8')).toBe('{"format":2,"more":true}');
  });

  it('The check memory that cannot be written changes the verdict but not the findings', async () => {
    const { check, folder } = home();
    mkdirSync(join(folder, '.local'));
    writeFileSync(join(folder, '.local', 'state'), 'a file where a folder belongs');
    const { code, out } = await check('oracle-overdue', ...QUIET, '-o', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(out).map(({ rule }: { rule: string }) => rule)).toEqual([
      'oracle-overdue',
      'oracle-overdue',
      'memory',
    ]);
    const quiet = await check(...QUIET);
    expect([quiet.code, quiet.out]).toEqual([
      3,
      expect.stringMatching(/^UNKNOWN .*\n {2}unknown {3}memory: the memory of checks, .*, cannot be used: /),
    ]);
  });

  it('The check memory supports two checks at once', async () => {
    const { check, memory } = home();
    await check('node-stalled', ...QUIET);
    const ran = await Promise.all(
      Array.from({ length: 6 }, () => check('node-stalled', 'parameter-changed', ...QUIET)),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(memory)).toHaveLength(1);
  });

  it('The check memory starts with the snapshots that `record` stored', async () => {
    const { check, env } = home();
    expect((await run(['record', '--once', '--node', node.url], { env })).code).toBe(0);
    node.alter = (path, body) =>
      path.includes('/parameters') ? body.replace('"value":"10m0s"', '"value":"20m0s"') : body;
    const { code, out, err } = await check('parameter-changed', 'validator-left');
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/parameter-changed: parameter \S+ is 20m0s, was 10m0s \(since /);
  });

  it('The check memory starts empty if the snapshots cannot be read, with a note', async () => {
    const { check, env, folder } = home();
    await run(['record', '--once', '--node', node.url], { env });
    const snapshots = join(folder, '.local', 'state', 'blockglass', 'snapshots');
    for (const name of readdirSync(snapshots)) writeFileSync(join(snapshots, name), 'no database');
    const { code, err } = await check('parameter-changed');
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^note: the snapshots of this chain cannot be read: .*\nnote: first check by parameter-changed/,
      ),
    ]);
  });

  it('The check memory keeps its content on a full disk, and the check reports the full disk', async () => {
    const { check, folder, memory } = home();
    const small = join(folder, 'small');
    mkdirSync(small);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
    // Only root can mount.
    if (mounted.status !== 0) return;
    onTestFinished(() => void spawnSync('umount', ['-l', small]));
    mkdirSync(join(folder, '.local'));
    symlinkSync(small, join(folder, '.local', 'state'));
    expect((await check('node-stalled', ...QUIET)).code).toBe(0);
    const before = readFileSync(fileIn(memory), 'utf8');
    spawnSync('dd', ['if=/dev/zero', `of=${join(small, 'fill')}`, 'bs=1k']);
    const { code, out } = await check('parameter-changed', ...QUIET, '-o', 'json');
    expect([code, out]).toEqual([3, expect.stringMatching(/"rule": "memory"[\s\S]*no space left on device/)]);
    expect(readFileSync(fileIn(memory), 'utf8')).toBe(before);
    rmSync(join(small, 'fill'));
    expect((await check('node-stalled', ...QUIET)).code).toBe(0);
    expect(readdirSync(memory)).toHaveLength(1);
  });
});
