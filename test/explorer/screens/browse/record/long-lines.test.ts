import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../src/chain/explain/explanation.ts';
import { answerPage, browserOf, FakeWorld, press, startSession, told } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { overlayOf } from '../../../support/layers.ts';
import { pageOf, provision } from '../../../support/provision-pages.ts';

const ID = 'ab'.repeat(32);
const WORDS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen';

const explanation: Explanation = {
  parts: [
    {
      title: '',
      lines: [
        { label: '', text: WORDS },
        { label: 'market', text: `HELDA/HUSD  ${ID}`, copied: ID },
      ],
    },
    { title: 'Part', lines: [{ label: 'said', text: WORDS }] },
  ],
  json: {},
  copies: [],
};

async function inspecting(columns: number, explained = explanation) {
  const world = new FakeWorld();
  world.explains = async () => explained;
  const { session } = await startSession({ columns, rows: 30, world });
  await answerPage(world, pageOf([provision(1)]));
  press(session, 'enter');
  await told();
  const screen = () =>
    paintedLines(session.state())
      .map(line =>
        plain(line)
          .replace(/^.*\u2502/, '')
          .trimEnd(),
      )
      .slice(4, -2)
      .filter(line => line !== '');
  return { session, screen };
}

describe('Long line of an explanation', () => {
  it('A long line continues in the next one, below its text, and an ID is shortened first', async () => {
    const { screen } = await inspecting(80);
    expect(screen().slice(0, 7)).toEqual([
      '>   one two three four five six seven eight nine ten eleven twelve thirteen',
      '    fourteen fifteen sixteen seventeen',
      `    market               HELDA/HUSD  ${'ab'.repeat(10)}..${'ab'.repeat(10)}`,
      '  ▾ Part',
      '      said                 one two three four five six seven eight nine ten',
      '                           eleven twelve thirteen fourteen fifteen sixteen',
      '                           seventeen',
    ]);
  });

  it('A long line shows every word at every width, also next to the table', async () => {
    for (const columns of [40, 60, 80, 100, 120, 200]) {
      const { screen } = await inspecting(columns);
      const words = screen().join(' ').split(/\s+/);
      for (const word of WORDS.split(' ')) expect(words.filter(one => one === word).length, word).toBe(2);
    }
  });

  it('A long line leaves the last column free', async () => {
    for (const columns of [60, 80, 120]) {
      const { session } = await inspecting(columns);
      for (const line of paintedLines(session.state()).slice(4, -2))
        expect(plain(line).slice(columns - 1)).not.toMatch(/\S/);
    }
  });

  it('A long line does not repeat an ID that is its label when there is no room for all of it', async () => {
    const lines = [{ label: 'abab..abab', text: `12.3 %  5.1 USDC  ${ID}`, copied: ID }];
    const parts = [{ title: '', lines }];
    const shown = async (columns: number) => (await inspecting(columns, { ...explanation, parts })).screen()[0];
    expect(await shown(60)).toMatch(/^> {3}abab\.\.abab +12\.3 % {2}5\.1 USDC$/);
    expect(await shown(109)).toContain(`5.1 USDC  ${ID}`);
  });

  it('A long line begins below its label when a word has room only there', async () => {
    const parts = [
      { title: '', lines: [{ label: 'send it', text: `cast send 'remove_signer(address,uint256,bytes)'` }] },
    ];
    expect((await inspecting(60, { ...explanation, parts })).screen().slice(0, 2)).toEqual([
      '>   send it',
      `      cast send 'remove_signer(address,uint256,bytes)'`,
    ]);
    expect((await inspecting(80, { ...explanation, parts })).screen()[0]).toMatch(/send it +cast send 'remove/);
    const share = [{ title: '', lines: [{ label: 'share', text: '10.9 % of 3 778 977.512886542691001387 VEGA' }] }];
    expect((await inspecting(56, { ...explanation, parts: share })).screen().slice(0, 2)).toEqual([
      '>   share',
      '      10.9 % of 3 778 977.512886542691001387 VEGA',
    ]);
  });

  it('A command is not shortened to one that looks as if it could be run: the line says how to copy it', async () => {
    const text = `cast send 0x${'ab'.repeat(40)}`;
    const parts = [{ title: '', lines: [{ label: 'send it', text, isCommand: true as const }] }];
    expect((await inspecting(80, { ...explanation, parts })).screen()[0]).toMatch(
      /send it +y copies it \(92 characters\)/,
    );
  });

  it('A long line keeps the cursor on it when the width of the screen changes', async () => {
    const { session, screen } = await inspecting(80);
    press(session, 'j', 'j', 'j', 'j', 'j', 'j');
    expect(screen()[6]).toContain('>');
    session.dispatch({ type: 'resized', screen: { columns: 40, rows: 30 } });
    expect(screen().find(line => line.startsWith('>'))).toContain('said');
    press(session, 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', text: WORDS });
    press(session, 'esc', 'g');
    expect(browserOf(session).inspector?.columns).toBe(40);
  });

  it('A long line is found by a word of any of its lines, and shown with all of them', async () => {
    const { session, screen } = await inspecting(80);
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'seventeen' });
    press(session, 'enter');
    expect(screen().length).toBe(6);
  });
});
