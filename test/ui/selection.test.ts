import { describe, expect, it } from 'vitest';
import { press } from '../session/fake-world.ts';
import { paintedLines, plain } from './frame.ts';
import { table } from './scenes.ts';

const COLOURED = { hasColour: true, isAscii: false };

describe('the selected row', () => {
  it.each([40, 60, 80, 120, 200, 250])(
    'has a mark at its left edge and one at the right edge of %i cells',
    async columns => {
      const { session } = await table({ columns, rows: 24 });
      press(session, 'j', 'j');
      const lines = paintedLines(session.state()).map(plain);
      const marked = lines.filter(line => line.startsWith('> '));
      expect(marked).toHaveLength(1);
      expect(marked[0]).toHaveLength(columns);
      expect(marked[0]?.endsWith(' <')).toBe(true);
      expect(lines.filter(line => line.endsWith('<'))).toEqual(marked);
    },
  );

  it('differs from itself unselected in its two marks alone, so that moving on costs a slow link little', async () => {
    const { session } = await table({ columns: 120, rows: 24 });
    const row = () => paintedLines(session.state(), COLOURED)[4] ?? '';
    const selected = row();
    press(session, 'j');
    expect(selected.replaceAll(/\u001b\[7m[<>]\u001b\[0m/g, ' ').trim()).toBe(row().trim());
    expect(selected.match(/\u001b\[7m[<>]/g)).toHaveLength(2);
  });
});
