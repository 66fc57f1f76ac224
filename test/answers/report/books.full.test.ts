import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/run-command.ts';
import { A, auditedTables, KNOWN, LIQUIDATED, MAKER, NOBODY, story, TRANSFERS, writeExport } from './crafted-export.ts';
import { HLEDGER, hledger } from './hledger.ts';
import { openReports } from './read-report.ts';
import { SecondBook } from './second-book.ts';

type Reports = Awaited<ReturnType<typeof openReports>>;

const opened = new AsyncDisposableStack();
let folder = '';
let all: Reports;
/** Without the withdrawal in the ledger. */
let dropped: Reports;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'books-'));
  const { ledger, balances } = story();
  const place = (name: string): string => join(folder, name);
  await writeExport(place('all'), { ledger, balances });
  await writeExport(place('ledger'), { ledger });
  const some = ledger.filter(({ type }) => type !== 'TRANSFER_TYPE_WITHDRAW');
  await writeExport(place('dropped'), { ledger: some, balances });
  all = opened.use(await openReports(place('all')));
  dropped = opened.use(await openReports(place('dropped')));
});
afterAll(async () => {
  await opened.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function written(name: string, party: string, ...flags: readonly string[]): Promise<string> {
  const { code, out, err } = await run(['report', join(folder, name), '--party', party, ...flags]);
  if (code !== 0) throw new Error(err);
  return out;
}

const PARTIES = [
  ['with only transfers', TRANSFERS],
  ['that was liquidated', LIQUIDATED],
  ['with an AMM', MAKER],
  ['in no table', NOBODY],
] as const;

const sumsOf = (party: string) => new SecondBook(party, KNOWN).money(story().ledger).get(A);

describe('hledger journal', () => {
  test.each(PARTIES)('The journal balances, and every assertion holds, for a party %s', async (_, party) => {
    const { accounts, asserted } = readJournal(await all.journal(party));
    const counted = sumsOf(party);
    expect(asserted).toBe(party === NOBODY ? 0 : heldRows(party));
    expect(-sumOf(accounts, 'income:')).toBe(counted?.received ?? 0n);
    expect(sumOf(accounts, 'expenses:')).toBe(counted?.sent ?? 0n);
    expect(-sumOf(accounts, 'equity:deposits and withdrawals')).toBe(
      (counted?.deposited ?? 0n) - (counted?.withdrawn ?? 0n),
    );
    expect(-sumOf(accounts, 'equity:restored')).toBe(counted?.restored ?? 0n);
    const held = new SecondBook(party, KNOWN).held(story().balances).get(A) ?? 0n;
    expect(sumOf(accounts, 'assets:')).toBe(held);
  });

  test('The journal does not balance if a row of the ledger is missing', async () => {
    const text = await dropped.journal(TRANSFERS);
    expect(() => readJournal(text)).toThrow('assets:general is ');
  });

  test('The journal asserts nothing without balances, and explains how to get them', async () => {
    const text = await written('ledger', LIQUIDATED, '--for', 'hledger');
    expect(readJournal(text).asserted).toBe(0);
    expect(text).toMatch(/^; Nothing is asserted: .*blockglass fetch or export$/m);
  });

  test('The journal takes no directive, comment or account from a name', async () => {
    const text = await all.journal(LIQUIDATED);
    expect(text).toContain('"1 1 img src x onerror alert 1"');
    expect(text).toMatch(/^ {4}assets:margin:x javascript 1 script 31mred /m);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f<>|`*]/);
  });

  test.skipIf(HLEDGER === undefined).each(PARTIES)(
    'The journal passes hledger check --strict, for a party %s',
    async (_, party) => {
      expect(hledger(await all.journal(party), 'check', '--strict')).toEqual({ code: 0, out: '', problem: '' });
    },
  );

  test.skipIf(HLEDGER === undefined)(
    'The journal is refused by hledger if a row of the ledger is missing',
    async () => {
      const { code, problem } = hledger(await dropped.journal(TRANSFERS), 'check');
      expect(code).toBe(1);
      expect(problem).toMatch(/balance assertion/i);
    },
  );
});

/** Balance rows of a party's accounts, each of which comes with a movement, and the last one of each account once more. */
function heldRows(party: string): number {
  const { balances } = story();
  const one = (row: (typeof balances)[number]) => new SecondBook(party, KNOWN).held([row]).size;
  const own = balances.filter(row => one(row) > 0);
  return own.length + new Set(own.map(({ account_id: id }) => id)).size;
}

type Accounts = ReadonlyMap<string, bigint>;

const sumOf = (accounts: Accounts, start: string): bigint =>
  [...accounts].reduce((sum, [name, amount]) => (name.startsWith(start) ? sum + amount : sum), 0n);

/** Reads a journal of one commodity by its published grammar: every transaction must balance, every assertion hold. */
function readJournal(text: string): { readonly accounts: Accounts; readonly asserted: number } {
  const accounts = new Map<string, bigint>();
  let asserted = 0;
  for (const block of text.split(/\n\n+/)) {
    const lines = block.split('\n').filter(line => line !== '' && !line.startsWith(';'));
    const [head = '', ...postings] = lines;
    if (head === '' || head.startsWith('commodity ')) {
      expect(
        lines.every(line =>
          /^(?:commodity 1000\.0* "[^";]+" {2}; asset [0-9a-f]{64}|account (?:assets|income|expenses|equity):[^;]*?(?: {2}; type:V)?)$/.test(
            line,
          ),
        ),
      ).toBe(true);
      continue;
    }
    expect(head).toMatch(/^\d{4}-\d\d-\d\d [^;|]+(?: {2}; [\d:.]+ UTC)?$/);
    let [sum, isOpen] = [0n, ''];
    for (const line of postings) {
      const [, name = '', amount, claim] =
        /^ {4}((?:assets|income|expenses|equity)(?:[^;\s]| (?! ))*?)(?: {2}(-?[\d.]+) "[^";]+"(?: = (-?[\d.]+) "[^";]+")?)?$/.exec(
          line,
        ) ?? [];
      expect([line, name]).not.toEqual([line, '']);
      if (amount === undefined) {
        isOpen = name;
        continue;
      }
      sum += smallest(amount);
      accounts.set(name, (accounts.get(name) ?? 0n) + smallest(amount));
      if (claim === undefined) continue;
      asserted++;
      if (accounts.get(name) !== smallest(claim)) throw new Error(`${name} is ${accounts.get(name)}, not ${claim}`);
    }
    if (isOpen !== '') accounts.set(isOpen, (accounts.get(isOpen) ?? 0n) - sum);
    else expect([block, sum]).toEqual([block, 0n]);
  }
  return { accounts, asserted };
}

/** An amount of an asset with 18 decimals. */
function smallest(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = BigInt(`${whole.replace('-', '')}${fraction.padEnd(18, '0')}`);
  return text.startsWith('-') ? -digits : digits;
}

describe('Sources of a file for another program', () => {
  test('Missing time and audit findings are reported on stderr and at the top of the journal', async () => {
    const { ledger, ...others } = { ...story(), ...auditedTables() };
    const place = join(folder, 'damaged');
    await writeExport(place, { ledger: ledger.filter(({ type }) => type !== 'TRANSFER_TYPE_MTM_WIN'), ...others });
    const notes = [
      'The data ends at 2026-11-01 00:00:09 UTC: later parts of the range are missing.',
      'The audit for this party: differs.',
    ];
    for (const program of ['rotki', 'hledger']) {
      const { code, out, err } = await run(['report', place, '--party', MAKER, '--year', '2026', '--for', program]);
      expect(code).toBe(0);
      expect(err).not.toContain('not read unless named');
      for (const note of notes) {
        expect(err).toContain(`note: ${note}`);
        if (program === 'hledger') expect(out).toContain(`\n; ${note}`);
      }
      if (program === 'hledger') expect(() => readJournal(out)).toThrow('assets:own AMM margin');
    }
  });

  test('A party without a row gives no entries, which is reported', async () => {
    for (const program of ['rotki', 'hledger']) {
      const { err } = await run(['report', join(folder, 'all'), '--party', NOBODY, '--for', program, '--no-audit']);
      expect(err).toContain('of this range. Check the id and the range.');
    }
  });
});

describe('rotki events', () => {
  test.each(PARTIES)('The events are what the party received and sent, for a party %s', async (_, party) => {
    const rows = readEvents(await all.events(party));
    const sum = (...types: readonly string[]): bigint =>
      rows.reduce(
        (total, [type = '', , , amount = '']) => (types.includes(type) ? total + smallest(amount) : total),
        0n,
      );
    const counted = sumsOf(party);
    expect(sum('Income')).toBe(counted?.received ?? 0n);
    expect(sum('Spend', 'Loss')).toBe(counted?.sent ?? 0n);
    expect(sum('Deposit')).toBe(counted?.deposited ?? 0n);
    expect(sum('Withdrawal')).toBe(counted?.withdrawn ?? 0n);
  });

  test('The events have the columns of rotki, a location it knows, and milliseconds', async () => {
    const rows = readEvents(
      await written('all', LIQUIDATED, '--for', 'rotki', '--identifier', `${A}=eip155:1/erc20:0x1`),
    );
    expect(rows[0]).toEqual([
      ...['Spend', 'external', 'eip155:1/erc20:0x1', '0.000000000000000011', '', '', 'maker fee paid'],
      String(Date.UTC(2026, 10, 1, 0, 0, 6)),
    ]);
    expect(rows.map(([type]) => type)).toContain('Loss');
  });

  test('The events contain no formula, and no more cells than columns, whatever the symbol', async () => {
    const text = await all.events(LIQUIDATED);
    expect(text).toContain(`,"'=1+1|<img src=x onerror=alert(1)>""; &",`);
    expect(readEvents(text).every(row => row.length === 8 && row.every(cell => !/^[=+\-@\t]/.test(cell)))).toBe(true);
  });

  test('The events need the decimals of the asset', async () => {
    const bare = join(folder, 'bare');
    await writeExport(bare, { ledger: story().ledger });
    await writeFile(join(bare, 'crafted-9-ledger-000001-000009.names.json'), '{}');
    const { code, err } = await run(['report', bare, '--party', MAKER, '--asset', A, '--for', 'rotki']);
    expect([code, err]).toEqual([2, expect.stringContaining(`the decimals of asset ${A} are not known`)]);
  });
});

const TYPES = ['Deposit', 'Withdrawal', 'Income', 'Loss', 'Spend', 'Staking'];

/** Reads the CSV as rotki's importer of generic events does: by the names of its columns, with its types. */
function readEvents(text: string): readonly (readonly string[])[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  expect(head).toBe('Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp');
  return lines.map(line => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
    );
    const [type = '', location, , amount = '', , , , timestamp = ''] = cells;
    expect([TYPES.includes(type), location, /^\d+(?:\.\d+)?$/.test(amount)]).toEqual([true, 'external', true]);
    expect(timestamp).toMatch(/^\d{13}$/);
    return cells;
  });
}
