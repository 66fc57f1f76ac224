import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../support/frame.ts';
import { LARGE, result, SAVED } from '../../support/scenes.ts';

const NARROW = { columns: 60, rows: 40 };

describe('CSV list of a large export', () => {
  it.each([
    ['in a table', LARGE],
    ['in lines, where a table has no room', NARROW],
  ])('The CSVs of an export with too many to list are counted %s', async (_, screen) => {
    const entries = SAVED.verdict.entries
      .slice(0, 1)
      .flatMap(entry => Array.from({ length: 7 }, (_, index) => ({ ...entry, name: `csv-${index}` })));
    const { session } = await result(screen, { ...SAVED, verdict: { ...SAVED.verdict, entries } });
    const frame = renderFrame(session.state());
    expect(frame.match(/csv-\d/g)).toEqual(['csv-0', 'csv-1', 'csv-2', 'csv-3']);
    expect(frame).toContain('and 3 more CSVs');
  });
});
