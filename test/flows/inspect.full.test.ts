import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import { goToTab, hasRows, openExplorer, selectedRow, statusLine, withoutHeader } from './support/explorer.ts';
import { embedded, type FlowNode } from './support/nodes.ts';
import { fetchAll } from './support/wire.ts';

/** Opens a spec that calls a contract, the variant with the most branches, and unfolds its fields below what it means. */
async function openOracleSpec(terminal: Terminal, { hasNames }: FlowNode): Promise<string> {
  await goToTab(terminal, 'oracles');
  await terminal.waitFor(screen => screen.includes(openTab('oracles')) && hasRows(screen));
  await terminal.press('/');
  await terminal.waitFor('find in the loaded rows');
  await terminal.press('latestAnswer', 'enter');
  await terminal.waitFor(/\d+ of \d+ rows.* find "latestAnswer"/);
  await terminal.press('enter');
  await terminal.waitFor(
    screen =>
      screen.includes('▸ Fields as sent') &&
      !screen.includes('Working out') &&
      !(hasNames && screen.includes('no market is loaded')),
  );
  await terminal.press('G', 'right', 'down');
  return terminal.waitFor(screen => screen.includes('▾ Contract call') && SPEC_OPEN.test(screen));
}

// The line under the cursor, which lies in the fields as sent.
const SPEC_OPEN = /^> +▾ Spec/m;
const SPEC_FOLDED = /^> +▸ Spec/m;

/** Lines enough for an explanation and the fields below it. */
const rows = 100;

const branches = (screen: string, mark: string): readonly string[] =>
  screen.split('\n').filter(line => line.includes(mark));

describe.each([embedded])('Inspector on $name', ({ start }) => {
  it('The inspector opens an oracle spec, and folds and unfolds it with space and the arrows', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url, rows });
    const open = await openOracleSpec(terminal, node);
    expect(selectedRow(open)).toBe('▾ Spec');
    expect(open).toMatch(/call latestAnswer\(\) on 0x[0-9a-fA-F]{40}/);
    await terminal.press('space');
    const folded = await terminal.waitFor(SPEC_FOLDED);
    expect(folded).not.toContain('createdAt');
    await terminal.press('space');
    expect(withoutHeader(await terminal.waitFor(SPEC_OPEN))).toEqual(withoutHeader(open));
    await terminal.press('left');
    await terminal.waitFor(SPEC_FOLDED);
    await terminal.press('right');
    await terminal.waitFor(SPEC_OPEN);
    await terminal.press('down', 'down');
    await terminal.waitFor(screen => selectedRow(screen)?.startsWith('id ') === true);
    await terminal.press('left');
    await terminal.waitFor(SPEC_OPEN);
  });

  it('The inspector folds everything with minus, and unfolds everything with plus', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url, columns: 100, rows });
    await openOracleSpec(terminal, node);
    await terminal.press('-');
    const folded = await terminal.waitFor(screen => branches(screen, '▾').length === 0);
    expect(branches(folded, '▸').map(line => line.replace(/^[> ] +▸ /, '').split(' ')[0])).toEqual(
      expect.arrayContaining(['Call', 'Values', 'Fields']),
    );
    await terminal.press('+');
    const unfolded = await terminal.waitFor(screen => branches(screen, '▸').length === 0);
    for (const section of ['Spec', 'Contract call', 'Trigger', 'Normalisers', 'Filters'])
      expect(unfolded).toContain(`▾ ${section}`);
    expect(unfolded).toContain('stateMutability');
    expect(unfolded).toContain('▾ timeTrigger');
  });

  it('The inspector searches inside the record, and Esc undoes the search', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url, rows });
    const open = await openOracleSpec(terminal, node);
    await terminal.press('/');
    await terminal.waitFor('find in the record');
    await terminal.press('stateMut', 'enter');
    const found = await terminal.waitFor(
      screen => screen.includes('/stateMut') && !screen.includes('find in the record'),
    );
    expect(found).toContain('stateMutability');
    expect(found).not.toContain('createdAt');
    await terminal.press('/', 'ctrl-u', 'nothing like it', 'enter');
    await terminal.waitFor('nothing here matches "nothing like it": Esc clears the search');
    await terminal.press('escape');
    const anew = await terminal.waitFor('▾ Spec');
    // What can be done with the line that the cursor is on stands in the footer.
    const withoutCursor = (screen: string) =>
      withoutHeader(screen)
        .slice(0, -1)
        .map(line => line.replace(/^> /, '  '));
    expect(withoutCursor(anew)).toEqual(withoutCursor(open));
  });

  it('The inspector shows the record as the node sent it, and a value whole', async () => {
    await using node = await start();
    const specs = await fetchAll(node.url, 'oracles');
    const { spec } = specs.find(record => JSON.stringify(record).includes('latestAnswer')).externalDataSourceSpec;
    await using terminal = await openExplorer({ node: node.url, rows });
    await openOracleSpec(terminal, node);
    await terminal.press('down', 'down', 'enter');
    const value = await terminal.waitFor(
      screen => screen.includes('externalDataSourceSpec.spec.id') && screen.includes(spec.id),
    );
    expect(statusLine(value)).toMatch(/^─+$/);
    await terminal.press('escape');
    await terminal.waitFor('▾ Spec');
    await terminal.press('R');
    const raw = await terminal.waitFor('"externalDataSourceSpec": {');
    expect(raw).toMatch(/"id": "[0-9a-f]{40}/);
    expect(raw).toContain(spec.createdAt);
    await terminal.press('space');
    await terminal.waitFor('raw JSON does not fold: R goes back to the tree');
    await terminal.press('R');
    await terminal.waitFor('▾ Spec');
    await terminal.press('escape');
    await terminal.waitFor(screen => hasRows(screen) && screen.includes('find "latestAnswer"'));
    await terminal.press('escape');
    await terminal.waitFor(screen => hasRows(screen) && !screen.includes('find "latestAnswer"'));
  });

  it('The inspector opens and folds a bundle, and shows its signatures whole', async () => {
    await using node = await start();
    const bundles = await fetchAll(node.url, 'bundles');
    await using terminal = await openExplorer({ node: node.url, rows });
    await goToTab(terminal, 'bundles');
    await terminal.waitFor(screen => screen.includes(openTab('bundles')) && hasRows(screen));
    await terminal.press('down', 'enter');
    const shows = (address: string) => (screen: string) => screen.toLowerCase().includes(address);
    const isAbout = ({ submitter }: { readonly submitter: string }) =>
      shows(`only ${submitter.slice(0, 6)}..${submitter.slice(-4)}`);
    await terminal.waitFor(isAbout(bundles[1]));
    await terminal.press('end', 'right', 'down');
    await terminal.waitFor(/> +▾ Bundle/);
    // What is above it wraps, in more lines or fewer: its members may lie below the screen.
    await terminal.press('down', 'down');
    await terminal.waitFor(shows(bundles[1].oldSigner));
    await terminal.press('up', 'up', 'space');
    await terminal.waitFor(/> +▸ Bundle/);
    await terminal.press('right', 'end');
    await terminal.waitFor(shows(bundles[1].submitter));
    await terminal.press('enter');
    const whole = await terminal.waitFor(screen => !screen.includes('▾ Bundle'));
    expect(whole.replaceAll(/\s/g, '')).toContain(bundles[1].signatures);
    await terminal.press('q');
    await terminal.waitFor('▾ Bundle');
    await terminal.press('J');
    await terminal.waitFor(isAbout(bundles[2]));
    await terminal.press('K');
    await terminal.waitFor(isAbout(bundles[1]));
  });

  it('The inspector shows both ends of an ID that does not fit', async () => {
    await using node = await start();
    const specs = await fetchAll(node.url, 'oracles');
    const { spec } = specs.find(record => JSON.stringify(record).includes('latestAnswer')).externalDataSourceSpec;
    await using terminal = await openExplorer({ node: node.url, rows });
    const open = await openOracleSpec(terminal, node);
    const line = open.split('\n').find(text => /^ +id /.test(text)) ?? '';
    expect(line.endsWith(spec.id.slice(-6)), line).toBe(true);
  });
});
