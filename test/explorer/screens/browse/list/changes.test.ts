import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/chain/api/json.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import {
  changesAfterReload,
  changesOfPage,
  changesText,
} from '../../../../../src/explorer/screens/browse/list/changes.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, type FakeWorld, last, press, startSession, told } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { overlayOf } from '../../../support/layers.ts';
import { loaded, pageOf, provision } from '../../../support/provision-pages.ts';

const provisions = resourceById('provisions');
if (provisions === undefined) throw new Error('no provisions');
const resource = provisions;

/** A list under watch. */
async function watching(rows: readonly JsonObject[], columns = 120, tab = 'provisions') {
  const { session, world } = await startSession({ columns, rows: 14, tab });
  await answerPage(world, pageOf(rows));
  press(session, 'w');
  return { session, world };
}

async function reloaded({ session, world }: { session: Session; world: FakeWorld }, rows: readonly JsonObject[]) {
  world.clockMs += 10_000;
  tell(session, { type: 'watch-due' });
  await answerPage(world, pageOf(rows));
}

const changesIn = (session: Session) => changesOfPage(browserOf(session).changes, browserOf(session).page);
const table = (session: Session): readonly string[] =>
  paintedLines(session.state())
    .map(line => plain(line).trimEnd())
    .slice(3, 10);
const status = (session: Session): string => plain(paintedLines(session.state()).at(-2) ?? '').trim();
const valueShown = (session: Session): string => {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'value' ? `${overlay.title}\n${overlay.text}` : '';
};

describe('Reload of a watched list', () => {
  it('A watched reload marks the cells that changed and new rows, and counts them with those that are gone', async () => {
    const scene = await watching([provision(1), provision(2), provision(3)]);
    await reloaded(scene, [provision(9), provision(1, { fee: '0.002', commitmentAmount: '77' }), provision(3)]);
    const { session } = scene;
    expect(status(session)).toBe('1 changed, 1 new, 1 gone since 08:00:00 UTC');
    const [, added = '', changed = '', same = ''] = table(session);
    expect(added).toMatch(/^ \+/);
    expect(changed).toMatch(/\*77\b/);
    expect(changed).toMatch(/\*0\.2 %/);
    expect(changed.match(/\*/g)).toHaveLength(2);
    expect(same).not.toMatch(/[*+~]/);
  });

  it.each([
    [10_000, 'since 08:00:00 UTC'],
    [86_400_000, 'since 2027-01-15 08:00:00 UTC'],
    // The snapshot before, as `,` shows it.
    [-86_400_000, 'compared with 2027-01-15 08:00:00 UTC'],
  ])('A watched reload says what it is compared with, %i ms later', async (stepMs, expected) => {
    const { session, world } = await watching([provision(1)]);
    world.clockMs += stepMs;
    tell(session, { type: 'watch-due' });
    await answerPage(world, pageOf([provision(1, { fee: '0.002' })]));
    expect(status(session)).toBe(`1 changed ${expected}`);
    press(session, 'v');
    expect(valueShown(session)).toMatch(new RegExp(`^changed ${expected}\n`));
  });

  it.each([
    ['commitmentAmount', '0001000001'],
    ['fee', '0.0010'],
    ['fee', '.001'],
    ['createdAt', '01799999000000000000'],
  ])('A watched reload does not mark what means the same: %s %s', async (name, value) => {
    const scene = await watching([provision(1)]);
    await reloaded(scene, [provision(1, { [name]: value })]);
    expect(changesIn(scene.session)).toBeNull();
  });

  it('A watched reload marks a parameter by the type of its value', async () => {
    const scene = await watching(
      [
        { key: 'a.b.c', value: '24h' },
        { key: 'a.b.d', value: '0.5' },
        { key: 'a.b.e', value: '{"a":1,"b":2}' },
        { key: 'a.b.f', value: '0.5' },
      ],
      120,
      'parameters',
    );
    await reloaded(scene, [
      { key: 'a.b.c', value: '24h0m0s' },
      { key: 'a.b.d', value: '0.50' },
      { key: 'a.b.e', value: '{"b":2,"a":1}' },
      { key: 'a.b.f', value: '0.6' },
    ]);
    expect([...(changesIn(scene.session)?.changed.keys() ?? [])]).toEqual([{ key: 'a.b.f', value: '0.6' }]);
    expect(table(scene.session).join('\n').match(/\*/g)?.length).toBeGreaterThan(0);
  });

  it('A watched reload says where a change is when its column is not shown', async () => {
    const scene = await watching([provision(1), provision(2)]);
    await reloaded(scene, [provision(1), provision(2, { buys: [{}] })]);
    expect(table(scene.session)[2]).toMatch(/^ ~/);
    expect(status(scene.session)).toBe('1 changed since 08:00:00 UTC');
    press(scene.session, 'j', 'v');
    expect(valueShown(scene.session)).toBe('changed since 08:00:00 UTC\nBUYS\n  before  0\n  now     1');
  });

  it('A watched reload keeps the mark of the selected row next to that of its change', async () => {
    const scene = await watching([provision(1)]);
    await reloaded(scene, [provision(1, { partyId: 'ab' })]);
    expect(table(scene.session)[1]).toMatch(/^>\*/);
    await reloaded(scene, [provision(7)]);
    expect(table(scene.session)[1]).toMatch(/^>\+/);
  });

  it('A watched reload shows by a key the exact value that was there, and the one there now', async () => {
    const scene = await watching([provision(1), provision(2)]);
    press(scene.session, 'v');
    expect(scene.session.state().notice?.text).toBe('no reload has found a change yet');
    press(scene.session, 'w', 'v');
    expect(scene.session.state().notice?.text).toContain('w marks what changed');
    press(scene.session, 'w');
    await reloaded(scene, [
      provision(1, { commitmentAmount: '123456789012345678901234567890', reference: '' }),
      provision(2),
    ]);
    press(scene.session, 'v');
    expect(valueShown(scene.session)).toBe(
      [
        'changed since 08:00:00 UTC',
        'COMMITMENT',
        '  before  1 000 001 smallest unit',
        '  now     123 456 789 012 345 678 901 234 567 890 smallest unit',
        'REFERENCE',
        '  before  reference-1',
        '  now     (nothing)',
      ].join('\n'),
    );
    press(scene.session, 'esc', 'j', 'v');
    expect(scene.session.state().notice?.text).toBe(
      'nothing in the columns of this row has changed since 08:00:00 UTC',
    );
  });

  it('A watched reload keeps its marks, with their time, while later reloads find nothing else', async () => {
    const scene = await watching([provision(1), provision(2)]);
    const now = [provision(1, { fee: '0.5' }), provision(3)];
    await reloaded(scene, now);
    await reloaded(scene, structuredClone(now));
    await reloaded(scene, structuredClone(now).reverse());
    expect(status(scene.session)).toBe('1 changed, 1 new, 1 gone since 08:00:00 UTC');
    expect(table(scene.session)[2]).toMatch(/\*50 %/);
    await reloaded(scene, [provision(1, { fee: '0.6' }), provision(3)]);
    expect(status(scene.session)).toBe('1 changed since 08:00:30 UTC');
  });

  it('A watched reload leaves no marks when watching ends, or another page or another list is shown', async () => {
    const scene = await watching([provision(1)]);
    await reloaded(scene, [provision(1, { fee: '0.5' })]);
    press(scene.session, 'w');
    expect(changesIn(scene.session)).toBeNull();
    expect(table(scene.session).join('')).not.toContain('*');
    press(scene.session, 'w');
    await reloaded(scene, [provision(1, { fee: '0.7' })]);
    expect(changesIn(scene.session)).not.toBeNull();
    press(scene.session, 'o');
    await answerPage(scene.world, pageOf([provision(1)]));
    expect(changesIn(scene.session)).toBeNull();
  });

  it('A reload compares nothing when the list is not watched', async () => {
    const { session, world } = await watching([provision(1)]);
    press(session, 'w', 'r');
    await answerPage(world, pageOf([provision(2)]));
    expect(changesIn(session)).toBeNull();
  });

  it('A watched reload says that it covers only the page when the list has more', async () => {
    const { session, world } = await watching([provision(1)]);
    press(session, 'r');
    await answerPage(world, pageOf([provision(2)], { hasNextPage: true }));
    expect(status(session)).toBe('1 new, 1 gone on this page since 08:00:00 UTC');
  });

  it('A watched reload costs nothing at the keys that follow', async () => {
    const scene = await watching(Array.from({ length: 30 }, (_, index) => provision(index)));
    await reloaded(
      scene,
      Array.from({ length: 30 }, (_, index) => provision(index, { fee: '0.7' })),
    );
    const { drawScreen } = await import('../../../../../src/explorer/app/frame/screen.ts');
    const lines = () => drawScreen(scene.session.state()).flatMap(row => (row.kind === 'line' ? [row.line] : []));
    press(scene.session, 'j');
    const first = lines();
    press(scene.session, 'j');
    const same = lines().slice(7, 11);
    expect(same.filter((line, index) => line === first[index + 7])).toHaveLength(4);
  });
});

describe('Versions of one record', () => {
  it('The versions of one record are distinguished by content: a new version changes none before it', () => {
    const [one, two] = [provision(1), provision(1, { version: '2' })];
    const before = loaded(pageOf([one, two]));
    const after = loaded(pageOf([provision(1, { version: '3' }), structuredClone(two), structuredClone(one)]));
    const changes = changesAfterReload(resource, null, { before, after });
    expect(changes?.added).toEqual(new Set([after.rows[0]]));
    expect(changes?.changed.size).toBe(0);
    expect(changes && changesText(changes)).toBe('1 new since 08:00:00 UTC');
  });
});

describe('Changes between two pages', () => {
  const rows = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', ''),
      fee: fc.constantFrom('1', '1.0', '2'),
      status: fc.jsonValue(),
    }),
    { maxLength: 8 },
  );
  const json = (of: unknown): readonly JsonObject[] => JSON.parse(JSON.stringify(of));

  it('The changes between two pages add up: each current row is new or was there, each earlier is there or gone', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const [before, after] = [loaded(pageOf(json(one))), loaded(pageOf(json(other)))];
        const changes = changesAfterReload(resource, null, { before, after });
        const [added, gone] = [changes?.added.size ?? 0, changes?.gone ?? 0];
        expect(after.rows.length - added).toBe(before.rows.length - gone);
        for (const row of changes?.changed.keys() ?? []) expect(after.rows).toContain(row);
      }),
    );
  });

  it('The changes between a page and itself are none, in any order', () => {
    fc.assert(
      fc.property(rows, one => {
        const before = loaded(pageOf(json(one)));
        expect(
          changesAfterReload(resource, null, { before, after: loaded(pageOf(json([...one].reverse()))) }),
        ).toBeNull();
      }),
    );
  });
});

it('A watched page that fails keeps its marks with its rows', async () => {
  const scene = await watching([provision(1)]);
  await reloaded(scene, [provision(1, { fee: '0.5' })]);
  tell(scene.session, { type: 'watch-due' });
  last(scene.world.pages).fail(new Error('gone'));
  await told();
  press(scene.session, 'esc');
  expect(changesIn(scene.session)).not.toBeNull();
});
