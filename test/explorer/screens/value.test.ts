import { expect, it } from 'vitest';
import { open } from '../../../src/explorer/openings.ts';
import { THEMES } from '../../../src/explorer/terminal/theme.ts';
import { startSession } from '../support/fake-world.ts';
import { paintedLines, plain } from '../support/frame.ts';

const AUDIT = [
  'adds-up: the money adds up',
  '',
  'RESULT      VALUES  CHECK',
  'ok          37 099  boundaries: balances carry over from one file or month to the next, whatever happened',
  'look             3  rewards: rewards are paid',
].join('\n');

it('A table in a text is broken below its last column, and its verdicts stand out', async () => {
  const { session } = await startSession({ columns: 80, rows: 24 });
  session.dispatch(open('value', { title: 'Audit', text: AUDIT, isProse: true }));
  const lines = paintedLines(session.state(), THEMES.dark.utf8);
  const shown = lines.map(plain).filter(line => /^ {2}\S|^ {22}\S/.test(line));
  expect(shown.slice(0, 5)).toEqual([
    '  adds-up: the money adds up',
    '  RESULT      VALUES  CHECK',
    '  ok          37 099  boundaries: balances carry over from one file or month',
    '                      to the next, whatever happened',
    '  look             3  rewards: rewards are paid',
  ]);
  const styleOf = (start: string) => lines.find(line => plain(line).startsWith(`  ${start}`))?.indexOf('\u001b[') ?? -1;
  expect(['adds-up', 'ok', 'look', 'RESULT'].map(start => styleOf(start) >= 0)).toEqual([true, true, true, false]);
});
