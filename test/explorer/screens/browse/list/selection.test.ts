import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../../src/explorer/core/state.ts';
import { THEMES } from '../../../../../src/explorer/terminal/theme.ts';
import { tabKey } from '../../../../support/tabs.ts';
import { press, told } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { table as opened } from '../../../support/scenes.ts';

const COLOURED = THEMES.auto.utf8;

type Size = Parameters<typeof opened>[0];

const table = async (size: Size, selection: 'edges' | 'line') => {
  const { session } = await opened(size);
  session.dispatch({ type: 'set-looks', said: { selection } });
  return { session };
};

describe('Selected row with marked edges', () => {
  it.each([40, 60, 80, 120, 200, 250])(
    'The selected row has a mark at its left edge and one at the right edge of %i cells',
    async columns => {
      const { session } = await table({ columns, rows: 24 }, 'edges');
      press(session, 'j', 'j');
      const lines = paintedLines(session.state()).map(plain);
      const marked = lines.filter(line => line.startsWith('> '));
      expect(marked).toHaveLength(1);
      expect(marked[0]).toHaveLength(columns);
      expect(marked[0]?.endsWith(' <')).toBe(true);
      expect(lines.filter(line => line.endsWith('<'))).toEqual(marked);
    },
  );

  it('The selected row differs from its unselected form only in its two marks, to cost a slow link little', async () => {
    const { session } = await table({ columns: 120, rows: 24 }, 'edges');
    const row = () => paintedLines(session.state(), COLOURED)[4] ?? '';
    const selected = row();
    press(session, 'j');
    expect(selected.replaceAll(/\u001b\[7m[<>]\u001b\[0m/g, ' ').trim()).toBe(row().trim());
    expect(selected.match(/\u001b\[7m[<>]/g)).toHaveLength(2);
  });
});

describe('Selected row as a bar', () => {
  const markedLines = (state: SessionState) =>
    paintedLines(state, COLOURED).filter(line => /^\u001b\[[\d;]*48;5;238m> ?/.test(line));

  it.each([
    ['a row of a list', [], 200],
    ['a line of a record', ['enter', 'j'], 80],
    ['a line of raw JSON', ['enter', 'R', 'j'], 80],
    ['an item of a menu', ['?', 'j'], 80],
  ] as const)('The selection bar marks %s', async (_, keys, columns) => {
    const { session } = await table({ columns, rows: 24 }, 'line');
    press(session, ...keys);
    await told();
    const marked = markedLines(session.state());
    expect(marked).toHaveLength(1);
    const cells = [...(marked[0] ?? '').matchAll(/\u001b\[([\d;]*)m([^\u001b]*)/g)];
    expect(cells.filter(([, sgr = '', text]) => !sgr.includes('48;5;238') && text !== '')).toEqual([]);
    expect(plain(marked[0] ?? '')).toHaveLength(columns);
  });

  it('The selection bar marks one row of the export wizard', async () => {
    const { session } = await table({ columns: 80, rows: 24 }, 'line');
    press(session, tabKey('history'));
    expect(markedLines(session.state())).toHaveLength(1);
  });

  it('The selection bar shows the same text as marked edges do', async () => {
    const { session } = await table({ columns: 120, rows: 24 }, 'edges');
    const shown = () => paintedLines(session.state()).map(plain);
    const edges = shown();
    session.dispatch({ type: 'set-looks', said: { selection: 'line' } });
    expect(shown().map(line => line.trimEnd())).toEqual(edges.map(line => line.replace(/ *<$/, '').trimEnd()));
  });
});
