import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import type { OverviewState } from '../../../../src/explorer/screens/overview/state.ts';
import { HISTORY_KEY } from '../../../../src/explorer/tabs.ts';
import { createReader } from '../../../../src/explorer/terminal/screen-reader/reader.ts';
import { press, told } from '../../support/fake-world.ts';
import { onOverview } from '../../support/overview-scenes.ts';
import { inspector, table } from '../../support/scenes.ts';

const WIDE = { columns: 400, rows: 50 };

/** What is said of a session, each time it is asked what is new. */
async function heard(scene = table) {
  const { session, world } = await scene(WIDE);
  let written = '';
  const reader = createReader(session, text => {
    written += text;
  });
  const news = (...keys: readonly string[]): readonly string[] => {
    press(session, ...keys);
    reader.announce();
    const said = written;
    written = '';
    return said.split('\r\n').filter(line => line !== '');
  };
  return { session, world, reader, news };
}

describe('Screen reader mode', () => {
  it('The screen reader mode first announces the place, the filters, the number of rows and the selected row', async () => {
    const { news } = await heard();
    const [node, tab, filters, count, row, ...more] = news();
    expect([node, tab]).toEqual(['demo, fake-chain-1', `Provisions, tab 2 of ${HISTORY_KEY}`]);
    expect(filters).toBe('Provisions, 50 rows loaded, newest first, live: current and pending');
    expect(count).toBe('50 rows, more behind them');
    expect(row).toMatch(/^1 of 50; party: .+; status: .+; commitment.*: /);
    expect(more).toEqual([]);
  });

  it('The screen reader mode announces after a key what has changed and nothing else', async () => {
    const { news } = await heard();
    news();
    expect(news()).toEqual([]);
    const [row, ...others] = news('j');
    expect(row).toMatch(/^2 of 50; /);
    expect(others).toEqual([]);
    expect(news('home')).toHaveLength(1);
    expect(news('home')).toEqual([]);
  });

  it('The screen reader mode announces the marked cell, also of the next row, and the whole row without one', async () => {
    const { news } = await heard();
    news();
    expect(news('right')).toEqual([expect.stringMatching(/^party: [^;]+; 1 of 50$/)]);
    expect(news('right')).toEqual([expect.stringMatching(/^market: [^;]+; 1 of 50$/)]);
    expect(news('j')).toEqual([expect.stringMatching(/^market: [^;]+; 2 of 50$/)]);
    expect(news('left', 'left')).toEqual([expect.stringMatching(/^2 of 50; party: .+; status: /)]);
  });

  it('The screen reader mode announces the character at the cursor of a field, or all of it after a change inside', async () => {
    const { news, session } = await heard();
    news();
    news('/');
    session.dispatch({ type: 'insert-text', text: 'ab c' });
    expect(news()).toEqual(['find in the loaded rows: ab c']);
    expect(news('left')).toEqual(['on c']);
    expect(news('left')).toEqual(['on a space']);
    expect(news('home')).toEqual(['on a, at the start']);
    expect(news('left')).toEqual(['the cursor is at the start']);
    expect(news('delete')).toEqual(['find in the loaded rows: b c']);
    expect(news('end')).toEqual(['at the end']);
  });

  it('The screen reader mode announces how far the node is behind its core, and its version, each once', async () => {
    const { news, session, world } = await heard();
    news();
    const told = { version: 'v1', state: null, height: 7n, timeMs: null, behindBlocks: 2n, behindMs: 0 };
    const core = (behindBlocks: bigint) => ({ status: { ...told, behindBlocks }, atMs: world.clockMs });
    const known = (behind: bigint) =>
      session.dispatch({ type: 'chain-known', chainId: 'fake-chain-1', core: core(behind) });
    known(2n);
    expect(news()).toEqual(['2 blocks behind core']);
    session.dispatch({ type: 'build-known', version: 'v2' });
    expect(news()).toEqual(['version v2']);
    known(2n);
    expect(news()).toEqual([]);
    known(0n);
    expect(news()).toEqual(['core in sync']);
  });

  it('The screen reader mode reads a record when it is opened, then line by line', async () => {
    const { news, session } = await heard();
    news();
    press(session, 'enter');
    await told();
    const record = news();
    expect(record[0]).toMatch(/^liquidity provision /);
    expect(record.length).toBeGreaterThan(5);
    expect(record.some(line => /^status: /i.test(line))).toBe(true);
    expect(new Set(record).size).toBe(record.length);
    expect(news('j')).toHaveLength(1);
    const [row] = news('esc');
    expect(row).toMatch(/^1 of 50; /);
  });

  it('The screen reader mode announces the overview once, when it is whole, and repeats nothing on the way back', async () => {
    const { session } = await onOverview();
    const whole = session.state();
    const shown = { state: whole };
    let written: string[] = [];
    const reader = createReader({ ...session, state: () => shown.state }, text => {
      written.push(...text.split('\r\n').filter(line => line !== ''));
    });
    const news = (state: SessionState): readonly string[] => {
      written = [];
      shown.state = state;
      reader.announce();
      return written;
    };
    const asking = { kind: 'first', isEarly: true } as const;
    const partial = whole.layers.map(layer =>
      layer.screen === 'overview' ? { ...layer, state: { ...(layer.state as OverviewState), asking } } : layer,
    );
    expect(news({ ...whole, layers: partial })).toEqual([`Home, tab 0 of ${HISTORY_KEY}`]);
    const all = news(whole);
    expect(all.slice(0, 3)).toEqual(['demo, chain-1', 'version core v0.79.0', 'core in sync']);
    expect(all.slice(3)).toEqual([
      'Needs attention: 1 critical, 2 warnings, 2 notes',
      expect.stringMatching(/^critical: /),
      ...[1, 2].map(() => expect.stringMatching(/^warning: /)),
      ...[1, 2].map(() => expect.stringMatching(/^note: /)),
    ]);
    press(session, 'down');
    expect(news(session.state())).toEqual([expect.stringMatching(/^warning: /)]);
    press(session, '?');
    expect(news(session.state()).length).toBeGreaterThan(0);
    press(session, 'esc');
    expect(news(session.state())).toEqual([expect.stringMatching(/^warning: /)]);
    press(session, 'esc');
    expect(news(session.state())).toEqual([expect.stringMatching(/^critical: /)]);
    await session.close();
  });

  it('The screen reader mode announces a menu, its number of items, and what is selected', async () => {
    const { news } = await heard();
    news();
    expect(news('c')).toEqual([
      expect.stringMatching(/^Columns: \d+ to choose from$/),
      expect.stringMatching(/^shown, PARTY/),
    ]);
    expect(news('j')).toHaveLength(1);
  });

  it('The screen reader mode echoes typed text in place, and its result at the end', async () => {
    const { news, session, reader } = await heard();
    news();
    expect(news('/')).toEqual(['find in the loaded rows: ']);
    session.paste('r');
    reader.echo('r');
    expect(news()).toEqual(['r']);
    expect(news('enter').at(-1)).toBe('50 rows of 50 match, more behind them');
  });

  it('The screen reader mode announces the response to a key', async () => {
    const { news } = await heard();
    news();
    expect(news('p')).toEqual(['this is the first page']);
  });

  it('The screen reader mode announces everything again on request', async () => {
    const { news, reader } = await heard();
    const first = news();
    reader.announceAll();
    expect(news()).toEqual(first);
  });

  it('The screen reader mode prints no line art and no sequence, whatever keys are pressed', async () => {
    const keys = fc.constantFrom(
      'j',
      'k',
      'enter',
      'esc',
      'tab',
      's',
      'c',
      '?',
      'y',
      'f',
      'w',
      'o',
      'x',
      'R',
      '/',
      'n',
      HISTORY_KEY,
      ':',
      'L',
      'down',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { maxLength: 12 }), async pressed => {
        const { news } = await heard(fc.sample(fc.constantFrom(table, inspector), 1)[0]);
        for (const key of ['', ...pressed])
          for (const line of key === '' ? news() : news(key))
            expect(line).toMatch(/^[^\u0000-\u0007\u000b-\u001f\u007f\u2500-\u25ff]*$/);
      }),
      { numRuns: 60 },
    );
  });
});
