import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../../src/base/text/width.ts';
import { topLayer } from '../../../../src/explorer/core/layer.ts';
import { THEMES, type Theme } from '../../../../src/explorer/terminal/theme.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/runs.ts';
import { tabKey } from '../../../support/tabs.ts';
import { wizardOf } from '../../support/export-scenes.ts';
import { answerPage, press, startSession, told } from '../../support/fake-world.ts';
import { MONO, paintedLines, plain } from '../../support/frame.ts';
import { pageOf, provision } from '../../support/provision-pages.ts';
import * as scenes from '../../support/scenes.ts';
import { HOSTILE_ROW, NOT_COMPLETE, SAVED, type Size } from '../../support/scenes.ts';

async function hostile(size: Size) {
  const { session, world } = await startSession(size);
  await answerPage(world, pageOf([HOSTILE_ROW, provision(2), HOSTILE_ROW]));
  return { session, world };
}

type Scene = (size: Size) => ReturnType<typeof scenes.table>;

const SCENES: { readonly [name: string]: Scene } = {
  table: scenes.table,
  filters: scenes.filters,
  inspector: scenes.inspector,
  help: scenes.help,
  copyMenu: scenes.copyMenu,
  commandLine: scenes.commandLine,
  failed: scenes.failed,
  limited: scenes.limited,
  empty: scenes.empty,
  demanding: scenes.demanding,
  tables: size => scenes.wizard(size, 'table'),
  range: size => scenes.wizard(size, 'range'),
  destination: size => scenes.wizard(size, 'destination'),
  review: size => scenes.wizard(size, 'review'),
  progress: size => scenes.wizard(size, 'progress'),
  saved: size => scenes.result(size, SAVED),
  notComplete: size => scenes.result(size, NOT_COMPLETE),
  hostile,
};

const sizes = fc.record({ columns: fc.integer({ min: 40, max: 200 }), rows: fc.integer({ min: 12, max: 60 }) });
const keys = fc.array(
  fc.constantFrom(
    'j',
    'k',
    'G',
    'g',
    'l',
    'h',
    'n',
    'enter',
    'esc',
    '?',
    '/',
    'f',
    's',
    'c',
    'y',
    'R',
    '+',
    '-',
    'space',
    'tab',
    '1',
    tabKey('history'),
    'pagedown',
    'J',
    'o',
    ':',
    'x',
    'z',
  ),
  { maxLength: 12 },
);

describe('Any screen', () => {
  it.each(Object.entries(SCENES))(
    'Any screen has exactly the rows of the terminal, none wider than it: %s',
    async (_, scene) => {
      await fc.assert(
        fc.asyncProperty(sizes, keys, async (size, pressed) => {
          const { session } = await scene(size);
          press(session, ...pressed);
          // The table of a result has a test of its own.
          const isResult = topLayer(session.state())?.screen === 'export' && wizardOf(session).step === 'result';
          const lines = paintedLines(session.state(), MONO).map(plain);
          expect(lines.length).toBe(size.rows);
          if (!isResult)
            for (const line of lines) expect(widthCells(sanitize(line)), line).toBeLessThanOrEqual(size.columns);
        }),
        { numRuns: runs(5, 25) },
      );
    },
  );

  it('Any screen has no table of CSVs that is wider than the terminal: Ink would wrap it', async () => {
    const large = fc.record({ columns: fc.integer({ min: 40, max: 200 }), rows: fc.integer({ min: 24, max: 60 }) });
    await fc.assert(
      fc.asyncProperty(large, fc.constantFrom(54_321, 123_456_789), async (size, rows) => {
        const { session } = await scenes.result(size, {
          ...SAVED,
          verdict: { ...SAVED.verdict, entries: SAVED.verdict.entries.map(entry => ({ ...entry, rows })) },
        });
        for (const line of paintedLines(session.state()).map(plain))
          expect(widthCells(sanitize(line)), line).toBeLessThanOrEqual(size.columns);
      }),
    );
  });

  it('Any screen shows the end of a value of wide characters', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24 });
    await answerPage(world, pageOf([provision(1, { status: `${'漢'.repeat(3000)}Z` })]));
    press(session, 'enter');
    await told();
    await told();
    press(session, 'j', 'enter', 'G');
    expect(paintedLines(session.state()).join('')).toContain('Z');
  });

  it.each(Object.entries(SCENES))('Any screen has no control character except its own styles: %s', async (_, scene) => {
    await fc.assert(
      fc.asyncProperty(sizes, keys, async (size, pressed) => {
        const { session } = await scene(size);
        press(session, ...pressed);
        for (const line of paintedLines(session.state(), THEMES.auto.utf8)) {
          expect(plain(line)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029]/u);
        }
      }),
      { numRuns: runs(3, 10) },
    );
  });

  it('Any screen has no control character, whatever a node sends', async () => {
    const themes: readonly Theme[] = [MONO, THEMES.auto.utf8, THEMES.mono.ascii];
    const text = fc.string({ unit: anyCharacter, maxLength: 30 });
    const status = text.map(value => `STATUS_${value}`);
    const row = fc.record({ id: text, marketId: text, reference: text, status, fee: text, updatedAt: text });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), keys, async (rows, pressed) => {
        const { session, world } = await startSession({ columns: 80, rows: 24 });
        await answerPage(world, pageOf(rows));
        press(session, ...pressed);
        for (const theme of themes)
          for (const line of paintedLines(session.state(), theme))
            expect(plain(line)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: runs(20, 100) },
    );
  });

  it('Any screen marks what it cuts off a value, in the tree and in the raw record', async () => {
    const stacked = 'e\u0301\u0301\u0301\u0301';
    const text = fc.constantFrom(
      stacked.repeat(300),
      'x'.repeat(1001),
      `${stacked.repeat(199)}12345END`,
      '7'.repeat(1200),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('reference', 'commitmentAmount', 'fee', 'id'), async (value, member) => {
        const { session, world } = await startSession({ columns: 400, rows: 24 });
        await answerPage(world, pageOf([provision(1, { [member]: value })]));
        press(session, 'enter');
        await told();
        for (const key of ['R', 'R']) {
          const lines = paintedLines(session.state())
            .map(plain)
            .map(line => line.split('\u2502').at(-1) ?? '');
          const line = lines.find(shown => new RegExp(`^[> ]+"?${member}\\b`).test(shown)) ?? '';
          expect(line.replaceAll(' ', '').includes(value) || /\u2026|\.\./.test(line), line).toBe(true);
          press(session, key);
        }
      }),
    );
  });

  it.each(['toString', 'constructor', '__proto__'])(
    'Any screen draws a status called %s like any other',
    async status => {
      const { session, world } = await startSession({ columns: 120, rows: 24 });
      await answerPage(world, pageOf([provision(1, { status })]));
      const theme = THEMES.auto.utf8;
      for (const line of paintedLines(session.state(), theme)) expect(plain(line)).not.toMatch(/\p{Cc}/u);
    },
  );

  it.each(['toString', 'constructor'])('Any screen draws a member called %s like any other', async name => {
    const { session, world } = await startSession({ columns: 80, rows: 60 });
    await answerPage(world, pageOf([provision(1, { [name]: 'a value' })]));
    press(session, 'enter');
    await told();
    expect(paintedLines(session.state()).join('\n')).toContain('a value');
  });
});
