import { liquidityProvisions } from '../../src/chain/resources/liquidity-provisions.ts';
import type { Resource } from '../../src/chain/resources/resource.ts';
import { signerBundles } from '../../src/chain/resources/signer-bundles.ts';
import { selectedRow } from '../flows/support/explorer.ts';
import type { Stage } from './stage.ts';
import { isOverview, openOverview, openRows } from './tours.ts';

/** Keeps the screen as it is now, to be shown for so long. */
export type Hold = (seconds: number) => void;

/** A short walk: from the overview to an overdue oracle spec and back, to the provisions of a market and to a bundle. */
export async function walkFilm(stage: Stage, hold: Hold): Promise<void> {
  const { terminal, still } = stage;
  await openOverview(stage);
  hold(3);
  for (let line = 0; !ON_ORACLE.test(terminal.screen()); line++) {
    if (line > MAX_LINES) throw new Error('the overview has no oracle spec');
    await moveDown(stage);
    hold(0.4);
  }
  hold(0.6);
  await terminal.press('enter');
  await still('last value');
  hold(3);
  await terminal.press('backspace');
  await still(screen => isOverview(screen) && ON_ORACLE.test(screen));
  hold(1);
  await goTo(stage, liquidityProvisions, hold);
  await moveDown(stage);
  hold(0.7);
  await terminal.press('enter');
  await still('▾ How fees are shared');
  hold(3);
  await goTo(stage, signerBundles, hold);
  await moveDown(stage);
  hold(0.7);
  await terminal.press('enter');
  await still('▾ Signed by');
  hold(3);
}

const MAX_LINES = 12;

/** The selected finding is an overdue oracle spec. */
const ON_ORACLE = /^> ?\w+ +Oracle \S/m;

/** Types the name of a tab in the command line. */
async function goTo(stage: Stage, resource: Resource, hold: Hold): Promise<void> {
  await stage.terminal.press(':', resource.id);
  await stage.still(` : ${resource.id}`);
  hold(1.2);
  await stage.terminal.press('enter');
  await openRows(stage, resource);
  hold(1.5);
}

async function moveDown({ terminal, still }: Stage): Promise<void> {
  const before = selectedRow(terminal.screen());
  await terminal.press('down');
  await still(screen => selectedRow(screen) !== before);
}
