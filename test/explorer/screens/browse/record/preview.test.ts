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
const rests = ({ world }: Pick<Scene, 'world'>) => world.waits.filter(({ asked }) => asked.ms === 150);

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

  it('The record beside the list stays that of the former row, under its own title, until the next one is explained', async () => {
    const scene = await shownBeside();
    const { session, asked } = scene;
    press(session, 'down', 'down');
    expect(screen(session)).toMatch(/market {2}aa.*\n.*It trades/);
    await rest(scene);
    expect(asked).toHaveLength(2);
    expect(screen(session)).toMatch(/market {2}aa.*\n.*It trades/);
    last(asked).answer(meaningOf('It has ended'));
    await told();
    expect(screen(session)).toMatch(/market {2}cc.*\n.*It has ended/);
  });

  it('The record beside the list waits for no answer: what the list knows of it is shown soon, whatever the node does', async () => {
    const scene = await markets();
    await rest(scene);
    last(scene.world.waits.filter(({ asked }) => asked.ms === 300)).answer();
    await told();
    const shown = screen(scene.session);
    expect(shown).toMatch(/\u2502 {2}market {2}aa/);
    expect(shown).toMatch(/\u2502 {2}trading mode +\S/);
    expect(shown).toContain('enter all fields');
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
