import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../../src/chain/api/errors.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { renderFrame } from '../../support/frame.ts';
import { LARGE, NOT_COMPLETE, result, SAVED, SMALL, USUAL } from '../../support/scenes.ts';

const resultFrame = (session: Session): string => renderFrame(session.state());

describe('Result of an export on the screen', () => {
  it('The result of a complete export is drawn at 80x24', async () => {
    const { session } = await result(USUAL, SAVED);
    expect(resultFrame(session)).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       The export is complete: all checks passed
        file      /home/me/fake-chain-1-ledger-000001-002000.zip
        size      12.3 MB in 4 s, 108 642 rows
        SHA-256   abababababababababababababababababababababababababababababababab
        not checked: rows the node dropped silently
      ┌───────────────────────────────────────────┬────────┬───────┐
      │ CSV                                       │ rows   │ check │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-093-000001-001000.csv │ 54 321 │ ok    │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-094-001001-002000.csv │ 54 321 │ ok    │
      └───────────────────────────────────────────┴────────┴───────┘
        note: the schema changes at block 1001
        Parquet   blockglass convert /home/me/fake-chain-1-ledger-000001-002000.zip
                  --parquet --out /home/me/fake-chain-1-ledger-000001-002000-parquet




      ────────────────────────────────────────────────────────────────────────────────
       y copy  o open the rows  enter what next  a ask  A audit  p presets  ? help
      "
    `);
  });

  it('The result of an export whose names could not be saved says so first, with the consequence, at 80x24', async () => {
    const ofNames = 'answers from it need --node URL: no names were saved with it (cancelled)';
    const { session } = await result(USUAL, { ...SAVED, ofNames });
    const lines = resultFrame(session).split('\n');
    expect(lines.filter(line => line.includes('names'))).toMatchInlineSnapshot(`
      [
        "  note: answers from it need --node URL: no names were saved with it (cancelled)",
      ]
    `);
  });

  it('The result of a complete export is drawn at 120x40', async () => {
    const { session } = await result(LARGE, SAVED);
    expect(resultFrame(session)).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                                                           answered
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       The export is complete: all checks passed
        file      /home/me/fake-chain-1-ledger-000001-002000.zip
        size      12.3 MB in 4 s, 108 642 rows
        SHA-256   abababababababababababababababababababababababababababababababab
        not checked: rows the node dropped silently
      ┌───────────────────────────────────────────┬────────┬───────┐
      │ CSV                                       │ rows   │ check │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-093-000001-001000.csv │ 54 321 │ ok    │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-094-001001-002000.csv │ 54 321 │ ok    │
      └───────────────────────────────────────────┴────────┴───────┘
        note: the schema changes at block 1001
        Parquet   blockglass convert /home/me/fake-chain-1-ledger-000001-002000.zip --parquet --out
                  /home/me/fake-chain-1-ledger-000001-002000-parquet




















      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       y copy  o open the rows  enter what next  a ask  A audit  v first rows  p presets  : command  esc back  ? help
      "
    `);
  });

  it("The result of an incomplete export shows the reason, the node's message and the file at 80x24", async () => {
    const { session } = await result(USUAL, NOT_COMPLETE);
    expect(resultFrame(session)).toMatchInlineSnapshot(`
      "
       blockglass  DEMO DATA  fake-chain-1                                   answered
      ────────────────────────────────────────────────────────────────────────────────
       The export is incomplete: do not use it as a complete export
        the node broke off in fake-chain-1-ledger-094-001001-002000.csv
        the node: failed to open segment: no such file (code 10000)
        the node: Internal error (code 13)
        saved as  /home/me/fake-chain-1-ledger-000001-002000.zip.part
        size      12.3 MB in 4 s, 108 642 rows
        SHA-256   abababababababababababababababababababababababababababababababab
      ┌───────────────────────────────────────────┬────────┬───────┐
      │ CSV                                       │ rows   │ check │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-093-000001-001000.csv │ 54 321 │ ok    │
      ├───────────────────────────────────────────┼────────┼───────┤
      │ fake-chain-1-ledger-094-001001-002000.csv │ 54 321 │ bad   │
      └───────────────────────────────────────────┴────────┴───────┘





      ────────────────────────────────────────────────────────────────────────────────
       y copy  enter what next  v first rows  p presets  : command  esc back  ? help
      "
    `);
  });

  it('The result of an incomplete export says so at 40x12', async () => {
    const { session } = await result(SMALL, NOT_COMPLETE);
    expect(resultFrame(session)).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       The export is incomplete: do not use it
       as a complete export
        the node broke off in
        fake-chain-1-ledger-094-001001-002000.
        csv
        the node: failed to open segment: no
        such file (code 10000)
      ────────────────────────────────────────
       y copy  enter what next  ? help
      "
    `);
  });

  it('The result of a failed export shows the key that runs the same again', async () => {
    const error = new NetworkError('the line broke', { url: '', hint: 'try again' });
    const { session } = await result(USUAL, { kind: 'failed', error, partPath: null, elapsedMs: 1 });
    expect(resultFrame(session)).toContain('Enter: export again, and more actions');
    expect(resultFrame(session)).not.toContain('r tries again');
  });

  it('The result of a cancelled export shows where its bytes are', async () => {
    const { session } = await result(SMALL, { kind: 'cancelled', partPath: '/home/me/x.zip.part', elapsedMs: 1 });
    expect(resultFrame(session)).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       The export was cancelled

        saved as  /home/me/x.zip.part




      ────────────────────────────────────────
       y copy  enter what next  ? help
      "
    `);
  });
});
