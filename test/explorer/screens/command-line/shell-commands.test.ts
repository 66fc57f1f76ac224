import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../src/cli/commands.ts';
import { runCommand } from '../../../../src/explorer/app/commands/command.ts';
import { topLayer } from '../../../../src/explorer/core/layer.ts';
import { directoryWith, market, validator } from '../../../chain/directory/directories.ts';
import { answerPage, FakeWorld, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { onFirstPage, run, type } from '../../support/list-scenes.ts';
import { hexId, provisionPage } from '../../support/provision-pages.ts';

const NAMES = [...Object.keys(COMMANDS), 'explore', 'help'];
const MARKET = hexId(77);
const VALIDATOR = hexId(78);
const PARTY = hexId(79);
const SUBMITTER = `0x${'ab'.repeat(20)}`;

describe('Shell commands in the command line', () => {
  it.each(NAMES)('The shell command %s runs, or explains how to run it: it is not taken for a value', async name => {
    const { session } = await onFirstPage();
    for (const words of ['', ' --all', ' last-month --out x.zip', ' list', ' eu us']) {
      const outcome = runCommand(session.state(), `${name}${words}`);
      // The value behind `what`, and of a key alone, is one.
      const isLookup = ['what', 'show'].includes(name) && words !== '';
      if ('problem' in outcome) {
        expect(outcome.problem).not.toMatch(/no command/);
        expect(outcome.problem.length).toBeGreaterThan(10);
      } else if (!isLookup)
        expect(outcome.actions).not.toContainEqual(expect.objectContaining({ type: 'open-screen', screen: 'what' }));
      expect(runCommand(session.state(), `blockglass ${name}${words}`)).toEqual(outcome);
    }
  });

  it.each([
    ['diff', 'changes'],
    ['diff yesterday', 'changes'],
    ['check', 'overview'],
    ['segments', 'history'],
    ['help', 'help'],
    ['node list', 'nodes'],
  ])('The line %s leads to the screen of the %s', async (line, screen) => {
    const { session } = await onFirstPage();
    run(session, line);
    await told();
    const { layers, tab } = session.state();
    expect([topLayer(session.state())?.screen, tab, layers.at(-1)?.screen]).toContain(screen);
  });

  it('The `explore` line goes to a tab, as the command does', async () => {
    const { session } = await onFirstPage();
    run(session, 'blockglass explore fees');
    expect(session.state().tab).toBe('fees');
  });

  it('A shell command that cannot run stays in the field, with what to do instead', async () => {
    const { session } = await onFirstPage();
    press(session, ':');
    type(session, 'record --once');
    press(session, 'enter');
    expect(renderFrame(session.state())).toContain('in a shell: blockglass record --once');
  });
});

async function known() {
  const world = new FakeWorld();
  const names = directoryWith({
    markets: [[MARKET, market({ code: 'HELDA/HUSD' })]],
    validators: [[VALIDATOR, validator({ name: 'Validator 3' })]],
  });
  world.directory = async () => ({ names, isOld: false });
  const { session } = await startSession({ world });
  await answerPage(world, provisionPage(1));
  await told();
  const mine = async (line: string): Promise<string> => {
    run(session, line);
    await told();
    return session.state().notice?.text ?? '';
  };
  return { session, mine };
}

describe('`mine` in the command line', () => {
  it.each([
    [MARKET, 'market HELDA/HUSD is yours now'],
    ['HELDA/HUSD', 'market HELDA/HUSD is yours now'],
    ['Validator 3', 'validator Validator 3 is yours now'],
    [PARTY.toUpperCase(), 'party 00000..0004f is yours now'],
    [SUBMITTER, 'submitter 0xaba..babab is yours now'],
  ])('The line `mine add %s` marks the ID', async (id, said) => {
    const { mine } = await known();
    expect(await mine(`mine add ${id}`)).toBe(said);
    expect(await mine(`mine remove ${id}`)).toContain('is no longer yours');
  });

  it.each([
    ['mine', 'm limits a list to your rows'],
    ['mine list', 'm limits a list to your rows'],
    ['mine add', 'mine add ID'],
    ['mine add nothing-known', 'press M on its row'],
    [`mine remove ${PARTY}`, 'is not yours'],
  ])('The line %s reports what is wrong with it', async (line, problem) => {
    const { session } = await known();
    expect(runCommand(session.state(), line)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('The line `mine add` does not guess what an ID is before the markets and validators are known', async () => {
    const { session } = await onFirstPage();
    expect(runCommand(session.state(), `mine add ${hexId(12345)}`)).toEqual({
      problem: expect.stringContaining('press M on its row'),
    });
  });
});
