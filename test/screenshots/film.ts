import { oracleSpecs } from '../../src/resources/oracle-specs.ts';
import type { Resource } from '../../src/resources/resource.ts';
import { signerBundles } from '../../src/resources/signer-bundles.ts';
import { selectedRow } from '../flows/support/explorer.ts';
import type { Stage } from './stage.ts';
import { isListed, openRows } from './tours.ts';

/** Keeps the screen as it is now, to be shown for so long. */
export type Hold = (seconds: number) => void;

/** A short walk: from a parameter to an oracle spec and on to a signer bundle. */
export async function walkFilm(stage: Stage, hold: Hold): Promise<void> {
  const { terminal, still } = stage;
  await still(isListed);
  hold(2);
  await terminal.press('/', 'epoch');
  await still('find "epoch"');
  hold(2);
  await terminal.press('enter');
  await goTo(stage, oracleSpecs, hold);
  await moveDown(stage);
  hold(0.7);
  await terminal.press('enter');
  await still('last value');
  hold(3);
  await goTo(stage, signerBundles, hold);
  await moveDown(stage);
  hold(0.7);
  await terminal.press('enter');
  await still('▾ Signed by');
  hold(3);
}

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
