import { describe, expect, it } from 'vitest';
import type { OpeningProgress } from '../../../../src/explorer/services/tables.ts';
import { press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { LARGE, type Size, USUAL } from '../../support/scenes.ts';
import { tellViewer, type ViewerOptions, viewing } from '../../support/viewer-scenes.ts';

const NARROW: Size = { columns: 60, rows: 16 };

async function shown(screen: Size, keys: readonly string[] = [], table: ViewerOptions['table'] = {}): Promise<string> {
  const { session } = await viewing({ screen, table });
  for (const key of keys) {
    press(session, key);
    await told();
  }
  return renderFrame(session.state());
}

const answered = (name: string, shape: 'text' | 'number' | 'time') => ({
  ...{ name, shape, type: 'VARCHAR', about: '', unit: '', words: {} },
  isAnswer: true,
});

const QUESTION = {
  name: 'balance',
  title: 'the balances of a party, by day or at a time, and more than fits into a line of eighty',
  party: `c4ce${'0'.repeat(56)}6b9c`,
};

describe('Viewer on the screen', () => {
  it('The viewer is drawn at 80x24', async () => {
    expect(await shown(USUAL, ['j'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ ledger ─ 100 rows ─ blocks 501-1500 ─ columns 1-5 of 9 ───────────────────────
        ledger_entry_time     type                quantity  from        to           >
        2026-10-01 00:00:00Z  deposit                    0  0000..0000  9e37..79b1
      > 2026-10-01 00:10:00Z  reward received    1 000 037  9e37..79b1  3c6e..f362
        2026-10-01 00:20:00Z  TRANSFER_TYPE_NEW  1 000 074  3c6e..f362  daa6..6d13
        2026-10-01 00:30:00Z  deposit            1 000 111  daa6..6d13  78dd..e6c4
        2026-10-01 00:40:00Z  reward received    1 000 148  78dd..e6c4  1715..6075
        2026-10-01 00:50:00Z  TRANSFER_TYPE_NEW  1 000 185  1715..6075  9e37..79b1
        2026-10-01 01:00:00Z  deposit            1 000 222  b54c..da26  3c6e..f362
        2026-10-01 01:10:00Z  reward received    1 000 259  0000..0000  daa6..6d13
        2026-10-01 01:20:00Z  TRANSFER_TYPE_NEW  1 000 296  9e37..79b1  78dd..e6c4
        2026-10-01 01:30:00Z  deposit            1 000 333  3c6e..f362  1715..6075
        2026-10-01 01:40:00Z  reward received    1 000 370  daa6..6d13  9e37..79b1
        2026-10-01 01:50:00Z  TRANSFER_TYPE_NEW          0  78dd..e6c4  3c6e..f362
        2026-10-01 02:00:00Z  deposit            1 000 444  1715..6075  daa6..6d13
        2026-10-01 02:10:00Z  reward received    1 000 481  b54c..da26  78dd..e6c4
        2026-10-01 02:20:00Z  TRANSFER_TYPE_NEW  1 000 518  0000..0000  1715..6075
        2026-10-01 02:30:00Z  deposit            1 000 555  9e37..79b1  9e37..79b1
        2026-10-01 02:40:00Z  reward received    1 000 592  3c6e..f362  3c6e..f362
        2026-10-01 02:50:00Z  TRANSFER_TYPE_NEW  1 000 629  daa6..6d13  daa6..6d13
      ────────────────────────────────────────────────────────────────────────────────
       1-18 of 100   enter row  / find  s sort  F count  = same  R raw  ? help
      "
    `);
  });

  it.each([NARROW, USUAL, LARGE, { columns: 200, rows: 60 }])(
    'The viewer shows each amount of an answer to the digit or marks that it is past the edge: %o',
    async screen => {
      const amount = (place: number): string => `${10n ** BigInt(place * 6)}.123456789012345678`;
      const names = ['asset', 'received', 'sent', 'net'];
      const columns = names.map((name, at) => answered(name, at === 0 ? 'text' : 'number'));
      const row = (place: number) => ['USDT', amount(place), '0', `-${amount(place)}`];
      for (const right of [0, 1, 2]) {
        const frame = await shown(screen, Array(right).fill('right'), { columns, row, rows: 4 });
        expect(frame).not.toMatch(/\u2026|\^/);
        const heading =
          frame
            .split('\n')
            .find(line => /^ +asset/.test(line))
            ?.trimEnd() ?? '';
        const missing = names.length - names.filter(name => heading.includes(name)).length - right;
        expect(heading.endsWith('>')).toBe(missing > 0);
        if (missing > 0) expect(frame).toMatch(/ columns? [\d, -]+ of 4 /);
      }
    },
  );

  it.each([NARROW, USUAL])('The viewer shows how many rows an answer has, and for which party: %o', async screen => {
    const { session } = await viewing({ screen, question: QUESTION });
    const line = renderFrame(session.state()).split('\n')[2] ?? '';
    expect(line).toMatch(/^\u2500 balance \u2500 party c4ce\.\.6b9c \u2500 100 rows/);
  });

  it('The viewer shows that an answer is being worked out, and for which party', async () => {
    const { session } = await viewing({ screen: USUAL, question: QUESTION });
    const whileOpening = (progress: OpeningProgress | null): readonly string[] => {
      tellViewer(session, progress === null ? { type: 'open-again' } : { type: 'opening', progress });
      const [, , title = '', , words = ''] = renderFrame(session.state()).split('\n');
      return [title.slice(2, 34), words.trim()];
    };
    const title = 'the balances of a party, by day ';
    expect(whileOpening(null)).toEqual([title, 'answering ...  Esc stops']);
    expect(whileOpening({ bytes: 5, totalBytes: 10, rows: 1 })[1]).toBe(
      'building the table: 5 B of 10 B, 1 row ...  Esc stops',
    );
    expect(whileOpening({ bytes: 10, totalBytes: 10, rows: 2 })[1]).toBe('answering ...  Esc stops');
  });

  it('The viewer shows the notes of an answer even if it has no rows', async () => {
    const notes = ['accounts of markets that are not known here are not in it'];
    const { session } = await viewing({ screen: USUAL, question: QUESTION, table: { rows: 0, notes } });
    const frame = renderFrame(session.state());
    expect(frame.split('\n').slice(4, 9)).toEqual([
      '',
      '  no rows; the notes show the searched range',
      '',
      `  note: ${notes[0]}`,
      '  y copies the SQL that was run; a: another range, or split by reason',
    ]);
  });

  it('The viewer leaves a cell of an answer blank when it has no text, and cuts names in their middle', async () => {
    const columns = [answered('asset', 'text'), answered('market', 'text'), answered('balance', 'number')];
    const row = (place: number) => ['USDT', place === 0 ? '' : 'A market with a long name 2026', '9'.repeat(38)];
    const lines = (await shown(USUAL, [], { columns, row, rows: 2 })).split('\n').slice(4, 6);
    expect(lines.map(line => line.slice(0, 26).trimEnd())).toEqual(['> USDT', '  USDT   A market..me 2026']);
  });

  it('The viewer is drawn at 120x40, sorted', async () => {
    expect(await shown(LARGE, ['s', 'j', 'j', 'enter'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ ledger ─ 100 rows ─ sorted by quantity in smallest units, largest first ─ blocks 501-1500 ─ columns 1-7 of 9 ─────────
        ledger_entry_time     type               quantity ▼  from        to          transfer  account_to_balance            >
      > 2026-10-02 16:20:00Z  TRANSFER_TYPE_NEW   1 003 626  0000..0000  78dd..e6c4                   9.8 x 10^31
        2026-10-02 16:10:00Z  reward received     1 003 589  b54c..da26  daa6..6d13                   9.7 x 10^31
        2026-10-02 16:00:00Z  deposit             1 003 552  1715..6075  3c6e..f362  NULL             9.6 x 10^31
        2026-10-02 15:50:00Z  TRANSFER_TYPE_NEW   1 003 515  78dd..e6c4  9e37..79b1                   9.5 x 10^31
        2026-10-02 15:40:00Z  reward received     1 003 478  daa6..6d13  1715..6075                   9.4 x 10^31
        2026-10-02 15:30:00Z  deposit             1 003 441  3c6e..f362  78dd..e6c4                   9.3 x 10^31
        2026-10-02 15:20:00Z  TRANSFER_TYPE_NEW   1 003 404  9e37..79b1  daa6..6d13  NULL             9.2 x 10^31
        2026-10-02 15:10:00Z  reward received     1 003 367  0000..0000  3c6e..f362                   9.1 x 10^31
        2026-10-02 15:00:00Z  deposit             1 003 330  b54c..da26  9e37..79b1                     9 x 10^31
        2026-10-02 14:50:00Z  TRANSFER_TYPE_NEW   1 003 293  1715..6075  1715..6075                   8.9 x 10^31
        2026-10-02 14:30:00Z  deposit             1 003 219  daa6..6d13  daa6..6d13                   8.7 x 10^31
        2026-10-02 14:20:00Z  TRANSFER_TYPE_NEW   1 003 182  3c6e..f362  3c6e..f362                   8.6 x 10^31
        2026-10-02 14:10:00Z  reward received     1 003 145  9e37..79b1  9e37..79b1                   8.5 x 10^31
        2026-10-02 14:00:00Z  deposit             1 003 108  0000..0000  1715..6075  NULL             8.4 x 10^31
        2026-10-02 13:50:00Z  TRANSFER_TYPE_NEW   1 003 071  b54c..da26  78dd..e6c4                   8.3 x 10^31
        2026-10-02 13:40:00Z  reward received     1 003 034  1715..6075  daa6..6d13                   8.2 x 10^31
        2026-10-02 13:30:00Z  deposit             1 002 997  78dd..e6c4  3c6e..f362                   8.1 x 10^31
        2026-10-02 13:20:00Z  TRANSFER_TYPE_NEW   1 002 960  daa6..6d13  9e37..79b1  NULL               8 x 10^31
        2026-10-02 13:10:00Z  reward received     1 002 923  3c6e..f362  1715..6075                   7.9 x 10^31
        2026-10-02 13:00:00Z  deposit             1 002 886  9e37..79b1  78dd..e6c4                   7.8 x 10^31
        2026-10-02 12:40:00Z  reward received     1 002 812  b54c..da26  3c6e..f362  NULL             7.6 x 10^31
        2026-10-02 12:30:00Z  deposit             1 002 775  1715..6075  9e37..79b1                   7.5 x 10^31
        2026-10-02 12:20:00Z  TRANSFER_TYPE_NEW   1 002 738  78dd..e6c4  1715..6075                   7.4 x 10^31
        2026-10-02 12:10:00Z  reward received     1 002 701  daa6..6d13  78dd..e6c4                   7.3 x 10^31
        2026-10-02 12:00:00Z  deposit             1 002 664  3c6e..f362  daa6..6d13  NULL             7.2 x 10^31
        2026-10-02 11:50:00Z  TRANSFER_TYPE_NEW   1 002 627  9e37..79b1  3c6e..f362                   7.1 x 10^31
        2026-10-02 11:40:00Z  reward received     1 002 590  0000..0000  9e37..79b1                     7 x 10^31
        2026-10-02 11:30:00Z  deposit             1 002 553  b54c..da26  1715..6075                   6.9 x 10^31
        2026-10-02 11:20:00Z  TRANSFER_TYPE_NEW   1 002 516  1715..6075  78dd..e6c4  NULL             6.8 x 10^31
        2026-10-02 11:10:00Z  reward received     1 002 479  78dd..e6c4  daa6..6d13                   6.7 x 10^31
        2026-10-02 10:50:00Z  TRANSFER_TYPE_NEW   1 002 405  3c6e..f362  9e37..79b1                   6.5 x 10^31
        2026-10-02 10:40:00Z  reward received     1 002 368  9e37..79b1  1715..6075  NULL             6.4 x 10^31
        2026-10-02 10:30:00Z  deposit             1 002 331  0000..0000  78dd..e6c4                   6.3 x 10^31
        2026-10-02 10:20:00Z  TRANSFER_TYPE_NEW   1 002 294  b54c..da26  daa6..6d13                   6.2 x 10^31
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1-34 of 100   esc keep rows  enter row  / find  s sort  F count  = same  x all  R raw  y copy  : command  ? help
      "
    `);
  });

  it('The viewer is drawn at 60x16, with columns scrolled', async () => {
    expect(await shown(NARROW, ['l', 'G'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ ledger ─ 100 rows ─ blocks 501-1500 ──────────────────────
        ledger_entry_time    < quantity  from        to          >
        2026-10-02 15:00:00Z  1 003 330  b54c..da26  9e37..79b1
        2026-10-02 15:10:00Z  1 003 367  0000..0000  3c6e..f362
        2026-10-02 15:20:00Z  1 003 404  9e37..79b1  daa6..6d13
        2026-10-02 15:30:00Z  1 003 441  3c6e..f362  78dd..e6c4
        2026-10-02 15:40:00Z  1 003 478  daa6..6d13  1715..6075
        2026-10-02 15:50:00Z  1 003 515  78dd..e6c4  9e37..79b1
        2026-10-02 16:00:00Z  1 003 552  1715..6075  3c6e..f362
        2026-10-02 16:10:00Z  1 003 589  b54c..da26  daa6..6d13
        2026-10-02 16:20:00Z  1 003 626  0000..0000  78dd..e6c4
      > 2026-10-02 16:30:00Z          0  9e37..79b1  1715..6075
      ────────────────────────────────────────────────────────────
       91-100 of 100   enter row  / find  s sort  = same  ? help
      "
    `);
  });

  it('The viewer shows the counted values of a column, one per line', async () => {
    expect(await shown(USUAL, ['F', 'j', 'enter'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Frequency ─ type ─ 3 values of all 100 rows ─ table ledger ───────────────────
        type               COUNT   SHARE
      > deposit               34  34.0 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        reward received       33  33.0 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        TRANSFER_TYPE_NEW     33  33.0 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━















      ────────────────────────────────────────────────────────────────────────────────
       1-3 of 3   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
    expect(await shown(USUAL, ['F', 'j', 'j', 'enter'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ─ Frequency ─ quantity ─ 91 values of all 100 rows ─ table ledger ──────────────
       no sum: the assets may differ; the values are in smallest units of the asset
         quantity  COUNT   SHARE
      >         0     10  10.0 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        1 000 037      1   1.0 %  ━━━━
        1 000 074      1   1.0 %  ━━━━
        1 000 111      1   1.0 %  ━━━━
        1 000 148      1   1.0 %  ━━━━
        1 000 185      1   1.0 %  ━━━━
        1 000 222      1   1.0 %  ━━━━
        1 000 259      1   1.0 %  ━━━━
        1 000 296      1   1.0 %  ━━━━
        1 000 333      1   1.0 %  ━━━━
        1 000 370      1   1.0 %  ━━━━
        1 000 444      1   1.0 %  ━━━━
        1 000 481      1   1.0 %  ━━━━
        1 000 518      1   1.0 %  ━━━━
        1 000 555      1   1.0 %  ━━━━
        1 000 592      1   1.0 %  ━━━━
        1 000 629      1   1.0 %  ━━━━
      ────────────────────────────────────────────────────────────────────────────────
       1-17 of 91   enter its rows  F column  y copy  : command  esc back  ? help
      "
    `);
  });

  it('The viewer shows all of a row', async () => {
    expect(await shown(USUAL, ['enter'])).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA
      ────────────────────────────────────────────────────────────────────────────────
       ledger: row 1 of 100
        ledger_entry_time   2026-10-01 00:00:00.000
                            block time plus index in block
        account_from_id     00000000000000000000000000000000000000000000000000000000
                            00000000
                            account that pays
        account_to_id       9e3779b19e3779b19e3779b19e3779b19e3779b19e3779b19e3779b1
                            9e3779b1
                            account that receives
        quantity            0
                            amount moved; in smallest units of the asset
        tx_hash             00000000000000000000000000000000000000000000000000000000
                            00000000
        vega_time           2026-10-01 00:00:00.000
        account_to_balance  0
        type                TRANSFER_TYPE_DEPOSIT  (deposit)
        transfer_id         NULL


      ────────────────────────────────────────────────────────────────────────────────
       y copy  esc back  ? help
      "
    `);
  });
});

describe('Viewer on a hostile table', () => {
  const HOSTILE = '\u001b]52;c;AAAA\u0007\u001b[2J\u202e\u200b\nname';

  it('A hostile table is drawn without control characters, in the table, in a row, in counts and in notices', async () => {
    const column = { name: HOSTILE, type: HOSTILE, shape: 'text', about: HOSTILE, unit: HOSTILE, words: {} } as const;
    const amount = { ...column, name: `n${HOSTILE}`, shape: 'number' } as const;
    const time = { ...column, name: 'vega_time', shape: 'time' } as const;
    const row = (place: number) => [HOSTILE, `${place}${HOSTILE}`, `2026-10-01 00:00:0${place % 10}${HOSTILE}`];
    const table = { columns: [column, amount, time], row, rows: 30, tables: [HOSTILE, 'other'] };
    for (const keys of [['j'], ['enter'], ['F', 'enter'], ['s'], ['='], ['y'], ['T'], ['=', 'enter'], ['s', 'enter']])
      expect(await shown(USUAL, keys, table)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/);
  });
});
