import type { Terminal } from '../../support/terminal.ts';
import { goToTab, openExplorer } from './explorer.ts';
import { temporaryFolder } from './folder.ts';
import { startGate } from './gate.ts';
import { Held } from './held.ts';
import type { FlowNode } from './nodes.ts';

export interface ExportChoice {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** Opens the wizard from the History tab, unless its first step is there already. */
export async function openWizard(terminal: Terminal): Promise<void> {
  if (terminal.screen().includes('which table?')) return;
  await goToTab(terminal, 'history');
  await terminal.waitFor('w export');
  await terminal.press('w');
  await terminal.waitFor('which table?');
}

/** Walks through the wizard up to the range, and types both bounds. */
export async function setRange(terminal: Terminal, { table, from, to }: ExportChoice): Promise<void> {
  await openWizard(terminal);
  await terminal.press('home');
  await terminal.waitFor(/^> balances/m);
  while (!new RegExp(`^> ${table} `, 'm').test(terminal.screen())) {
    const before = terminal.screen();
    await terminal.press('down');
    await terminal.waitFor(screen => screen !== before);
  }
  await terminal.press('enter');
  await terminal.waitFor(/> first block {2}\d/);
  await terminal.press('ctrl-u', from, 'tab', 'ctrl-u', to, 'tab');
  await terminal.waitFor(
    screen => screen.includes(`> first block  ${from} `) && screen.includes(`  last block   ${to} `),
  );
}

/** The same up to the review, where Enter starts the export. */
export async function reviewExport(
  terminal: Terminal,
  { destination, ...choice }: ExportChoice & { readonly destination?: string },
): Promise<void> {
  await setRange(terminal, choice);
  await terminal.press('enter');
  await terminal.waitFor('Where to?');
  if (destination !== undefined) {
    await terminal.press('ctrl-u');
    await terminal.paste(destination);
  }
  await terminal.press('enter');
  await terminal.waitFor('Ready to export');
}

/** An export of two segments to a folder of its own, of which 1,000 bytes came before the node fell silent. */
export async function holdExport(node: FlowNode) {
  await using held = new Held();
  const gate = held.use(await startGate(node.url, { holdAfter: 1000 }));
  const folder = held.use(await temporaryFolder());
  const terminal = held.use(await openExplorer({ node: gate.url, cwd: folder.path }));
  await reviewExport(terminal, { table: node.exportTable, from: '1', to: '2000' });
  await terminal.press('enter');
  await terminal.waitFor(/Received +1\.0 kB/);
  const kept = held.move();
  return { gate, folder, terminal, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

/** The ledger of the epochs 20 to 25, from the start screen; resolves with how many keys it took beside the epochs. */
export async function exportLedger(terminal: Terminal): Promise<number> {
  await openWizard(terminal);
  await terminal.press('enter');
  await terminal.waitFor(/> first block {2}\d/);
  await terminal.press('ctrl-u');
  await terminal.paste('e20..e25');
  await terminal.press('enter');
  await terminal.waitFor('epoch 25 ends with block');
  await terminal.press('enter');
  await terminal.waitFor('step 3 of 4');
  await terminal.press('enter');
  await terminal.waitFor('Ready to export');
  await terminal.press('enter');
  await terminal.waitFor('o open the rows  enter what next  a ask');
  return 8;
}
