import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../src/chain/explain/explanation.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { FULL_RECORDS } from '../../../../chain/resources/full-records.ts';
import {
  answerPage,
  browserOf,
  type Call,
  FakeWorld,
  last,
  press,
  startSession,
  told,
} from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { pageOf } from '../../../support/provision-pages.ts';

const record = FULL_RECORDS.find(([id]) => id === 'markets')?.[1] ?? {};
const ROWS = ['aa', 'bb', 'cc'].map(id => ({ ...record, id }));

const MANY_ROWS = Array.from({ length: 60 }, (_, row) => ({ ...record, id: String(row) }));

const meaningOf = (text: string): Explanation => ({
  parts: [{ title: '', lines: [{ label: '', text }] }],
  json: {},
  copies: [],
});

async function markets(
  size: { readonly columns: number; readonly rows: number } = { columns: 110, rows: 24 },
  rows = ROWS,
) {
  const world = new FakeWorld();
  const asked: Call<string, Explanation | undefined>[] = [];
  world.explains = (resource, _row, _around, signal) => {
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Explanation | undefined>();
    signal.addEventListener('abort', () => fail(signal.reason));
    asked.push({ asked: resource, signal, answer, fail });
    return promise;
  };
  world.connected = world.connected.then(node => ({ ...node, preferences: {} }));
  const { session } = await startSession({ ...size, tab: 'markets', world });
  await answerPage(world, pageOf(rows));
  return { session, world, asked };
}

type Scene = Awaited<ReturnType<typeof markets>>;

/** Waits that end when the selection has rested. */
const rests = ({ world }: Pick<Scene, 'world'>) => world.waits.filter(({ asked }) => asked.ms === 60);

/** Ends the wait after which no record may stand next to another row. */
async function leave({ world }: Scene): Promise<void> {
  last(world.waits.filter(({ asked }) => asked.ms === 100)).answer();
  await told();
}

async function rest(scene: Scene): Promise<void> {
  last(rests(scene)).answer();
  await told();
}

async function shownBeside(text = 'It trades') {
  const scene = await markets();
  await rest(scene);
  last(scene.asked).answer(meaningOf(text));
  await told();
  return scene;
}

const screen = (session: Session): string => paintedLines(session.state()).map(plain).join('\n');

describe('Record next to the list', () => {
  it('The record beside the list is the selected one once the selection rests, and Enter goes into it', async () => {
    const { session, asked } = await shownBeside();
    expect(screen(session)).toMatch(/market {2}aa.*\n.*It trades/);
    expect(screen(session)).toContain('enter all fields');
    press(session, 'enter');
    expect(browserOf(session)).toMatchObject({ inspector: { row: ROWS[0], cursor: 0 }, preview: null });
    press(session, 'esc');
    expect(browserOf(session)).toMatchObject({ inspector: null, preview: { row: ROWS[0] } });
    // Both times it was explained already.
    expect(asked).toHaveLength(1);
  });

  it('The record beside the list has its room from the first rows on, so that no column moves when it comes', async () => {
    const scene = await markets();
    const heading = () =>
      screen(scene.session)
        .split('\n')
        .find(line => line.includes('CODE'))
        ?.split('\u2502')[0];
    const before = heading();
    expect(screen(scene.session)).toMatch(/CODE.*\u2502 {2}market/);
    await rest(scene);
    last(scene.asked).answer(meaningOf('It trades'));
    await told();
    expect(screen(scene.session)).toContain('It trades');
    expect(heading()).toBe(before);
  });

  it('A quick answer about the next row replaces the record beside the list at once', async () => {
    const scene = await shownBeside();
    const { session, asked } = scene;
    press(session, 'down', 'down');
    await rest(scene);
    expect(asked).toHaveLength(2);
    last(asked).answer(meaningOf('It has ended'));
    await told();
    expect(screen(session)).toMatch(/market {2}cc.*\n.*It has ended/);
  });

  it('Beside the list nothing stays of the record of another row: what its own list knows is shown, and that the rest is loaded', async () => {
    const scene = await shownBeside();
    const { session, asked } = scene;
    press(session, 'down', 'down');
    await rest(scene);
    await leave(scene);
    const shown = screen(session);
    expect(shown).toMatch(/\u2502 {2}market {2}cc/);
    expect(shown).not.toContain('It trades');
    expect(shown).toMatch(/\u2502 {2}trading mode +\w/);
    expect(shown).toMatch(/\u2502 {2}product +\u2026/);
    expect(shown).toContain('enter all fields  loading the rest');
    last(asked).fail(new Error('gone'));
    await told();
    expect(screen(session)).toMatch(/\u2502 {2}product +not known/);
    expect(screen(session)).toContain('the rest could not be loaded');
  });

  it('While the selection moves on and on, no record is beside the list but for a moment', async () => {
    const scene = await shownBeside();
    const { session, asked } = scene;
    press(session, 'down');
    await leave(scene);
    expect(screen(session)).toMatch(/\u2502 {2}market *\n/);
    expect(screen(session)).not.toContain('It trades');
    press(session, 'down');
    expect(asked).toHaveLength(1);
    await rest(scene);
    last(asked).answer(meaningOf('It has ended'));
    await told();
    expect(screen(session)).toMatch(/market {2}cc.*\n.*It has ended/);
  });

  it('The record beside the list comes before the first answer about it', async () => {
    const scene = await markets();
    await rest(scene);
    await leave(scene);
    expect(screen(scene.session)).toMatch(/\u2502 {2}market {2}aa/);
    last(scene.asked).answer(meaningOf('It trades'));
    await told();
    expect(screen(scene.session)).toMatch(/market {2}aa.*\n.*It trades/);
  });

  it('The record beside the list asks nothing while a page is loaded', async () => {
    const scene = await markets();
    await rest(scene);
    expect(last(scene.asked).signal.aborted).toBe(false);
    press(scene.session, 'r');
    expect(last(scene.asked).signal.aborted).toBe(true);
  });

  it('The record beside the list needs 110 columns', async () => {
    expect(rests(await markets({ columns: 109, rows: 24 }))).toEqual([]);
    const { session } = await shownBeside();
    session.dispatch({ type: 'resized', screen: { columns: 109, rows: 24 } });
    expect(browserOf(session).preview).toBeNull();
    expect(screen(session)).not.toContain('It trades');
  });

  it('The record beside the list shows its keys, which the footer does not repeat', async () => {
    const { session } = await shownBeside();
    const lines = screen(session).split('\n');
    expect(lines.filter(line => line.includes('enter all fields  g '))).toHaveLength(1);
    expect(lines.at(-1)).not.toContain('g go to');
    press(session, 'enter');
    expect(screen(session).split('\n').at(-1)).toContain('g go to');
  });

  it('A list with a record beside it scrolls half a page at its edges, and stays on the row in either direction', async () => {
    const scene = await markets({ columns: 120, rows: 24 }, MANY_ROWS);
    const { session } = scene;
    const tops: number[] = [];
    const rows: number[] = [];
    const step = (key: string): void => {
      press(session, key);
      const { row, top } = browserOf(session).view;
      rows.push(row);
      if (top !== tops.at(-1)) tops.push(top);
      expect(screen(session)).toMatch(/^> +\S/m);
    };
    for (let times = 1; times < MANY_ROWS.length; times++) step('down');
    expect(rows.at(-1)).toBe(MANY_ROWS.length - 1);
    expect(tops.length).toBeLessThan(8);
    for (let times = 1; times < MANY_ROWS.length; times++) step('up');
    expect(rows.at(-1)).toBe(0);
    expect(browserOf(session).view.top).toBe(0);
    expect(tops.length).toBeLessThan(16);
  });

  it('The record beside the list has what comes next beside its facts from 200 columns, below them before', async () => {
    const explained: Explanation = {
      parts: [
        {
          title: '',
          lines: [
            { label: '', text: 'It trades' },
            { label: 'product', text: 'future' },
          ],
        },
        { title: 'How fees are shared', lines: [{ label: 'LP one', text: '', short: '12.3 %', bar: '\u2588\u2588' }] },
      ],
      json: {},
      copies: [],
    };
    for (const [columns, isBeside] of [
      [199, false],
      [200, true],
    ] as const) {
      const scene = await markets({ columns, rows: 40 });
      await rest(scene);
      last(scene.asked).answer(explained);
      await told();
      const lines = screen(scene.session).split('\n');
      const heading = lines.findIndex(line => line.includes('How fees are shared'));
      expect(lines[heading + 1]).toMatch(/LP one +12\.3 % {2}\u2588\u2588/);
      const product = lines.findIndex(line => /product +future/.test(line));
      expect(product >= heading).toBe(isBeside);
    }
  });

  it('The record beside the list is left out on request', async () => {
    const scene = await shownBeside();
    scene.session.dispatch({ type: 'set-looks', said: { preview: 'off' } });
    expect(screen(scene.session)).not.toContain('It trades');
  });
});
