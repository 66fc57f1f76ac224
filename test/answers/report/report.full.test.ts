import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { figureNotes } from '../../../src/answers/report/report-texts.ts';
import { run } from '../../cli/run-command.ts';
import {
  A,
  auditedTables,
  B,
  balancesOf,
  KNOWN,
  LIQUIDATED,
  MAKER,
  NOBODY,
  story,
  TRANSFERS,
  timeOf,
  writeExport,
} from './crafted-export.ts';
import { figureNamed, openReports, reportOf, sumsCounted, sumsShown } from './read-report.ts';
import { SecondBook } from './second-book.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  await writeExport(join(folder, 'all'), story());
  const { ledger, rewards, trades } = story();
  await writeExport(join(folder, 'some'), { ledger, rewards, trades });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PARTIES = [
  ['with only transfers', TRANSFERS],
  ['that was liquidated', LIQUIDATED],
  ['with an AMM', MAKER],
  ['in no table', NOBODY],
] as const;

const opened = new AsyncDisposableStack();
let all: Awaited<ReturnType<typeof openReports>>;
beforeAll(async () => {
  all = opened.use(await openReports(join(folder, 'all')));
});
afterAll(() => opened.disposeAsync());

describe('Sums of a report', () => {
  test.each(PARTIES)('The sums of a report are those of the rows for a party %s', async (_, party) => {
    const report = await all.report({ party, from: '2026-01-01', to: '2026-12-31' });
    expect(sumsShown(report)).toEqual(sumsCounted(new SecondBook(party, KNOWN), story()));
  });

  test.each(PARTIES)('The sums of a report are those of the rows in the range for a party %s', async (_, party) => {
    const report = await all.report({ party, from: '2026-11-01', to: '2026-11-30' });
    const rows = story();
    const isInside = ({ vega_time: time = '' }: Readonly<Record<string, string>>): boolean => time >= '2026-11';
    const inside = {
      ledger: rows.ledger.filter(isInside),
      rewards: rows.rewards.filter(isInside),
      trades: rows.trades.filter(isInside),
      // The end of the range is the end of the files.
      balances: rows.balances,
    };
    expect(sumsShown(report)).toEqual(sumsCounted(new SecondBook(party, KNOWN), inside));
  });

  test('The sums of a report are of the requested asset only', async () => {
    const other = sumsShown(await all.report({ party: LIQUIDATED, asset: B }));
    expect([other.money.sent, other.fees.withheld, other.trades.fills, other.held]).toEqual([{}, {}, 0, {}]);
    const same = sumsShown(await all.report({ party: LIQUIDATED, asset: A }));
    expect(same).toEqual(sumsCounted(new SecondBook(LIQUIDATED, KNOWN), story()));
  });

  test('The sums of a report are in units of the asset, exact', async () => {
    const report = await all.report({ party: LIQUIDATED });
    const rows = figureNamed(report, 'money', 'In the whole range').rows.map(([, what, amount]) => [what, amount]);
    expect(rows).toEqual([
      ['received', '0.000000000000000075'],
      ['sent', '0.0000000000000009'],
      ['net', '-0.000000000000000825'],
      ['restored from a checkpoint', '500.000000000000000001'],
    ]);
  });
});

describe('Asset figures of a report', () => {
  /** The vested rewards go out in October and arrive in November. */
  const late = () => {
    const { ledger, ...others } = story();
    const moved = ledger.map(row =>
      row.transfer_id === ARRIVING && row.type === 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE'
        ? { ...row, vega_time: timeOf(6), ledger_entry_time: timeOf(6).replace('000001', '000000') }
        : row,
    );
    const sorted = moved.toSorted((one, other) => ((one.vega_time ?? '') < (other.vega_time ?? '') ? -1 : 1));
    return { ...others, ledger: sorted, balances: balancesOf(sorted) };
  };
  const ARRIVING = `\\x${createHash('sha256').update('t2').digest('hex')}`;
  let reports: Awaited<ReturnType<typeof openReports>>;
  beforeAll(async () => {
    await writeExport(join(folder, 'late'), late());
    reports = opened.use(await openReports(join(folder, 'late')));
  });

  const RANGES = [
    ['the whole range', undefined, undefined],
    ['October', undefined, '2026-10-31'],
    ['November', '2026-11-01', undefined],
  ] as const;

  test.each(RANGES.flatMap(range => PARTIES.map(([who, party]) => [...range, who, party] as const)))(
    'Start + in - out + under way = end, as counted from the rows, in %s (%s to %s) for a party %s',
    async (_range, from, to, _who, party) => {
      const report = await reports.report({ party, ...(from && { from }), ...(to && { to }) });
      const { ledger, balances } = late();
      const isInside = ({ vega_time: time = '' }: Readonly<Record<string, string>>): boolean =>
        (from === undefined || time >= from) && (to === undefined || time < '2026-11');
      const inside = ledger.filter(isInside);
      const book = new SecondBook(party, KNOWN);
      const [money, underWay] = [book.money(inside, ledger), book.underWay(inside, ledger)];
      const ended = to === undefined ? balances : balances.filter(isInside);
      const begun = from === undefined ? [] : balances.filter(row => !isInside(row));
      const [end, earlier] = [book.held(ended), book.held(begun)];
      const before = from === undefined && party === TRANSFERS ? 1000n : 0n;
      const { records, rows } = figureNamed(report, 'balances', 'Each asset');
      expect(records.map(({ assetId }) => assetId)).toEqual([...money.keys()].filter(asset => asset === A));
      for (const each of records) {
        const asset = each.assetId ?? '';
        const sums = money.get(asset);
        expect(each).toMatchObject({
          startSmallest: String((earlier.get(asset) ?? 0n) + before),
          inSmallest: String((sums?.received ?? 0n) + (sums?.deposited ?? 0n) + (sums?.restored ?? 0n)),
          outSmallest: String((sums?.sent ?? 0n) + (sums?.withdrawn ?? 0n)),
          underWaySmallest: String(underWay.get(asset) ?? 0n),
          endSmallest: String(end.get(asset) ?? 0n),
          agrees: 'yes',
        });
      }
      const isUnderWay = rows.some(([, what]) => what?.startsWith('+ under way'));
      expect(isUnderWay).toBe(records.some(({ underWaySmallest }) => underWaySmallest !== '0'));
    },
  );

  test('The figures of an asset report where they do not fit', async () => {
    const { ledger, ...others } = story();
    const place = join(folder, 'unfit');
    await writeExport(place, { ledger: ledger.filter(({ type }) => type !== 'TRANSFER_TYPE_WITHDRAW'), ...others });
    await using unfit = await openReports(place);
    const { rows } = figureNamed(await unfit.report({ party: TRANSFERS }), 'balances', 'Each asset');
    expect(rows.map(([, what]) => what)).toContain('DOES NOT FIT: see the audit');
  });
});

describe('Tables of a report page', () => {
  test('The tables have one amount per line, in full, with decimal points aligned', async () => {
    const report = await all.report({ party: LIQUIDATED });
    for (const { figures } of report.sections)
      for (const { title, columns } of figures.filter(({ title: of }) => !of.startsWith('By epoch')))
        expect([title, columns.filter(({ align }) => align === 'right').length < 3]).toEqual([title, true]);
    const words = ['report', join(folder, 'all'), '--party', LIQUIDATED, '--no-audit', '-o'];
    const html = (await run([...words, 'html'])).out;
    const widths = [...html.matchAll(/500<span class="f" style="width:(\d+)ch">\.000000000000000001<\/span>/g)];
    expect(new Set(widths.map(([, width]) => width))).toEqual(new Set(['19']));
    const markdown = (await run([...words, 'markdown'])).out;
    const lines = markdown.split('\n### By kind\n')[1]?.split('\n').slice(4, 9) ?? [];
    expect(
      new Set(
        lines
          .filter(line => line.includes('.'))
          .map(line => line.lastIndexOf('.') - line.lastIndexOf('|', line.length - 2)),
      ).size,
    ).toBe(1);
  });

  test('The tables have no notes about column types', async () => {
    expect(
      figureNotes(['withdrawals.amount is text here: it is DECIMAL(38,0) in one part and VARCHAR in another', 'x']),
    ).toEqual(['X']);
  });
});

describe('Report range that the exports do not cover', () => {
  test('A missing part of the range is reported first, and nothing is missing before block 1', async () => {
    const { warnings } = await all.report({ party: MAKER, from: '2026-01-01', to: '2026-12-31' });
    expect(warnings).toEqual(['The data ends at 2026-11-01 00:00:09 UTC: later parts of the range are missing.']);
    const exact = { from: '2026-10-31 23:59', to: '2026-10-31' };
    expect((await all.report({ party: MAKER, ...exact })).warnings).toEqual([]);
  });

  test('A missing part of a day is reported, with the tables that lack it', async () => {
    const place = join(folder, 'parts');
    const { ledger, balances, rewards, trades } = story();
    await writeExport(place, { ledger: ledger.filter(isOfOctober), balances: balances.filter(isOfOctober) }, { to: 5 });
    await writeExport(place, { rewards, trades });
    await using parts = await openReports(place);
    const { warnings } = await parts.report({ party: MAKER, from: '2026-10-31', to: '2026-11-01' });
    expect(warnings.slice(0, 2)).toEqual([
      'The data of balances and ledger ends at 2026-10-31 23:59:55 UTC: later parts of the range are missing.',
      'The data of rewards and trades ends at 2026-11-01 00:00:09 UTC: later parts of the range are missing.',
    ]);
  });
});

describe('Trades of a report', () => {
  test('The trades are those of the party and of its own AMM, distinguished from each other', async () => {
    const { rows } = figureNamed(await all.report({ party: MAKER }), 'trades', 'By month and market');
    expect(new Set(rows.map(([month, who]) => `${month} ${who}`))).toEqual(new Set(['2026-11 own AMM']));
    const { rows: others } = figureNamed(await all.report({ party: LIQUIDATED }), 'trades', 'By month and market');
    expect(others.flat()).not.toContain('the party');
  });
});

describe('Balances of a report', () => {
  test('The opening balances follow from the first balance and the ledger, without an earlier row', async () => {
    const { records } = figureNamed(await all.report({ party: TRANSFERS }), 'balances', 'Accounts');
    expect(
      records.map(each => [each.account, each.openingSmallest, each.changeSmallest, each.closingSmallest, each.agrees]),
    ).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '0', String(9n * 10n ** 20n - 262n), String(9n * 10n ** 20n - 262n), 'yes'],
      ['ACCOUNT_TYPE_VESTED_REWARDS', '1000', '-40', '960', 'yes'],
    ]);
  });

  test('The balances are those of both ends of the range', async () => {
    const report = await all.report({ party: TRANSFERS, from: '2026-11-01' });
    const { records } = figureNamed(report, 'balances', 'Accounts');
    expect(records.map(each => [each.openingSmallest, each.closingSmallest])).toEqual([
      [String(10n ** 21n - 262n), String(9n * 10n ** 20n - 262n)],
      ['960', '960'],
    ]);
  });

  test('The balances do not fit if a row of the ledger is missing, and the page reports it first', async () => {
    const { ledger, ...others } = story();
    const place = join(folder, 'dropped');
    await writeExport(place, { ledger: ledger.filter(({ type }) => type !== 'TRANSFER_TYPE_WITHDRAW'), ...others });
    await using dropped = await openReports(place);
    const report = await dropped.report({ party: TRANSFERS });
    expect(figureNamed(report, 'balances', 'Accounts').records.map(({ agrees }) => agrees)).toEqual(['no', 'yes']);
    expect(report.warnings).toContain('For 1 account the start and the ledger do not give the end.');
  });
});

describe('Report on exports of other times', () => {
  test('A report on exports of other times is refused, and no page states that nothing happened', async () => {
    await expect(all.report({ party: MAKER, from: '2025-01-01', to: '2025-12-31' })).rejects.toThrow(
      'these exports have nothing of the requested range: they have rows of 2026-10-31T23:59:51.000001Z to',
    );
    const { code, err } = await run(['report', join(folder, 'all'), '--party', MAKER, '--year', '2025', '-o', 'json']);
    expect([code, err]).toEqual([2, expect.stringContaining('nothing of the requested range')]);
    const journal = await run(['report', join(folder, 'all'), '--party', MAKER, '--year', '2025', '--for', 'hledger']);
    expect(journal.code).toBe(2);
  });

  test('A table of another time leaves its section without a figure, but blocks without rows are really empty', async () => {
    const { ledger, rewards } = story();
    await writeExport(join(folder, 'apart'), { ledger: ledger.filter(isOfOctober) }, { to: 5 });
    await writeExport(join(folder, 'apart'), { rewards });
    const gapsOf = ({ sections }: Awaited<ReturnType<typeof all.report>>) =>
      Object.fromEntries(sections.map(({ id, gap }) => [id, gap]));
    const november = await reportOf([join(folder, 'apart'), '--party', MAKER, '--from', '2026-11-01', '--no-audit']);
    expect(gapsOf(november)).toMatchObject({
      money: {
        why: 'Table ledger has nothing of this range, so this is not known. Fetch it and make the report again.',
        command: 'blockglass export --table ledger --from 2026-11-01',
      },
      rewards: null,
    });
    // The rewards are of November, but their blocks are also those of October.
    const october = await all.report({ party: MAKER, from: '2026-10-31', to: '2026-10-31' });
    expect(gapsOf(october)).toMatchObject({ money: null, rewards: null, trades: null, balances: null });
  });
});

const isOfOctober = ({ vega_time: time = '' }: Readonly<Record<string, string>>): boolean => time < '2026-11';

describe('Report with a missing table', () => {
  test('A missing table leaves its section without a figure, with the command that fetches it', async () => {
    const report = await reportOf([join(folder, 'some'), '--party', MAKER, '--no-audit']);
    const balances = report.sections.find(({ id }) => id === 'balances');
    expect(balances).toMatchObject({
      figures: [],
      gap: {
        why: 'There is no table balances, so this is not known. Fetch it and make the report again.',
        command: 'blockglass export --table balances --from 1 --to 9',
      },
    });
    expect(report.warnings).toEqual(['Not known, because a table is missing or cannot be used: Balances.']);
    expect(sumsShown({ ...report, sections: [...report.sections.slice(0, 4), EMPTY] }).money.deposited).not.toEqual({});
  });
});

const EMPTY = {
  id: 'balances',
  figures: [{ title: 'Accounts', columns: [], sql: '', rows: [], records: [] }],
  notes: [],
  gap: null,
};

describe('Verification section of a report', () => {
  test('The section has the audit of the exports for the party, with what is missing for it', async () => {
    const { audit } = await reportOf([join(folder, 'all'), '--party', MAKER]);
    expect(audit).toMatchObject({ kind: 'made', verdict: 'cannot-be-judged' });
    expect(audit).toMatchObject({ agreeing: 5, notGiven: ['deposits', 'withdrawals'] });
    const { out } = await run(['report', join(folder, 'all'), '--party', MAKER, '-o', 'markdown']);
    expect(out).toContain('- Audit: 5 checks agree; deposits and withdrawals were not given');
    expect(out).not.toContain('be judged');
    expect(audit.commands).toContain('blockglass export --table deposits --from 1 --to 9');
  });

  test('The section reports that the exports add up, or differ, if every table is there', async () => {
    const place = join(folder, 'audited');
    await writeExport(place, { ...story(), ...auditedTables() });
    expect(await reportOf([place, '--party', MAKER])).toMatchObject({ audit: { verdict: 'adds-up' }, warnings: [] });
    const { ledger, ...others } = story();
    const dropped = ledger.filter(({ type }) => type !== 'TRANSFER_TYPE_MTM_WIN');
    await writeExport(place, { ledger: dropped, ...others });
    const { audit, warnings } = await reportOf([place, '--party', MAKER]);
    expect(audit).toMatchObject({ verdict: 'differs' });
    expect(warnings).toContain('The tables do not add up for this party: see the audit before you use a figure.');
  });

  test('The section has the history that other nodes reported, if they were asked', async () => {
    const place = join(folder, 'witnessed');
    await writeExport(place, { rewards: story().rewards });
    const names = join(place, 'crafted-9-rewards-000001-000009.names.json');
    const witness = { node: 'second <b>', same: 3, of: 3, differs: null, problem: null };
    await writeFile(names, JSON.stringify({ ...JSON.parse(await readFile(names, 'utf8')), witnesses: [witness] }));
    await using witnessed = await openReports(place);
    expect((await witnessed.report({ party: MAKER })).witnesses).toEqual([
      'second <b> reports the same history for these blocks',
    ]);
  });

  test('The section lists every archive with its SHA-256', async () => {
    const { archives } = await reportOf([join(folder, 'all'), '--party', MAKER]);
    const hashes = await Promise.all(
      archives.map(async ({ name }) =>
        createHash('sha256')
          .update(await readFile(join(folder, 'all', name)))
          .digest('hex'),
      ),
    );
    expect(archives.map(({ sha256 }) => sha256)).toEqual(hashes);
    expect(archives).toHaveLength(4);
  });
});

describe('Node text in a report', () => {
  const pageFor = async (format: string) =>
    (await run(['report', join(folder, 'all'), '--party', LIQUIDATED, '--no-audit', '-o', format])).out;

  test('Node text stays text in HTML: it gives no element, attribute, address or control character', async () => {
    const page = await pageFor('html');
    expect(page).toContain('=1+1|&#60;img src=x onerror=alert(1)&#62;&#34;; &#38;');
    const tags = new Set([...page.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, name]) => name?.toLowerCase()));
    for (const tag of ['script', 'img', 'link', 'iframe', 'object', 'form', 'base']) expect(tags).not.toContain(tag);
    expect(page.match(/<style/g)).toHaveLength(1);
    expect(page).not.toMatch(/https?:|url\(|@import|\son\w+="|\u001b/);
    expect([...page.matchAll(/href="([^"]*)"/g)].every(([, target]) => target?.startsWith('#'))).toBe(true);
  });

  test('Node text stays text in Markdown: it gives no link, markup or extra line', async () => {
    const page = await pageFor('markdown');
    expect(page).toContain('=1+1\\|\\<img src=x onerror=alert(1)\\>"; \\&');
    const outside = page
      .replaceAll(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '')
      .replaceAll('<details><summary>SQL</summary>', '')
      .replaceAll('</details>', '');
    expect(outside).not.toMatch(/(?<!\\)[<>]|(?<!\\)\[|\u001b/);
  });

  test('The report page is the same for the same exports, except for the time it was made', async () => {
    const once = async () => (await pageFor('html')).replace(/Generated<\/dt><dd>[^<]*/, '');
    expect(await once()).toBe(await once());
  });
});

describe('Report file', () => {
  const words = (...more: readonly string[]) => [
    'report',
    join(folder, 'all'),
    '--party',
    MAKER,
    '--no-audit',
    ...more,
  ];

  test('The report file is written once, and never replaced', async () => {
    const path = join(folder, 'page.html');
    expect(await run(words('--out', path))).toMatchObject({ code: 0, out: `${path}\n` });
    expect(await readFile(path, 'utf8')).toMatch(/^<!doctype html>/);
    await writeFile(path, 'mine');
    const { code, err } = await run(words('--out', path));
    expect([code, err]).toEqual([2, expect.stringContaining(`${path} exists and is not replaced`)]);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test.each([
    ['--year', '2026', '--from', 'e20'],
    ['-o', 'csv'],
    ['--from', 'e999'],
    ['--asset', 'NOPE'],
    ['--for', 'excel'],
    ['-o', 'html', '--for', 'rotki'],
  ])('The report file is refused for %s %s %s %s', async (...flags) => {
    expect((await run(words(...flags.filter(flag => flag !== undefined)))).code).toBe(2);
  });
});
