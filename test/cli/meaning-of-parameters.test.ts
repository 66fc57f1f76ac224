import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

const node = await startNode({});
afterAll(() => node.close());

const meaning = (...words: readonly string[]) => run(['show', 'parameters', ...words, '--meaning', '--node', node.url]);

describe('Parameter meaning', () => {
  it('The parameter meaning shows the current value and what it means', async () => {
    const { code, out, err } = await meaning('validators.epoch.length');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Length of an epoch\.\nvalue +10 min {2}\(10m0s\)\n/);
    expect(out).toContain('a vote may set         1 s to 10 d 15 h');
  });

  it('The parameter CSV has the value as sent, and as a plain number with its unit', async () => {
    const { code, out } = await run(['list', 'parameters', '-o', 'csv', '--node', node.url]);
    expect(code).toBe(0);
    const lines = out.split('\r\n');
    expect(lines[0]).toBe('key,value,type,scaled,unit,words');
    expect(lines).toContain('validators.epoch.length,10m0s,duration,600,s,10 min');
    expect(lines).toContain('validators.vote.required,0.67,decimal,67,%,67 %');
    expect(lines.find(line => line.startsWith('spam.protection.voting.min.tokens,'))).toMatch(
      /,100000000000000000000,integer,100,VEGA,100 VEGA$/,
    );
    expect(lines).toContain('spam.pow.hashFunction,sha3_24_rounds,text,,,');
  });

  it('The parameter meaning in JSON has the same content, with amounts in whole units', async () => {
    const { code, out } = await meaning('spam.protection.voting.min.tokens', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      key: 'spam.protection.voting.min.tokens',
      value: { raw: '100000000000000000000', value: '100', symbol: 'VEGA' },
      unit: 'asset-amount',
      bounds: { least: '1', most: null },
      since: 'v0.43.0',
    });
  });
});
