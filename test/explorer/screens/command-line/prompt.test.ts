import { describe, expect, it } from 'vitest';
import { NO_NAMES } from '../../../../src/chain/directory/directory.ts';
import { VERBS } from '../../../../src/explorer/app/commands/command.ts';
import { completionsFor } from '../../../../src/explorer/app/commands/completion.ts';
import { bindingFor, disabledReasonOf } from '../../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { completionRest } from '../../../../src/explorer/screens/command-line/commands.ts';
import type { CommandLine } from '../../../../src/explorer/screens/command-line/state.ts';
import type { ShownStatement } from '../../../../src/explorer/screens/statement/state.ts';
import { directoryWith, market, validator } from '../../../chain/directory/directories.ts';
import { browserOf, ending, FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import {
  layersOf,
  listOf,
  openState,
  overlayOf,
  placeOf,
  type ShownPrompt,
  withOverlayOf,
} from '../../support/layers.ts';
import { insert, onFirstPage, run, type } from '../../support/list-scenes.ts';
import { hexId } from '../../support/provision-pages.ts';

function promptOf(session: Session): ShownPrompt {
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'prompt') throw new Error('no prompt is open');
  return overlay;
}

const line = (session: Session) => promptOf(session).value;
const ghost = (session: Session) => completionRest(openState<CommandLine>(session, 'command-line'));
const labels = (session: Session) => promptOf(session).offered.map(({ label }) => label);

/** The prompt, with this typed. */
function typing(session: Session, text: string): void {
  press(session, ':');
  type(session, text);
}

const MARKET = hexId(1_000_001);
const PARTY = hexId(2_000_003);

/** Provisions, two markets with names, and a party that is a validator. */
async function named(code = 'HELDA/HUSD') {
  const world = new FakeWorld();
  const names = directoryWith({
    markets: [
      [MARKET, market({ code })],
      ['cd'.repeat(32), market({ code: 'HELDB/HUSD' })],
    ],
    validators: [['ee'.repeat(32), validator({ name: 'Validator 3', publicKey: PARTY })]],
  });
  world.directory = async () => ({ names, isOld: false });
  const { session } = await startSession({ world });
  last(world.pages).answer({
    page: listOf((await onFirstPage()).session.state(), 'provisions')?.page ?? never(),
    facts: { rate: {} },
    size: 50,
  });
  await told();
  await told();
  return { session, world };
}

const never = (): never => {
  throw new Error('no page');
};

describe('Command line completion', () => {
  it('Completion offers nothing until something is typed', async () => {
    const { session } = await onFirstPage();
    press(session, ':');
    expect(ghost(session)).toBe('');
    expect(labels(session)).toEqual([]);
    const binding = bindingFor(session.state(), 'tab');
    expect(binding && disabledReasonOf(session.state(), binding)).toBe('nothing is offered here');
  });

  it('Completion offers a tab, a verb, or a key that does something here, in this order', async () => {
    const { session } = await onFirstPage();
    typing(session, 's');
    expect(labels(session)).toEqual(expect.arrayContaining(['sort', 'statement', 'size', 'sort']));
    expect(labels(session)).not.toContain('screen');
    type(session, 'p');
    expect(labels(session).slice(0, 2)).toEqual(['parameters', 'provisions']);
    // On the first page there is none before it.
    expect(labels(session)).not.toContain('previous page');
    type(session, 'next p');
    expect(labels(session)).toEqual(['next page']);
    press(session, 'tab', 'enter');
    expect(browserOf(session).loading?.move).toBe('next');
  });

  it('Completion ignores case, and corrects it', async () => {
    const { session } = await onFirstPage();
    typing(session, 'FE');
    expect(ghost(session)).toBe('es');
    press(session, 'right');
    expect(line(session)).toBe('fees ');
  });

  it.each(['right', 'tab'])('A completion is accepted by %s, and typing continues from there', async key => {
    const { session } = await onFirstPage();
    typing(session, 'prov');
    expect(ghost(session)).toBe('isions');
    press(session, key);
    expect(line(session)).toBe('provisions ');
    expect(labels(session)).toEqual(['market=', 'party=', 'reference=', 'live=']);
    press(session, 'tab');
    expect(line(session)).toBe('provisions market=');
    press(session, 'tab');
    expect(line(session)).toBe('provisions party=');
    press(session, 'shift-tab', 'shift-tab');
    expect(line(session)).toBe('provisions live=');
  });

  it('Completion offers a filter once, and the values of each kind of filter', async () => {
    const { session } = await onFirstPage();
    typing(session, 'provisions live=true ');
    expect(labels(session)).toEqual(['market=', 'party=', 'reference=']);
    type(session, 'provisions live=');
    expect(labels(session)).toEqual(['current and pending', 'every version']);
    type(session, 'provisions reference=');
    expect(labels(session)).toEqual([]);
    type(session, 'provisions nonsense=');
    expect(labels(session)).toEqual([]);
  });

  it('Completion offers IDs that were seen', async () => {
    const { session } = await onFirstPage();
    typing(session, 'provisions party=');
    expect(labels(session)).toContain(PARTY);
    type(session, `provisions party=${PARTY.slice(0, 63)}`);
    expect(ghost(session)).toMatch(/^[0-6]$/);
    while (line(session) !== `provisions party=${PARTY}`) press(session, 'tab');
    press(session, 'enter');
    expect(browserOf(session).filters).toMatchObject({ partyId: [PARTY] });
  });

  it('Completion offers a name of the chain, and replaces it by its ID', async () => {
    const { session } = await named();
    typing(session, 'fees market=held');
    expect(labels(session)).toEqual(['HELDA/HUSD', 'HELDB/HUSD']);
    press(session, 'tab', 'enter');
    expect(browserOf(session, 'fees').filters).toEqual({ marketId: [MARKET] });
  });

  it('Completion offers the ID when its name is several words', async () => {
    const { session } = await named();
    typing(session, 'provisions party=valid');
    expect(labels(session)).toEqual(['Validator 3']);
    press(session, 'tab');
    expect(line(session)).toBe(`provisions party=${PARTY}`);
  });

  it.each(['abcd', 'network', 'VOTE', 'a b', 'x=y', ''])(
    'Completion does not take a name for an ID when it could be one, or is not a word: %j',
    async code => {
      const { session } = await named(code);
      typing(session, 'fees market=');
      const lines = promptOf(session).offered.map(offered => offered.line);
      expect(lines).toContain(`fees market=${MARKET}`);
      expect(lines).not.toContain(`fees market=${code}`);
    },
  );

  it('Completion never offers an ID that the filter refuses', async () => {
    const { session } = await onFirstPage();
    const state = { ...session.state(), seen: { party: ['not hex', '\u001b[2J', 'abc', PARTY] }, directory: NO_NAMES };
    expect(completionsFor(state, 'provisions party=').map(({ line }) => line)).toEqual([`provisions party=${PARTY}`]);
  });

  it('Completion offers the subjects of a statement, and replaces a name by its ID', async () => {
    const { session } = await named();
    typing(session, 'statement HELDA');
    expect(ghost(session)).toBe('/HUSD');
    type(session, 'statement helda/husd');
    press(session, 'enter');
    expect(openState<ShownStatement>(session, 'statement').question.market).toBe(MARKET);
  });

  it('Completion replaces a name of several words by the ID of a statement', async () => {
    const { session } = await named('Held dollars / Other');
    typing(session, 'statement held dollars / other');
    press(session, 'enter');
    expect(openState<ShownStatement>(session, 'statement').question.market).toBe(MARKET);
  });

  it('Completion continues a value of several words', async () => {
    const { session } = await onFirstPage();
    typing(session, 'copy record a');
    expect(ghost(session)).toBe('s JSON');
    press(session, 'tab', 'enter');
    await told();
    expect(session.state().notice?.text).toContain('record as JSON');
  });

  it('Completion offers nothing after the last word of a command', async () => {
    const { session } = await named();
    for (const text of ['sort fee ', 'size 20 ', 'statement ab ', 'theme dark ']) {
      press(session, 'esc');
      typing(session, text);
      expect(labels(session)).toEqual([]);
    }
  });

  it('Completion offers the words that a verb accepts', async () => {
    const { session } = await onFirstPage();
    typing(session, 'sort com');
    expect(ghost(session)).toBe('mitment');
    type(session, 'size ');
    expect(labels(session)).toContain('500');
  });

  it.each(Object.keys(VERBS))(
    'Completion offers the verb %s from its beginning, and accepts any words after it',
    async verb => {
      const { session } = await onFirstPage();
      typing(session, verb.slice(0, -1));
      expect(labels(session)).toContain(verb);
      for (const words of [' ', ' x', ' x ', ' constructor', ' \u202e', ' a b c d e f', ` ${'x'.repeat(4000)}`])
        expect(() => type(session, `${verb}${words}`)).not.toThrow();
    },
  );

  it.each(['constructor', '__proto__ ', 'toString x', 'hasOwnProperty=', ' ', '=', 'fees =', 'fees =='])(
    'Completion offers nothing strange for %j',
    async text => {
      const { session } = await onFirstPage();
      typing(session, text);
      for (const label of labels(session)) expect(label).not.toMatch(/constructor|__proto__|toString/);
    },
  );

  it('A completion is typed over like any text', async () => {
    const { session } = await onFirstPage();
    typing(session, 'p');
    press(session, 'tab');
    expect(promptOf(session).walk).not.toBeNull();
    type(session, `${line(session)}x`);
    expect(promptOf(session).walk).toBeNull();
  });
});

describe('Shell command typed into the command line', () => {
  const typed = async (text: string) => {
    const { session } = await onFirstPage();
    press(session, ':');
    session.dispatch({ type: 'type-text', value: text });
    press(session, 'enter');
    return session;
  };

  it('A tab can be typed by its first letters, when only one tab begins with them', async () => {
    expect(withOverlayOf((await typed('para')).state())).toMatchObject({ tab: 'parameters', overlay: null });
    expect(withOverlayOf((await typed('prov live=true')).state())).toMatchObject({ tab: 'provisions', overlay: null });
    expect((await typed('p')).state().tab).toBe('provisions');
    expect(promptOf(await typed('list p')).problem).toMatch(/^no list "p": /);
  });

  it('The shell commands `list`, `show` and `status` work in the command line', async () => {
    expect(withOverlayOf((await typed('list bundles')).state())).toMatchObject({ tab: 'bundles', overlay: null });
    expect(promptOf(await typed('list')).problem).toMatch(/^list needs a name: one of parameters, provisions/);
    expect(layersOf(await typed('status'))).toEqual(['nodes']);
    expect(placeOf((await typed('show')).state())).toBe('record');
    const shown = await typed(`show markets ${'ab'.repeat(32)}`);
    expect(shown.state().tab).toBe('markets');
    expect(listOf(shown.state(), 'markets')?.seeking).toMatchObject({
      sought: { key: 'ab'.repeat(32) },
    });
    expect(layersOf(await typed(`show ${'ab'.repeat(32)}`))).toEqual(['what']);
  });
});

describe('Unknown command', () => {
  it.each([
    ['sotr commitment', 'no command "sotr commitment": did you mean sort?'],
    ['sotr', 'no command "sotr": did you mean sort?'],
    ['provisons', 'no command "provisons": did you mean provisions?'],
    ['sort comitment', 'no column "comitment": did you mean commitment?'],
    ['fees mraket=ab', 'fees has no filter "mraket": did you mean market?'],
    ['relaod', 'no command "relaod": did you mean reload?'],
    ['hepl', 'no command "hepl": did you mean help?'],
  ])('An unknown command gets a suggestion: %s', async (text, problem) => {
    const { session } = await onFirstPage();
    run(session, text);
    expect(promptOf(session).problem).toBe(problem);
  });

  it.each(['Gannet', 'gannet', 'Hollow Oak', 'qqqqqq', 'rm -rf'])(
    'A line that resembles no command is looked up: %s',
    async text => {
      const { session } = await onFirstPage();
      run(session, text);
      expect(layersOf(session)).toEqual(['what']);
    },
  );
});

describe('Initial text of a field', () => {
  it.each([
    ['z', '200'],
    ['W', 'mine.csv'],
  ])('The initial text of a field is replaced by what is typed or pasted: %s', async (key, text) => {
    const { session } = await onFirstPage();
    press(session, key);
    const proposed = line(session);
    expect(proposed).not.toBe('');
    for (const letter of text) insert(session, letter);
    expect(line(session)).toBe(text);
    press(session, 'esc', key);
    session.paste(text);
    expect(line(session)).toBe(text);
  });

  it('The initial text of a field can be edited, and Enter accepts it', async () => {
    const { session } = await onFirstPage();
    press(session, 'W');
    const proposed = line(session);
    press(session, 'backspace', 'backspace', 'backspace');
    insert(session, 'md');
    expect(line(session)).toBe(`${proposed.slice(0, -3)}md`);
    press(session, 'esc', 'z', 'enter');
    expect(overlayOf(session.state())).toBeNull();
  });

  it('The initial text of a search is the last one, and the next search replaces it', async () => {
    const { session } = await onFirstPage();
    press(session, '/');
    type(session, 'ab');
    press(session, 'enter', '/');
    expect(line(session)).toBe('ab');
    insert(session, 'c');
    expect([line(session), browserOf(session).find]).toEqual(['c', 'c']);
    press(session, 'enter');
    run(session, 'find cd');
    expect(browserOf(session).find).toBe('cd');
  });
});

describe('Command history', () => {
  it('The command history is read when the prompt is first opened, and not before', async () => {
    const world = new FakeWorld();
    let reads = 0;
    world.history = async () => {
      reads++;
      return ['fees', 'sort fee'];
    };
    const { session } = await startSession({ world });
    press(session, '/', 'esc', '?', 'esc');
    await told();
    expect(reads).toBe(0);
    press(session, ':');
    await told();
    press(session, 'esc', ':');
    await told();
    expect(reads).toBe(1);
    press(session, 'up');
    expect(line(session)).toBe('sort fee');
    press(session, 'up', 'up');
    expect(line(session)).toBe('fees');
    press(session, 'down', 'down');
    expect(line(session)).toBe('');
  });

  it('The command history offers the lines that begin as what was typed', async () => {
    const { session, world } = await onFirstPage();
    world.lines.push('size 20', 'fees', 'size 50', 'size 20');
    press(session, ':');
    await told();
    type(session, 'si');
    press(session, 'up');
    expect(line(session)).toBe('size 20');
    press(session, 'up');
    expect(line(session)).toBe('size 50');
    press(session, 'up');
    expect(line(session)).toBe('size 50');
    press(session, 'down', 'down');
    expect(line(session)).toBe('si');
  });

  it('The command history holds what was run, once, and no line with an error', async () => {
    const { session, world } = await onFirstPage();
    for (const text of ['sort fee', 'sort fee', '  sort   fee', 'sotr', 'relaod']) {
      run(session, text);
      press(session, 'esc');
      await told();
    }
    expect(world.lines).toEqual(['sort fee', 'sort   fee']);
    press(session, ':', 'up', 'up');
    expect(line(session)).toBe('sort fee');
  });

  it('The command history holds no line with a login, not even while the program runs', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'what https://me:secret@node.example');
    press(session, 'esc');
    await told();
    expect(JSON.stringify(session.state().history)).not.toContain('secret');
    expect(world.lines).toEqual([]);
  });

  it('The command history is saved even if the program ends at once', async () => {
    const { session, world } = await onFirstPage();
    const kept = Promise.withResolvers<void>();
    world.saveCommand = () => kept.promise;
    run(session, 'fees');
    press(session, 'q');
    const { isEarly, closed } = await ending(session);
    expect(isEarly).toBe(false);
    kept.resolve();
    await closed;
  });

  it('The command history costs nothing when it cannot be read or saved', async () => {
    const { session, world } = await onFirstPage();
    world.history = () => Promise.reject(new Error('no'));
    world.saveCommand = () => Promise.reject(new Error('no'));
    run(session, 'sort fee');
    await told();
    expect(session.state().history.unsaved).toEqual([]);
    expect(session.state().notice).toBeNull();
    press(session, ':', 'up');
    expect(line(session)).toBe('sort fee');
  });
});
