import type { Terminal } from '../../support/terminal.ts';

export interface ExportChoice {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** Walks through the wizard up to the range, and types both bounds. */
export async function setRange(terminal: Terminal, { table, from, to }: ExportChoice): Promise<void> {
  await terminal.press('6');
  await terminal.waitFor('which table?');
  await terminal.press('g');
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
