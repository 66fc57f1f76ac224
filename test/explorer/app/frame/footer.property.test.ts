import { describe, expect, it } from 'vitest';
import type { currentKeyTarget } from '../../../../src/explorer/app/focus.ts';
import { currentBindings } from '../../../../src/explorer/app/keymap.ts';
import { isTooSmall } from '../../../../src/explorer/core/area.ts';
import { runs } from '../../../support/runs.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { pressAtRandom } from '../../support/random-session.ts';

const SEEDS = Array.from({ length: runs(1, 6) }, (_, index) => index + 1);

describe('Footer after random keys', () => {
  it.each(SEEDS)('The footer shows the help, and when there is none the way back (seed %i)', async seed => {
    await pressAtRandom(seed, 120, ({ session, after }) => {
      const state = session.state();
      const keys = currentBindings(state).filter(({ disabledReason }) => disabledReason?.(state) === undefined);
      const hasHelp = keys.some(({ keys: [key] }) => key === '?');
      for (const columns of [40, 60, 80]) {
        const screen = { columns, rows: 24 };
        const line = plain(paintedLines({ ...state, screen }).at(-1) ?? '').trimEnd();
        if (hasHelp) expect(line, after).toMatch(/ \?(?: help)?$/);
        // Beside a long sentence about rows there is room for one.
        else if (columns > 40) expect(line, after).toMatch(/(?: esc back| {3}enter \S+)$/);
      }
    });
  });

  it.each(SEEDS)('The footer offers no key that would do nothing (seed %i)', async seed => {
    await pressAtRandom(seed, 250, ({ session, after }) => {
      const state = session.state();
      if (isTooSmall(state.screen)) return;
      const line = plain(paintedLines(state).at(-1) ?? '').trim();
      for (const { keys, footer: name, disabledReason } of currentBindings(state))
        if (
          name !== undefined &&
          disabledReason?.(state) !== undefined &&
          !isNamedOtherwise(state, keys[0] ?? '', name)
        )
          expect(` ${line} `, after).not.toContain(`  ${keys[0]} ${name} `);
    });
  });
});

/** Another binding has the same key now and name, and may act. */
const isNamedOtherwise = (state: Parameters<typeof currentKeyTarget>[0], key: string, name: string): boolean =>
  currentBindings(state).some(
    binding => binding.footer === name && binding.keys[0] === key && binding.disabledReason?.(state) === undefined,
  );
