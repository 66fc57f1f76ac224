import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-command.ts';

const EXPORTS = join(import.meta.dirname, '../../../shared/real-node/exports');
/** It has bonds on rejected markets, which the market list of the node leaves out. */
const PARTY = 'c75946d940020ad8df9dd0ece42ba5d533166cc6ecf237e7779f1021c42499de';
const REJECTED = '55f76f69e53b7cc5116c2eb00be33aea21b98af53341db615b1121c2df67953a';

describe.skipIf(!existsSync(EXPORTS))('Markets from given files', () => {
  let folder = '';
  const file = (table: string, ending = 'zip'): string => join(EXPORTS, `testnet-001-${table}-000001-005000.${ending}`);
  const balances = (...paths: readonly string[]) => run(['answer', 'balance', ...paths, '--party', PARTY, '-o', 'csv']);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'given-names-'));
    for (const path of [file('balances'), file('balances', 'names.json')])
      await copyFile(path, join(folder, basename(path)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('An answer about a party reports how many accounts are not attributed', async () => {
    const alone = await balances(folder);
    expect(alone.out).not.toContain(REJECTED);
    expect(alone.err).toMatch(/Owner unknown: \d+ accounts in balances, of other parties, or of markets and assets/);
    const shown = await run(['answer', 'balance', folder, '--party', PARTY]);
    expect(shown.out).toMatch(/\nOwner unknown: \d+ accounts in balances/);
  });

  test.each(['markets', 'liquidity_provisions'])(
    'An answer about a party covers the markets in %s, from the same folder or given as a file',
    async table => {
      const named = await balances(folder, file(table));
      expect(named.out).toContain(REJECTED);
      const path = join(folder, 'other.zip');
      await copyFile(file(table), path);
      expect((await balances(folder)).out).toContain(REJECTED);
      await rm(path);
    },
  );

  test('The `received` answer also reports the accounts that are not attributed', async () => {
    const shown = await run(['answer', 'received', file('ledger'), '--party', PARTY]);
    expect(shown.out).toMatch(/\nOwner unknown: \d+ accounts? in ledger/);
  });

  test('The audit of a party reads the given tables that list its markets', async () => {
    const marketsKnown = async (...tables: readonly string[]): Promise<number> => {
      const paths = ['ledger', 'balances', ...tables].map(table => file(table));
      const { err } = await run(['audit', ...paths, '--party', PARTY]);
      expect(err).not.toContain('not read');
      return Number(/computed from \d+ assets? and (\d+) markets/.exec(err)?.[1]);
    };
    const alone = await marketsKnown();
    expect(await marketsKnown('liquidity_provisions')).toBeGreaterThan(alone);
    expect(await marketsKnown('markets')).toBeGreaterThan(alone);
  });
});
