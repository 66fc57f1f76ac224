import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

const node = await startNode({});
afterAll(() => node.close());

const onNode = (...words: readonly string[]) => run([...words, '--node', node.url]);

const firstMarket = JSON.parse((await onNode('show', 'markets', '0', '-o', 'json')).out);

describe('explain', () => {
  it('prints what a record means, by its number and by its key', async () => {
    const byNumber = await onNode('explain', 'markets', '0');
    expect([byNumber.code, byNumber.err]).toEqual([0, '']);
    expect(byNumber.out).toContain(firstMarket.tradableInstrument.instrument.code);
    expect(byNumber.out).toMatch(/^state {18}[A-Z]/m);
    expect(await onNode('explain', 'markets', firstMarket.id)).toEqual(byNumber);
  });

  it('prints the same as JSON', async () => {
    const { code, out, err } = await onNode('explain', 'markets', '0', '-o', 'json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ id: firstMarket.id, product: expect.any(String) });
  });

  it('looks for the record as show does, and says as much when there is none', async () => {
    const nobody = await onNode('explain', 'markets', 'ab', '--include-settled=false');
    expect([nobody.code, nobody.out]).toEqual([3, '']);
    expect(nobody.err).toMatch(/^blockglass: no market matches "ab" in the \d+ rows searched with these filters\n/);
    expect((await onNode('explain', 'markets')).err).toContain(
      'missing argument <key>: the key of a market, or a row number (0 = first row). Usage: blockglass explain markets <key>',
    );
    expect((await onNode('explain', 'nothing', '0')).err).toContain('unknown resource "nothing"');
  });

  it('prints table or JSON, and sends no request before it knows', async () => {
    for (const format of ['csv', 'ndjson'])
      expect(await run(['explain', 'markets', '0', '-o', format, '--node', 'http://127.0.0.1:1'])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`this command does not print ${format}. Use -o table or -o json`),
      });
    const { err } = await run(['explain', 'markets', '0', '-o', 'xml']);
    expect(err).toContain('--output must be one of table, json, not "xml"');
  });
});
