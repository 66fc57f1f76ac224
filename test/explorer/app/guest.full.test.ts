import { describe, expect, it } from 'vitest';
import { VERBS } from '../../../src/explorer/app/commands/command.ts';
import { completionsFor } from '../../../src/explorer/app/commands/completion.ts';
import { currentBindings, disabledReasonOf, KEYMAP } from '../../../src/explorer/app/keymap.ts';
import { createSession, type Session } from '../../../src/explorer/app/session.ts';
import { topLayer } from '../../../src/explorer/core/layer.ts';
import { SCREENS } from '../../../src/explorer/screens/registry.ts';
import { TABS } from '../../../src/explorer/tabs.ts';
import { chanceOf, randomInputs } from '../../torture/random-keys.ts';
import { check, LISTED, typeRange } from '../support/export-scenes.ts';
import { answerPage, FakeWorld, last, press, told } from '../support/fake-world.ts';
import { renderFrame } from '../support/frame.ts';
import { type } from '../support/list-scenes.ts';
import { provisionPage } from '../support/provision-pages.ts';
import { perform } from '../support/random-session.ts';

/** A world of a guest whose forbidden services end the test when anything reaches them. */
class GlassWorld extends FakeWorld {
  readonly reached: string[] = [];
  readonly #reach = (name: string) => (): Promise<never> => {
    this.reached.push(name);
    return Promise.reject(new Error(`${name} was reached`));
  };
  override profiles = this.#reach('profiles');
  override saveView = this.#reach('saveView');
  override readonly changes = this.#reach('changes');
  override readonly versions = this.#reach('versions');
  override readonly probe = this.#reach('probe');
  override keepPreset = this.#reach('keepPreset');
  override verify = this.#reach('verify');
  override audit = this.#reach('audit');
  override report = this.#reach('report');
  override preview = this.#reach('preview');
  override offerFor = this.#reach('offerFor');
  override readonly openTables = this.#reach('openTables');
  override readonly export = this.#reach('export');
  override save = this.#reach('save');
}

async function asGuest(tab = 'provisions') {
  const world = new GlassWorld();
  const start = { tab, label: '', destination: '.', nowMs: world.clockMs, access: 'guest' } as const;
  const session = createSession({ ...start, screen: { columns: 80, rows: 24 } }, world);
  await told();
  return { session, world };
}

async function onRows() {
  const { session, world } = await asGuest();
  await answerPage(world, provisionPage(1));
  return { session, world };
}

const notice = (session: Session): string => session.state().notice?.text ?? '';

const TAB_IDS = TABS.map(({ id }) => id);

describe('Guest mode', () => {
  it.each([
    ['N', 'one node'],
    ['D', 'snapshots are files'],
    [',', 'snapshots are files'],
    ['.', 'snapshots are files'],
    ['W', 'no file'],
    ['ctrl-z', 'no shell'],
  ])('A guest sees why %s does nothing', async (key, why) => {
    const { session } = await onRows();
    press(session, key);
    expect(notice(session)).toMatch(`not for guests: `);
    expect(notice(session)).toContain(why);
    expect(topLayer(session.state())?.isRoot).toBe(true);
  });

  it('A guest sees why the versions of a record are missing', async () => {
    const { session } = await onRows();
    press(session, 'enter', 'v');
    expect(notice(session)).toContain('snapshots are files');
  });

  it.each([
    'at yesterday',
    'at now',
    'at',
    'node',
    'node http://127.0.0.1:1',
    'node demo',
    'node -',
    'status',
    'save',
    'save /tmp/x.csv',
    'save .csv',
    'view /etc/passwd',
    'view --even-incomplete .',
    'preset save mine',
    'preset daily',
    'preset',
    'back to the shell; fg returns',
    'changes since yesterday',
    'save to a file',
    'nodes: their health; switch',
  ])('A guest sees that :%s is not for guests, and the text stays in the field', async line => {
    const { session, world } = await onRows();
    press(session, ':');
    type(session, line);
    press(session, 'enter');
    await told();
    expect(renderFrame(session.state())).toContain('not for guests');
    expect(world.reached).toEqual([]);
    expect(world.connections).toEqual([]);
  });

  it('A guest sees in the help which keys are not for guests', async () => {
    const { session } = await onRows();
    const reasons = currentBindings(session.state()).map(binding => disabledReasonOf(session.state(), binding) ?? '');
    expect(reasons.filter(reason => reason.startsWith('not for guests'))).toHaveLength(6);
  });

  it('A guest gets the command of an export, on the screen and to copy, and no export', async () => {
    const { session, world } = await asGuest('history');
    press(session, 'w');
    await told();
    last(world.segments).answer({ boundaries: LISTED, hint: null });
    await told();
    press(session, 'enter');
    typeRange(session, '501', '1500');
    press(session, 'enter', 'enter');
    await check(world);
    press(session, 'enter');
    expect(notice(session)).toContain('run the command below');
    expect(session.state().job).toBeNull();
    const command = 'blockglass export --demo --table ledger --from 501 --to 1500';
    expect(renderFrame(session.state()).replaceAll(/\s+/g, ' ')).toContain(command);
    press(session, 'y', 'enter');
    await told();
    expect(world.copies).toMatchObject([{ text: expect.stringContaining('blockglass export') }]);
    expect(world.reached).toEqual([]);
  });

  it('A guest reaches nothing but the node by any key of any screen', async () => {
    const keys = [
      ...new Set([...KEYMAP, ...Object.values(SCREENS).flatMap(screen => screen.keys)].flatMap(({ keys }) => keys)),
    ];
    for (const tab of TAB_IDS) {
      for (const key of keys) {
        const { session, world } = await asGuest(tab);
        for (const page of world.pages) page.answer({ page: provisionPage(1), facts: { rate: {} }, size: 2 });
        await told();
        press(session, key, 'enter', key, 'down', 'enter');
        await told();
        expect({ key, tab, reached: world.reached, nodes: world.connections }).toEqual({
          ...{ key, tab, reached: [], nodes: [] },
        });
      }
    }
  });

  it('A guest reaches nothing but the node by any command and any completion of it', async () => {
    const { session } = await onRows();
    const words = [...Object.keys(VERBS), ...TAB_IDS, ...'abcdefghijklmnopqrstuvwxyz'];
    const offered = words.flatMap(word =>
      [word, `${word} `].flatMap(line => completionsFor(session.state(), line).map(offer => offer.line)),
    );
    for (const line of new Set([...offered, ...words.map(word => `${word} /etc/passwd`), ...words])) {
      const scene = await onRows();
      press(scene.session, ':');
      type(scene.session, line);
      press(scene.session, 'tab', 'enter', 'enter', 'down', 'enter');
      await told();
      expect({ line, reached: scene.world.reached }).toEqual({ line, reached: [] });
      expect(scene.world.connections, line).toEqual([]);
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'A guest reaches nothing but the node whatever is pressed, typed and pasted (seed %i)',
    async seed => {
      const { session, world } = await asGuest();
      let left = 600;
      for (const input of randomInputs(chanceOf(seed))) {
        if (left-- === 0) break;
        perform(session, input);
        for (const page of world.pages.splice(0)) page.answer({ page: provisionPage(1), facts: { rate: {} }, size: 2 });
        for (const check of world.checks.splice(0))
          check.answer({ path: '.', exists: left % 2 === 0, problem: null, freeBytes: null });
        await told();
        expect({ input, reached: world.reached, nodes: world.connections }).toEqual({ input, reached: [], nodes: [] });
      }
    },
  );
});
