import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

const node = await startNode({});
afterAll(() => node.close());

const explain = (...words: readonly string[]) => run(['explain', 'parameters', ...words, '--node', node.url]);

describe('explain parameters', () => {
  it('says what a parameter is now and what it means', async () => {
    const { code, out, err } = await explain('validators.epoch.length');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Length of an epoch\.\nvalue +10 min {2}\(10m0s\)\n/);
    expect(out).toContain('a vote may set         1 s to 10 d 15 h');
  });

  it('says the same to a program', async () => {
    const { code, out } = await explain('spam.protection.voting.min.tokens', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      key: 'spam.protection.voting.min.tokens',
      value: { raw: '100000000000000000000' },
      unit: 'asset-amount',
      bounds: { least: '1', most: null },
      since: 'v0.43.0',
    });
  });
});
