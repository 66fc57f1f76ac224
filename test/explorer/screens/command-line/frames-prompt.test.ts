import { describe, expect, it } from 'vitest';
import { PROMPT_COMMANDS } from '../../../../src/explorer/app/commands/command.ts';
import { press } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { onFirstPage, type } from '../../support/list-scenes.ts';

async function prompt(text: string, columns: number) {
  const { session } = await onFirstPage();
  session.dispatch({ type: 'resized', screen: { columns, rows: 16 } });
  press(session, ':');
  type(session, text);
  return session;
}

/** The last lines of the screen. */
const bottom = (session: Awaited<ReturnType<typeof prompt>>): string =>
  `\n${paintedLines(session.state())
    .slice(-3)
    .map(line => plain(line).trimEnd())
    .join('\n')}\n`;

describe('Command line on the screen', () => {
  it('The command line shows a completion behind the typed text, and several of them above it', async () => {
    const session = await prompt('provisions ', 80);
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
        market=  party=  reference=  live=
       : provisions market=
       enter done  tab complete  esc back
      "
    `);
    press(session, 'tab', 'tab');
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
        market= >party=  reference=  live=
       : provisions party=
       enter done  tab complete  esc back
      "
    `);
  });

  it('The command line shows all commands if they fit; if not, those that match, and how many more there are', async () => {
    const commands = (session: Awaited<ReturnType<typeof prompt>>): string =>
      plain(paintedLines(session.state()).join('\n'));
    const session = await prompt('', 80);
    expect(commands(session)).toMatch(/and \d+ more: type their first letters/);
    expect(commands(session)).not.toContain('export TABLE');
    type(session, 'exp');
    expect(commands(session)).toContain(
      '  export [TABLE RANGE]      a file of a range: ledger e20..e25; a preset; last-',
    );
    expect(commands(session)).not.toContain('find TEXT');
    session.dispatch({ type: 'resized', screen: { columns: 80, rows: 40 } });
    expect(PROMPT_COMMANDS.filter(([form]) => !commands(session).includes(`  ${form}`))).toEqual([]);
  });

  it('The command line shows every problem in its text, above it when that is long', async () => {
    const session = await prompt('export legder e20..e25', 80);
    press(session, 'enter');
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
       "legder" is not a table, preset or range; did you mean "ledger"?
       : export legder e20..e25
       enter done  esc back
      "
    `);
    press(session, 'ctrl-u');
    type(session, 'export ledger 501');
    press(session, 'enter');
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
       last-month, this-month, all, or FIRST..LAST (e20..e25)
       : export ledger 501
       enter done  esc back
      "
    `);
    press(session, 'ctrl-u');
    type(session, 'sort fea');
    press(session, 'enter');
    expect(bottom(session)).toMatchInlineSnapshot(`
      "

       : sort fea   no column "fea": did you mean fee?
       enter done  esc back
      "
    `);
  });

  it('The command line shows as many completions as fit on a wide screen', async () => {
    const session = await prompt('provisions party=', 120);
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
        0000..8480  0000..8481  0000..8482  0000..8483  0000..8484  0000..8485  0000..8486
       : provisions party=00000000000000000000000000000000000000000000000000000000001e8480
       enter done  tab complete  esc back
      "
    `);
  });

  it('The command line keeps the accepted completion on the line', async () => {
    const session = await prompt('provisions party=', 40);
    expect(bottom(session)).toMatchInlineSnapshot(`
      "
        0000..8480  0000..8481  +5
       : provisions party=0000000000000000000…
       enter done  tab complete  esc back
      "
    `);
    for (let taken = 0; taken < 8; taken++) {
      press(session, 'tab');
      expect(bottom(session)).toMatch(/>\S/);
    }
  });

  it('The command line shows no more than the width of the line', async () => {
    const session = await prompt(`find ${'x'.repeat(100)}`, 40);
    for (const line of paintedLines(session.state())) expect(plain(line).length).toBeLessThanOrEqual(40);
  });
});
