import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { Binding } from '../../../src/explorer/app/binding.ts';
import { currentKeyTarget, type KeyTarget } from '../../../src/explorer/app/focus.ts';
import { currentBindings, KEYMAP } from '../../../src/explorer/app/keymap.ts';
import { reduce } from '../../../src/explorer/app/reduce.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { KeyAction } from '../../../src/explorer/core/action.ts';
import { topLayer } from '../../../src/explorer/core/layer.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { open } from '../../../src/explorer/openings.ts';
import { SCREENS } from '../../../src/explorer/screens/registry.ts';
import { atRange, atReview, end, exporting, typeRange } from '../support/export-scenes.ts';
import { answerPage, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { endFetch, fetching, onHistory } from '../support/history-scenes.ts';
import { KEY_SCENES, TABLE_WITH_IDS } from '../support/key-scenes.ts';
import { onFirstPage, showing, type } from '../support/list-scenes.ts';
import { OFFERED, offered } from '../support/node-scenes.ts';
import { onOverview } from '../support/overview-scenes.ts';
import { feesOf } from '../support/paid-fees.ts';
import { pageOf, provision, provisionPage } from '../support/provision-pages.ts';
import { requestsTold } from '../support/requests-told.ts';
import { viewing } from '../support/viewer-scenes.ts';

/** What the screen does with them, and the state does not: it is drawn again. */
const DRAWN_AGAIN: readonly KeyAction['type'][] = ['redraw', 'suspend'];

interface Scene {
  readonly session: Session;
  readonly world: FakeWorld;
}

/** Walks through the panes and fields of a list, each left where there is something above and below. */
async function browseAbout({ session, world }: Scene): Promise<void> {
  press(session, 'ctrl-d', 'l', 'n');
  await answerPage(world, provisionPage(2));
  press(session, 'ctrl-d', 'w', 'g', 'j', 'esc', 'g', 'enter', 'backspace');
  press(session, '/');
  type(session, 'reference');
  press(session, 'left', 'enter');
  press(session, 's', 'j', 'esc', 'c', 'j', 'j', '/');
  type(session, 'e');
  press(session, 'left', 'down', 'esc', 'esc', '?', 'ctrl-d', 'esc', ':');
  type(session, 'reload');
  press(session, 'esc', ':');
  type(session, 'find a');
  press(session, 'enter', 'esc', ':');
  type(session, 'p');
  press(session, 'tab', 'tab', 'esc', ':', 'up');
  press(session, 'esc', 'f', 'tab', 'down', 'tab');
  type(session, 'true');
  press(session, 'left', 'esc', 'enter', 'J', 'down', 'down', 'down', 'R', 'G', 'R');
  for (let line = 0; line < 20; line++) press(session, 'j');
  for (let line = 0; line < 20; line++) press(session, 'k', 'left', 'right');
  press(session, 'G');
  for (let line = 0; line < 20; line++) press(session, 'k', 'left');
}

/** A list under watch, in which a reload has found something. */
async function watchAbout({ session, world }: Scene): Promise<void> {
  press(session, 'w', 'r');
  await answerPage(world, pageOf([provision(1, { fee: '0.5' })]));
}

/** A record of which it is known what it means, with something to take along. */
async function inspectExplained({ session, world }: Scene): Promise<void> {
  const copies = [{ what: 'calldata', text: '0x00' }];
  world.explains = async () => ({ parts: [], json: {}, copies });
  press(session, 'enter');
  await told();
}

/** A search in a record that finds several lines. */
async function searchRecord({ session }: Scene): Promise<void> {
  press(session, 'enter', '/');
  type(session, 'i');
  press(session, 'enter', 'n');
}

/** A value longer than the screen, in full. */
async function viewValue({ session }: Scene): Promise<void> {
  press(session, 'enter', '/');
  type(session, 'words');
  press(session, 'enter', 'G', 'enter', 'pagedown');
}

/** To the provisions of a market, from there to its fees, and back again; the last is done at an open record. */
async function goAbout({ session, world }: Scene): Promise<void> {
  press(session, 'g', 'j', 'enter');
  await answerPage(world, provisionPage(1));
  press(session, 'enter');
}

async function exportAbout({ session }: Scene): Promise<void> {
  press(session, 'up', 'tab', 'up', 'up');
  typeRange(session, '501', '1500');
  press(session, 'tab', 'down', 'left', 'enter', 'left');
}

/** A statement longer than the screen, of all epochs, scrolled into its middle; then that of a party. */
async function readStatement({ session, world }: Scene): Promise<void> {
  press(session, 'T');
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 60));
  await told();
  press(session, 'a');
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 60));
  await told();
  press(session, 'pageup', 'pageup', 'esc', 'enter', 'T');
}

/** The statement of a party, from which leads what it earned. */
async function readOwnStatement({ session, world }: Scene): Promise<void> {
  session.dispatch(open('statement', { party: 'ab'.repeat(32), market: '', asset: '' }));
  await told();
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 3));
  await told();
}

/** A log longer than the screen, in its middle. */
async function readRequests({ session, world }: Scene): Promise<void> {
  press(session, 'L');
  last(world.tells).answer({ version: 1, requests: requestsTold(60) });
  await told();
  press(session, 'ctrl-f', 'j', 'enter', 'esc');
}

/** Three nodes, and a filter that leaves two of them. */
async function pickNode({ session, world }: Scene): Promise<void> {
  world.offered = OFFERED;
  press(session, 'N');
  await told();
  press(session, 'j', '/');
  type(session, 'a');
  press(session, 'left', 'down', 'esc');
}

/** What an id is: roles that lead somewhere, and a filter that leaves some of them. */
async function identify({ session, world }: Scene): Promise<void> {
  press(session, ':');
  type(session, `what ${MARKET_ID}`);
  press(session, 'enter');
  const lead = { entity: 'market', id: MARKET_ID } as const;
  const roles = [{ role: 'market', text: 'HELDA/HUSD', where: 'markets', lead }];
  last(world.values).answer({
    value: MARKET_ID,
    formNotes: [],
    roles,
    notFound: [],
    unchecked: [],
    notServed: [],
    requests: 8,
  });
  await told();
  press(session, 'j', '/');
  type(session, 'mar');
  press(session, 'left', 'down', 'esc');
}

const MARKET_ID = 'ab'.repeat(32);

/** More values than the screen has lines, in their middle. */
async function countAbout({ session }: Scene): Promise<void> {
  press(session, ':');
  type(session, 'freq reference');
  press(session, 'enter');
  await session.idle();
  press(session, 'pagedown', 'j');
}

const TRADES = { name: 'trades', title: 'trades by market and day', needsParty: false };

/** Through a table on the disk: sorted, narrowed, searched, counted and drawn, each left where keys lead on. */
async function viewAbout({ session }: Scene): Promise<void> {
  const keys = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      press(session, name);
      await told();
      await told();
    }
  };
  await keys('pagedown', 'j', 'l', 'l', '/');
  type(session, '000');
  await keys(
    'enter',
    'n',
    'n',
    'F',
    'j',
    'j',
    'j',
    'enter',
    'pagedown',
    'j',
    'esc',
    // Of one account, whose numbers add up.
    '=',
    'j',
    'j',
    'j',
    'enter',
    'C',
    'enter',
    'h',
    'h',
    'a',
    'esc',
  );
  await keys('=', 'j', 'enter', 's', 'j', 'enter', 'j', 'y', 'esc', 'T', 'esc');
}

const nothing = async (): Promise<void> => {};

function worldWithMine(): FakeWorld {
  const world = new FakeWorld();
  world.mine = { ...world.mine, party: new Set(['ab'.repeat(32)]) };
  return world;
}

/** A list of rows, with a party that is the user's. */
async function withMine(): Promise<Scene> {
  const { session, world } = await startSession({ world: worldWithMine(), tab: 'fees' });
  await answerPage(world, pageOf([{ market: 'aa', asset: 'bb' }]));
  return { session, world };
}

/** A filter bar that a node's demand has opened, with ids to offer. */
async function demanded(): Promise<Scene> {
  const { session, world } = await startSession({ world: worldWithMine() });
  const inner = 'market or party filters are required';
  const fault = { code: 13, message: '', details: [{ type: '', code: '280001', message: '', inner, rest: {} }] };
  last(world.pages).fail(new RefusedError(500, fault, { url: '', hint: '' }));
  await told();
  await answerPage(world, pageOf([{ market: 'ab'.repeat(32), asset: 'cd', epochSeq: '4', feesPaidPerParty: [] }]));
  return { session, world };
}

/** The overview of a node that was switched to, and does not answer. */
async function onNodeAfter(): Promise<Scene> {
  const scene = await onOverview();
  scene.session.dispatch({ type: 'choose-node', to: offered('beta') });
  await told();
  return scene;
}

const SCENES: readonly (readonly [() => Promise<Scene>, (scene: Scene) => Promise<void>])[] = [
  [onFirstPage, browseAbout],
  [onOverview, async ({ session }) => press(session, 'up', 'home')],
  [KEY_SCENES['the overview on a market that is yours'] ?? onOverview, nothing],
  [onNodeAfter, nothing],
  [demanded, nothing],
  [withMine, nothing],
  [() => showing(pageOf([provision(1)]), { tab: 'fees' }), nothing],
  [() => showing(pageOf([provision(1, { reference: 'words '.repeat(2000) })])), viewValue],
  [() => showing(pageOf([{ market: 'aa', asset: 'bb' }]), { tab: 'fees' }), readStatement],
  [onFirstPage, readOwnStatement],
  [() => showing(pageOf([{ id: 'ab' }]), { tab: 'markets' }), inspectExplained],
  [onFirstPage, goAbout],
  [() => showing(pageOf([provision(1)])), watchAbout],
  [onFirstPage, readRequests],
  [KEY_SCENES['a changed record'] ?? onFirstPage, nothing],
  [KEY_SCENES.versions ?? onFirstPage, nothing],
  [KEY_SCENES['a snapshot'] ?? onFirstPage, nothing],
  [onFirstPage, countAbout],
  [onFirstPage, pickNode],
  [onFirstPage, identify],
  [onFirstPage, searchRecord],
  [() => viewing({ table: { tables: ['ledger', 'trades'], questions: [TRADES] } }), viewAbout],
  [() => viewing({ table: TABLE_WITH_IDS }), async ({ session }) => press(session, 'j', 'g')],
  [atRange, async ({ session }) => press(session, 'esc', 'down')],
  [onOverview, async ({ session }) => press(session, 'home', 'enter')],
  [onHistory, async ({ session }) => press(session, 'j', 'k')],
  [fetching, async ({ session, world }) => endFetch(session, world)],
  [KEY_SCENES['what a party earned'] ?? onHistory, nothing],
  [atRange, exportAbout],
  [atReview, nothing],
  [exporting, async ({ session }) => press(session, 'x')],
  [
    exporting,
    async ({ session, world }) => {
      await end(world);
      press(session, 'esc');
    },
  ],
];

/** Every state that the scenes pass through. */
async function statesPassed(): Promise<readonly SessionState[]> {
  const states: SessionState[] = [];
  for (const [enter, walk] of SCENES) {
    const scene = await enter();
    const note = () => states.push(scene.session.state());
    note();
    scene.session.subscribe(note);
    await walk(scene);
  }
  return states;
}

const states = await statesPassed();

/** Whether a key changes more than the notice that every key takes away. */
function hasEffect(state: SessionState, action: KeyAction): boolean {
  const quiet = { ...state, notice: null };
  return !isDeepStrictEqual(reduce(quiet, action), quiet);
}

// Where each digit leads is told apart; the one of the tab that is shown leads nowhere.
const cases = KEYMAP.filter(({ action }) => !DRAWN_AGAIN.includes(action.type)).flatMap(binding =>
  (binding.action.type === 'go-to-tab' ? binding.keys.slice(0, 1) : binding.keys).flatMap(key =>
    binding.targets.map((target): readonly [KeyTarget, string, string, Binding] => [
      target,
      key,
      binding.title,
      binding,
    ]),
  ),
);

// One screen may have several names.
const screenKeys = [...new Set(Object.values(SCREENS))].flatMap(screen => {
  const names = Object.keys(SCREENS).filter(name => SCREENS[name] === screen);
  return screen.keys.flatMap(({ keys: [key = ''], title }) => [[names.join(', '), key, title, names] as const]);
});

describe('Keys of a screen', () => {
  it.each(screenKeys)('A key of a screen has an effect somewhere in %s: %s, %s', (_, key, title, names) => {
    const possible = states
      .filter(state => names.includes(topLayer(state)?.screen ?? ''))
      .flatMap(state =>
        currentBindings(state).flatMap(binding =>
          binding.keys.includes(key) && binding.title === title ? [{ state, binding }] : [],
        ),
      )
      .filter(({ state, binding }) => binding.disabledReason?.(state) === undefined);
    expect(possible.length).toBeGreaterThan(0);
    expect(possible.some(({ state, binding }) => hasEffect(state, binding.action))).toBe(true);
  });
});

describe('Keys of the keymap', () => {
  it.each(cases)(
    'A key of the keymap has an effect somewhere in target %s: %s, %s',
    (target, _key, _title, { action, disabledReason }) => {
      const possible = states.filter(
        state => currentKeyTarget(state) === target && disabledReason?.(state) === undefined,
      );
      expect(possible.length).toBeGreaterThan(0);
      expect(possible.some(state => hasEffect(state, action))).toBe(true);
    },
  );
});
