import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { listening } from '../support/loopback.ts';
import { run } from './run-command.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

interface Told {
  readonly roles: readonly { readonly role: string; readonly text: string; readonly commands: readonly string[] }[];
  readonly notFound: readonly string[];
  readonly notAsked: readonly string[];
  readonly requests: number;
}

const what = (value: string, ...words: readonly string[]) => run(['what', value, '--node', node.url, ...words]);

async function told(value: string): Promise<Told> {
  return JSON.parse((await what(value, '-o', 'json')).out);
}

async function firstFee() {
  const { out } = await run(['list', 'fees', '-o', 'json', '--node', node.url]);
  const [fee] = JSON.parse(out);
  return { market: String(fee.market), party: String(fee.feesPaidPerParty[0].party) };
}

describe('`what` command', () => {
  it('`what` explains a 64-hex ID and how to continue from it', async () => {
    const { market, party } = await firstFee();
    const { out, code } = await what(market.toUpperCase());
    expect(code).toBe(0);
    expect(out).toContain('\n  market: ');
    expect(out).toContain(
      `\n    blockglass list provisions --market-id ${market} --live --sort commitment:desc --node ${node.url}\n`,
    );
    expect(out).toMatch(/\n[1-9] requests\n$/);
    const { roles } = await told(party);
    expect(roles.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['party with liquidity provisions', 'party with fees']),
    );
  });

  it('`what` suggests commands that find something, for any kind of value', async () => {
    const records = async (resource: string) =>
      JSON.parse((await run(['list', resource, '-o', 'json', '--node', node.url])).out);
    const [validator] = await records('validators');
    const [bundle] = await records('bundles');
    const [market] = await records('markets');
    const [spec] = await records('oracles');
    const { party } = await firstFee();
    const values = [
      ...[validator.id, validator.name, validator.ethereumAddress, validator.pubkey, party],
      ...[bundle.submitter, bundle.oldSigner, bundle.nonce, market.id, market.tradableInstrument.instrument.code],
      ...[spec.dataSourceSpec?.id ?? spec.externalDataSourceSpec.spec.id, 'validators.epoch.length', '42'],
    ];
    for (const value of values) {
      const commands = (await told(String(value))).roles.flatMap(role => role.commands);
      for (const command of new Set(commands)) {
        const { code, err } = await run(
          command
            .replace(/^blockglass /, '')
            .replaceAll("'", '')
            .split(' '),
        );
        expect(code, `${value}: ${command}: ${err}`).toBe(0);
      }
    }
  });

  it('`what` prints no login, and only commands that work', async () => {
    const { market } = await firstFee();
    const { out } = await run(['what', market, '--node', node.url.replace('//', '//who:secret@')]);
    expect(out).not.toContain('secret');
    const [command = ''] = (await told(market)).roles.at(-1)?.commands ?? [];
    const { code, out: listed } = await run([...command.replace('blockglass ', '').split(' '), '-o', 'json']);
    expect(code).toBe(0);
    expect(listed).toContain(market);
  });

  it('`what` reports an unknown value with what was searched, and exits with 3', async () => {
    const { out, code } = await what('12'.repeat(32));
    expect(code).toBe(3);
    expect(out).toContain('not found in anything that was checked');
    expect(out).toMatch(/not among the \d+ oracle specs listed/);
  });

  it.each(['ab'.repeat(32), `0x${'ab'.repeat(20)}`, '41', '1789382398', 'validators.epoch.length', '2026-09-14 12:00'])(
    '`what` sends at most nine requests, as many as it reports: %s',
    async value => {
      const asked: string[] = [];
      const server = createServer(async ({ url = '' }, response) => {
        asked.push(url);
        const answer = await fetch(`${node.url}${url}`);
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
      await using proxy = await listening(server);
      const { out } = await run(['what', value, '-o', 'json', '--node', proxy.url]);
      const { requests }: Told = JSON.parse(out);
      expect(asked.length).toBeLessThanOrEqual(9);
      expect(requests).toBe(asked.length);
      expect(new Set(asked).size).toBe(asked.length);
    },
  );

  it('`what` explains a parameter, a number, a cursor and a time', async () => {
    expect((await told('validators.epoch.length')).roles[0]?.role).toBe('network parameter');
    expect((await told('41')).roles.map(({ role }) => role)).toEqual(expect.arrayContaining(['epoch', 'block height']));
    expect((await told(Buffer.from('{"id":"ab"}').toString('base64'))).roles[0]?.role).toBe('cursor');
    const began = /from (\S+ \S+) UTC/.exec((await told('41')).roles[0]?.text ?? '')?.[1] ?? '';
    const within = new Date(Date.parse(`${began.replace(' ', 'T')}Z`) + 60_000).toISOString();
    expect((await told(within)).roles[0]).toMatchObject({ role: 'time of the chain', entity: 'epoch', id: '41' });
  });

  it.each(['ab'.repeat(32), '41', 'a.name'])(
    '`what` reports %s as not known when nothing could be searched',
    async value => {
      const server = createServer((_, response) => response.writeHead(404).end('<title>A page</title>'));
      await using page = await listening(server);
      const { out, code } = await run(['what', value, '--node', page.url]);
      expect(code).toBe(3);
      expect(out).toContain('not known: nothing could be checked');
      expect(out).not.toContain('not found in anything');
    },
  );

  it('`what` treats text from a node and from a paste as plain text only', async () => {
    const { out } = await what('\u001b[2J\u202evalue');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u202e');
  });

  it('`what` refuses an empty value and formats that it does not have', async () => {
    expect((await run(['what'])).code).toBe(2);
    expect((await what('41', '-o', 'csv')).err).toContain('this command does not print csv. Use -o table or -o json');
  });

  it.each(['ab'.repeat(32), '2026-01-01', '41', 'a.name'])(
    '`what` sends a node that is down no more requests than it reports: %s',
    async value => {
      let seen = 0;
      const server = createServer((_, response) => {
        seen++;
        response.writeHead(503).end('{"code":14,"message":"down","details":[]}');
      });
      await using down = await listening(server);
      const { out } = await run(['what', value, '-o', 'json', '--node', down.url]);
      expect(seen).toBeLessThanOrEqual(8);
      if (out !== '') expect(JSON.parse(out).requests).toBe(seen);
    },
  );
});
