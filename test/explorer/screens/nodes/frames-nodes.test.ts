import { describe, expect, it } from 'vitest';
import { PROFILE_COLOURS } from '../../../../src/base/settings/settings.ts';
import { NetworkError, RefusedError } from '../../../../src/chain/api/errors.ts';
import { askToConfirm } from '../../../../src/explorer/app/confirmations.ts';
import { THEMES } from '../../../../src/explorer/terminal/theme.ts';
import { last, press, startSession, told } from '../../support/fake-world.ts';
import { paintedLines, plain, renderFrame } from '../../support/frame.ts';
import { onFirstPage } from '../../support/list-scenes.ts';
import { answered, answerNode, historyOf, inPicker, offered } from '../../support/node-scenes.ts';

async function picker(columns: number) {
  const { session, world } = await inPicker(undefined, columns);
  world.probes[0]?.answer(answered('other-chain-2', '1200'));
  world.probes[1]?.answer({ kind: 'failed', problem: 'no answer within 4 s' });
  world.probes[2]?.answer(answered('fake-chain-1', '24031'));
  await told();
  return session;
}

describe('Node picker on the screen', () => {
  it('The node picker shows which nodes of a chain report a different history, without a key', async () => {
    const { session, world } = await inPicker();
    const chain = 'fake-chain-1';
    world.probes[0]?.answer({ ...answered(chain, '3000'), segments: historyOf(chain, 'a', 'b', 'c') });
    world.probes[1]?.answer({ ...answered(chain, '3000'), segments: historyOf(chain, 'a', 'x', 'c') });
    world.probes[2]?.answer({ ...answered(chain, '2000'), segments: historyOf(chain, 'a', 'b') });
    await told();
    expect(renderFrame(session.state())).toContain(
      [
        '   NODE    CHAIN                   BLOCK  BEHIND  HISTORY  LATENCY  VERSION',
        '>  main    fake-chain-1             3000       0  first      12 ms  v0.74.10',
        '   backup  fake-chain-1             3000       0  differs    12 ms  v0.74.10',
        ' * demo    fake-chain-1             2000    1000  same       12 ms  v0.74.10',
      ].join('\n'),
    );
    press(session, 'down');
    expect(renderFrame(session.state())).toContain(
      'history differs from main: blocks 1001 to 2000 have another segment',
    );
    press(session, 'down');
    expect(renderFrame(session.state())).toContain('same history as main: 2 segments with the same id');
  });

  it('The node picker marks a node that answered with two chains, and shows which', async () => {
    const { session, world } = await inPicker();
    const mixed = 'its history is from one, its core from fake-chain-1';
    world.probes[0]?.answer({ ...answered('fake-chain-1', '3000'), mixed });
    await told();
    const frame = renderFrame(session.state());
    expect(frame).toContain('>  main    two chains');
    expect(frame).toContain(`two chains: ${mixed}`);
  });

  it('The node picker does not compare the histories of two chains', async () => {
    const { session, world } = await inPicker();
    world.probes[0]?.answer({ ...answered('one', '3000'), segments: historyOf('one', 'a') });
    world.probes[1]?.answer({ ...answered('other', '3000'), segments: historyOf('other', 'x') });
    await told();
    expect(renderFrame(session.state())).not.toContain('HISTORY');
  });

  it.each([80, 120])(
    'The node picker shows the state of each node, and that another chain is a different one, at %i columns',
    async columns => {
      const session = await picker(columns);
      const frame = renderFrame(session.state());
      if (columns === 80)
        expect(frame).toMatchInlineSnapshot(`
          "
           blockglass  DEMO DATA  fake-chain-1                                   answered
          ────────────────────────────────────────────────────────────────────────────────
           Nodes: Enter switches, Esc stays

             NODE    CHAIN                   BLOCK  BEHIND  LATENCY  VERSION
          >  main    other-chain-2            1200       -    12 ms  v0.74.10
             backup  no answer within 4 s
           * demo    fake-chain-1            24031       -    12 ms  v0.74.10

            http://main
            another chain: other-chain-2 instead of fake-chain-1










          ────────────────────────────────────────────────────────────────────────────────
           enter choose  / filter  esc back
          "
        `);
      else
        expect(frame).toMatchInlineSnapshot(`
          "
           blockglass  DEMO DATA  fake-chain-1                                                                           answered
          ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
           Nodes: Enter switches, Esc stays

             NODE    CHAIN                   BLOCK  BEHIND  LATENCY  VERSION
          >  main    other-chain-2            1200       -    12 ms  v0.74.10
             backup  no answer within 4 s
           * demo    fake-chain-1            24031       -    12 ms  v0.74.10

            http://main
            another chain: other-chain-2 instead of fake-chain-1










          ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
           enter choose  / filter  esc back
          "
        `);
    },
  );

  it('The node picker shows which nodes answer and how far behind they are on 40 columns', async () => {
    const session = await picker(40);
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       Nodes: Enter switches, Esc stays

         NODE    CHAIN         BEHIND
      >  main    other..ain-2       -
         backup  no answer within 4 s
       * demo    fake-chain-1       -

        http://main
        another chain: other-chain-2 instead …










      ────────────────────────────────────────
       enter choose  / filter  esc back
      "
    `);
  });

  it('The node picker fits three nodes and the description of the selected one on the smallest screen', async () => {
    const session = await picker(40);
    session.dispatch({ type: 'resized', screen: { columns: 40, rows: 12 } });
    expect(renderFrame(session.state())).toMatchInlineSnapshot(`
      "
       DEMO DATA                     answered
      ────────────────────────────────────────
       Nodes: Enter switches, Esc stays

         NODE    CHAIN         BEHIND
      >  main    other..ain-2       -
         backup  no answer within 4 s
       * demo    fake-chain-1       -
        another chain: other-chain-2 instead …
      ────────────────────────────────────────
       enter choose  / filter  esc back
      "
    `);
    press(session, 'end');
    expect(renderFrame(session.state())).toContain('http://127.0.0.1:3008  in use');
  });

  it('The node picker says how to add nodes when the settings have none', async () => {
    const { session } = await onFirstPage();
    press(session, 'N');
    await told();
    expect(renderFrame(session.state())).toContain('blockglass node add NAME URL');
  });

  it('The node picker shows harmlessly what a node reports about itself', async () => {
    const { session, world } = await inPicker();
    world.probes[0]?.answer(answered('\u001b[2J\u202echain', '9'.repeat(20)));
    world.probes[1]?.answer({ kind: 'failed', problem: `\u001b]0;x\u0007${'long '.repeat(99)}` });
    await told();
    for (const line of paintedLines(session.state())) expect(plain(line)).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe('Node state on the screen', () => {
  it('A chosen node that does not answer leads to an offer of the others and the way back', async () => {
    const { session, world } = await onFirstPage();
    session.dispatch({ type: 'choose-node', to: offered('backup') });
    expect(renderFrame(session.state())).toContain('connecting ...');
    await answerNode(world, { label: 'backup', address: 'http://backup' });
    last(world.pages).fail(new NetworkError('cannot reach the node', { url: 'http://backup/', hint: 'check it' }));
    await told();
    const frame = renderFrame(session.state());
    expect(frame).toContain('N other nodes   Backspace goes back to demo');
    expect(frame).not.toContain('reference-');
  });

  it('A node that refuses its first page leads to an offer of others; one that has shown a page does not', async () => {
    const refused = new RefusedError(
      404,
      { code: 0, message: 'the body is an HTML page titled "Hello"', details: [] },
      { url: 'http://demo/', hint: 'check the address' },
    );
    const { session, world } = await startSession();
    last(world.pages).fail(refused);
    await told();
    expect(renderFrame(session.state())).toContain('N other nodes');
    const known = await onFirstPage();
    press(known.session, 'r');
    last(known.world.pages).fail(refused);
    await told();
    expect(renderFrame(known.session.state())).toContain('HTTP 404');
    expect(renderFrame(known.session.state())).not.toContain('N other nodes');
  });

  it('A node that stops answering leads to an offer of others in a list, but not where their key differs', async () => {
    const { session, world } = await onFirstPage();
    const failing = async () => {
      last(world.pages).fail(new NetworkError('cannot reach the node', { url: 'http://demo/', hint: 'check it' }));
      await told();
      return paintedLines({ ...session.state(), screen: { columns: 140, rows: 30 } })
        .map(plain)
        .join('\n');
    };
    press(session, 'r');
    expect(await failing()).toMatch(/Esc shows the rows again\s+N other nodes/);
    press(session, 'esc', 'enter', 'r');
    const beside = await failing();
    expect(beside).toContain('The node cannot be reached');
    expect(beside).not.toContain('other nodes');
  });

  it('Switching the node asks first when that cancels an export', async () => {
    const { session } = await onFirstPage();
    session.dispatch({ type: 'choose-node', to: offered('demo') });
    const lines = paintedLines(askToConfirm(session.state(), { about: 'switch-node', to: offered('backup') })).map(
      plain,
    );
    expect(lines.join('\n')).toContain('An export is running. Switch to backup and cancel it?  y / N');
  });

  it.each(PROFILE_COLOURS)(
    'A node name is shown in %s on its own background, and without colour only by its text',
    async colour => {
      const { session } = await onFirstPage();
      const state = session.state();
      const shown = { ...state, node: { ...state.node, label: 'backup', colour } };
      const [coloured = ''] = paintedLines(shown, THEMES.auto.utf8);
      const [mono = ''] = paintedLines(shown, THEMES.mono.utf8);
      // Letters and ground are both said: neither is the terminal's own.
      expect(coloured).toMatch(/\u001b\[38;5;(?:16|231);48;5;\d+mbackup\u001b\[0m/);
      expect(mono).toContain('backup');
      expect(mono).not.toMatch(/\u001b\[[^m]*[34]\d/);
      press(session, 'N');
    },
  );
});

describe('Block age in the node picker', () => {
  it.each([
    [300_000, '5 min'],
    [-300_000, '-5 min'],
    [-3_540_000, '-59min'],
    [59_000, '0'],
    [null, '0'],
    [9e15, '10'],
  ])('A node with an old block is shown as behind by its age, as in the header: %j ms', async (ageMs, text) => {
    const { session, world } = await inPicker();
    for (const probe of world.probes) probe.answer(answered('fake-chain-1', '24031', ageMs));
    await told();
    const line = renderFrame(session.state())
      .split('\n')
      .find(shown => shown.includes('backup'));
    expect(line).toMatch(new RegExp(`24031 +${text}`));
    const painted = paintedLines(session.state(), THEMES.dark.utf8).find(shown => plain(shown).includes('backup'));
    expect(painted?.includes(`\u001b[${THEMES.dark.utf8.styles.bad}m`)).toBe(text !== '0');
  });

  it('A node with an old block counts as recent up to the age in the settings', async () => {
    const { session, world } = await inPicker();
    for (const probe of world.probes) probe.answer(answered('fake-chain-1', '24031', 300_000));
    await told();
    const state = session.state();
    const frame = renderFrame({ ...state, preferences: { ...state.preferences, maxLagSeconds: 600 } });
    expect(frame).not.toContain('5 min');
  });
});
