import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { unlimited } from '../node/wire.ts';
import { run } from './run-command.ts';

const node = await startNode({ rateLimit: unlimited });
afterAll(() => node.close());

const show = (...words: readonly string[]) => run(['show', ...words, '--node', node.url]);

const firstMarket = JSON.parse((await show('markets', '0', '-o', 'json')).out);

describe('show --meaning', () => {
  it('`show` prints the meaning of a record, found by its number or by its key', async () => {
    const byNumber = await show('markets', '0', '--meaning');
    expect([byNumber.code, byNumber.err]).toEqual([0, '']);
    expect(byNumber.out).toContain(firstMarket.tradableInstrument.instrument.code);
    expect(byNumber.out).toMatch(/^state {18}[A-Z]/m);
    expect(await show('markets', firstMarket.id, '--meaning')).toEqual(byNumber);
  });

  it.each(['markets', 'parameters', 'bundles', 'validators'])(
    '`show` for %s prints the meaning first, then the record exactly as `--raw` prints it',
    async list => {
      const [both, meaning, raw] = [
        await show(list, '0'),
        await show(list, '0', '--meaning'),
        await show(list, '0', '--raw'),
      ];
      const record = JSON.parse((await show(list, '0', '-o', 'json')).out);
      const sent = `\nFields as sent (${Object.keys(record).length})\n\n`;
      const timeless = (text: string) => text.replaceAll(/\(?\d+ (?:s|min|h) .*ago\)?/g, '');
      expect([both.code, both.err]).toEqual([0, '']);
      expect(timeless(both.out)).toBe(timeless(`${meaning.out}${sent}${raw.out}`));
    },
  );

  it('`show --meaning` prints JSON of the meaning, and without the flag the record is as it was sent', async () => {
    const { code, out, err } = await show('markets', '0', '--meaning', '-o', 'json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ id: firstMarket.id, product: expect.any(String) });
    expect(JSON.parse((await show('markets', '0', '--raw', '-o', 'json')).out)).toEqual(firstMarket);
  });

  it('`show` reports a missing record before it prints a meaning', async () => {
    const nobody = await show('markets', 'ab', '--meaning', '--include-settled=false');
    expect([nobody.code, nobody.out]).toEqual([3, '']);
    expect(nobody.err).toMatch(/^blockglass: no market matches "ab" in the \d+ rows searched with these filters\n/);
  });

  it('`show --meaning` accepts only table or JSON, and rejects other formats before it sends a request', async () => {
    const offline = (...words: readonly string[]) =>
      run(['show', 'markets', '0', '--meaning', ...words, '--node', 'http://127.0.0.1:1']);
    for (const format of ['csv', 'ndjson'])
      expect(await offline('-o', format)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`this command does not print ${format}. Use -o table or -o json`),
      });
    expect((await offline('-o', 'xml')).err).toContain('--output must be one of table, json, not "xml"');
    for (const part of ['--raw', '--exact'])
      expect(await offline(part)).toMatchObject({
        code: 2,
        err: `blockglass: --meaning cannot be used with ${part}\n`,
      });
  });
});
