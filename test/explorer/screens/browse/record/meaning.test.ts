import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../src/chain/explain/explanation.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import { currentBindings, disabledReasonOf } from '../../../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { treeLines } from '../../../../../src/explorer/screens/browse/record/inspector.ts';
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
import { listOf, menuItems, overlayOf } from '../../../support/layers.ts';
import { pageOf } from '../../../support/provision-pages.ts';

const record = FULL_RECORDS.find(([id]) => id === 'markets')?.[1] ?? {};

const explanation: Explanation = {
  parts: [
    {
      title: '',
      lines: [
        { label: '', text: 'It trades', tone: 'good' },
        { label: 'settles in', text: 'HUSD', copied: 'the whole id' },
      ],
    },
    { title: 'Behind it', isFolded: true, lines: [{ label: 'one', text: 'the first word' }] },
    { title: 'Before it', lines: [{ label: '', text: 'a sentence' }] },
  ],
  json: {},
  copies: [{ what: 'calldata', text: '0xc0ffee' }],
};

const other: Explanation = {
  ...explanation,
  parts: [{ title: '', lines: [{ label: '', text: 'It trades no more' }] }],
};

/** A world that explains a record when the test says so. */
async function inspecting(size = { columns: 80, rows: 24 }) {
  const world = new FakeWorld();
  const asked: Call<string, Explanation | undefined>[] = [];
  world.explains = (resource, _row, _around, signal) => {
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Explanation | undefined>();
    signal.addEventListener('abort', () => fail(signal.reason));
    asked.push({ asked: resource, signal, answer, fail });
    return promise;
  };
  const { session } = await startSession({ ...size, tab: 'markets', world });
  await answerPage(world, pageOf([record, { ...record, id: 'ab' }]));
  press(session, 'enter');
  return { session, world, asked };
}

async function explained(size?: { readonly columns: number; readonly rows: number }) {
  const scene = await inspecting(size);
  last(scene.asked).answer(explanation);
  await told();
  return scene;
}

function linesOf(session: Session): readonly string[] {
  const resource = resourceById(session.state().tab);
  const { inspector } = browserOf(session);
  if (resource === undefined || inspector === null) throw new Error('nothing is inspected');
  return treeLines(resource, inspector).map(({ node, depth, isOpen }) => {
    const mark = node.size === 0 ? '' : isOpen ? 'v ' : '> ';
    return `${'  '.repeat(depth)}${mark}${node.label || String(node.value)}`;
  });
}

const cursorLine = (session: Session): string | undefined =>
  linesOf(session)[browserOf(session).inspector?.cursor ?? -1]?.trim();

const labelsOfMenu = (session: Session): readonly string[] => {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay).map(({ label }) => label) : [];
};

const copied = async (session: Session, world: FakeWorld, label: string): Promise<string | undefined> => {
  press(session, 'y', '/');
  session.dispatch({ type: 'type-text', value: label });
  press(session, 'enter');
  await told();
  return world.copies.at(-1)?.text;
};

const slow = async (world: FakeWorld): Promise<void> => {
  last(world.waits).answer();
  await told();
};

const FIELDS = `Fields as sent (${Object.keys(record).length})`;

describe('Explanation in the inspector', () => {
  it('The explanation shows that it is being worked out, and then comes above the raw fields', async () => {
    const { session, asked } = await inspecting();
    expect(asked.map(({ asked: resource }) => resource)).toEqual(['markets']);
    expect(linesOf(session)).toEqual(['Loading the explanation', `> ${FIELDS}`]);
    last(asked).answer(explanation);
    await told();
    expect(linesOf(session)).toEqual([
      'It trades',
      'settles in',
      '> Behind it',
      'v Before it',
      '  a sentence',
      `> ${FIELDS}`,
    ]);
  });

  it('The explanation leaves the fields visible while it takes long', async () => {
    const { session, world, asked } = await inspecting();
    await slow(world);
    expect(linesOf(session).slice(0, 4)).toEqual(['Loading the explanation', `v ${FIELDS}`, '  v Market', '    code']);
    last(asked).answer(explanation);
    await told();
    expect(linesOf(session).at(-1)).toBe(`> ${FIELDS}`);
  });

  it('The explanation arrives without moving the line that is being read', async () => {
    const { session, world, asked } = await inspecting({ columns: 80, rows: 14 });
    await slow(world);
    press(session, ...Array.from({ length: 12 }, () => 'j'));
    const line = cursorLine(session);
    const { cursor = 0, top = 0 } = browserOf(session).inspector ?? {};
    expect(line).not.toBe('Loading the explanation');
    last(asked).answer(explanation);
    await told();
    expect(cursorLine(session)).toBe(line);
    const after = browserOf(session).inspector;
    expect((after?.cursor ?? 0) - (after?.top ?? 0)).toBe(cursor - top);
  });

  it('The explanation is aborted for the next record, and its late result changes nothing', async () => {
    const { session, asked } = await inspecting();
    press(session, 'J');
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    asked[0]?.answer(explanation);
    await told();
    expect(linesOf(session)[0]).toBe('Loading the explanation');
    asked[1]?.answer(other);
    await told();
    expect(linesOf(session)[0]).toBe('It trades no more');
    press(session, 'esc');
    expect(listOf(session.state(), 'markets')?.inspector).toBe(null);
  });

  it('The explanation is no longer requested once the inspector is closed', async () => {
    const { session, asked } = await inspecting();
    press(session, 'esc');
    expect(last(asked).signal.aborted).toBe(true);
  });

  it('The explanation that fails leaves the record visible, with the reason', async () => {
    const { session, asked } = await inspecting();
    last(asked).fail(new Error('no such thing'));
    await told();
    expect(linesOf(session).slice(0, 3)).toEqual([
      'The explanation could not be loaded: no such thing',
      `v ${FIELDS}`,
      '  v Market',
    ]);
  });

  it('The explanation is absent for a list without explanations: the record stays as it was', async () => {
    const { session, asked } = await inspecting();
    last(asked).answer(undefined);
    await told();
    expect(linesOf(session)[0]).toBe('v Market');
  });

  it('The explanation stays after a reload until it is ready again, and goes when the record has changed', async () => {
    const { session, world, asked } = await explained();
    press(session, 'r');
    await answerPage(world, pageOf([{ ...record }]));
    expect(linesOf(session)[0]).toBe('It trades');
    last(asked).answer(other);
    await told();
    expect(linesOf(session)[0]).toBe('It trades no more');
    press(session, 'r');
    await answerPage(world, pageOf([{ ...record, state: 'STATE_CLOSED' }]));
    expect(linesOf(session)[0]).toBe('Loading the explanation');
    expect(asked.length).toBe(3);
  });

  it('The explanation leads to what it mentions even if the record itself does not', async () => {
    const scene = await inspecting();
    const id = 'ab'.repeat(32);
    const line = { label: 'markets', text: 'settles on it', leadsTo: { entity: 'market', id } } as const;
    last(scene.asked).answer({ ...explanation, parts: [{ title: '', lines: [line] }] });
    await told();
    press(scene.session, '-', 'end', 'g');
    const overlay = overlayOf(scene.session.state());
    const items = overlay?.kind === 'menu' ? menuItems(scene.session.state(), overlay) : [];
    expect(items.filter(item => item.detail.includes(id)).map(({ label }) => label)).toContain('the market itself');
  });

  it('The explanation is searched together with the record', async () => {
    const { session } = await explained();
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'FIRST word' });
    press(session, 'enter');
    expect(linesOf(session)).toEqual(['v Behind it', '  one']);
  });

  it('The explanation folds with the fields, and raw JSON is one key away', async () => {
    const { session } = await explained();
    press(session, '+');
    expect(linesOf(session)).toContain('  one');
    expect(linesOf(session)).toContain('  v Market');
    press(session, '-');
    expect(linesOf(session).slice(-3)).toEqual(['> Behind it', '> Before it', `> ${FIELDS}`]);
    press(session, 'R');
    expect(browserOf(session).inspector).toMatchObject({ isRaw: true, cursor: 0 });
  });
});

describe('Copying from an explanation', () => {
  it('The copy menu offers the full value behind a line of the explanation, and other values worth copying', async () => {
    const { session, world } = await explained();
    press(session, 'j', 'y');
    expect(labelsOfMenu(session).slice(0, 3)).toEqual(['settles in', 'calldata', 'code']);
    press(session, 'esc');
    expect(await copied(session, world, 'settles in')).toBe('the whole id');
    press(session, 'k');
    expect(await copied(session, world, 'line')).toBe('It trades');
    press(session, 'G');
    press(session, 'y');
    expect(labelsOfMenu(session).slice(0, 2)).toEqual(['calldata', 'code']);
  });

  it('The calldata key copies the calldata, and explains elsewhere why it does nothing', async () => {
    const { session, world, asked } = await inspecting();
    press(session, 'C');
    expect(session.state().notice?.text).toBe('the explanation is loading');
    last(asked).answer(explanation);
    await told();
    press(session, 'C');
    await told();
    expect(world.copies).toEqual([{ what: 'calldata', text: '0xc0ffee' }]);
    press(session, 'J');
    last(asked).answer({ ...other, copies: [] });
    await told();
    press(session, 'C');
    expect(session.state().notice?.text).toBe('no calldata to copy here');
    press(session, 'K');
    const copies = ['remove_signer', 'removeSigner'].map(name => ({ what: `calldata of ${name}`, text: '0xc0ffee' }));
    last(asked).answer({ ...other, copies });
    await told();
    press(session, 'C');
    expect(session.state().notice?.text).toBe('not known which call the contract has: y copies the selected line');
  });

  it('The footer lists the calldata key first, after Enter, wherever it does something', async () => {
    const { session } = await explained();
    const [, next] = currentBindings(session.state()).filter(
      binding => binding.footer !== undefined && disabledReasonOf(session.state(), binding) === undefined,
    );
    expect(next?.footer).toBe('calldata');
  });

  it('The full view of an explanation line shows the whole line, and the value behind it', async () => {
    const { session } = await explained();
    press(session, 'j', 'enter');
    expect(overlayOf(session.state())).toMatchObject({
      kind: 'value',
      title: 'settles in',
      text: 'HUSD\nthe whole id',
    });
  });
});

it('A line of an explanation keeps both ends of an address and of an ID that it has no room for', async () => {
  const { session, asked } = await inspecting({ columns: 50, rows: 24 });
  const ids = [`0x12${'0'.repeat(36)}34`, `56${'0'.repeat(60)}78`];
  const lines = [...ids, `sentence ${'of many words '.repeat(9)}`].map(text => ({ label: 'of', text }));
  last(asked).answer({ ...explanation, parts: [{ title: '', lines }] });
  await told();
  const drawn = paintedLines(session.state()).map(plain);
  const [address, id, sentence] = drawn.filter(line => /^[> ]+of /.test(line)).map(line => line.trim());
  expect([address, id]).toEqual([expect.stringMatching(/0x120+\.\.0+34$/), expect.stringMatching(/560+\.\.0+78$/)]);
  expect(sentence).toMatch(/of many/);
  expect(drawn.join(' ').match(/\bmany\b/g)?.length).toBe(9);
});
