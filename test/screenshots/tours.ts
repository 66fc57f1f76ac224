import { RESOURCES } from '../../src/chain/resources/registry.ts';
import type { Resource } from '../../src/chain/resources/resource.ts';
import { hasRows } from '../flows/support/explorer.ts';
import { openTab } from '../support/tabs.ts';
import type { Opening, Stage } from './stage.ts';

/** Keeps the screen as it is now under a name, with a sentence that says what is seen. */
export type Shoot = (name: string, about: string) => void;

/** A walk through the program that is stopped at for pictures. */
export interface Tour {
  readonly opening: Opening;
  readonly walk: (stage: Stage, shoot: Shoot) => Promise<void>;
}

const overview: Tour = {
  opening: {},
  walk: async (stage, shoot) => {
    await openOverview(stage);
    shoot('overview', 'The overview: what this chain and this node are, and what needs attention');
  },
};

/** Every list, as it opens. */
const lists: readonly Tour[] = RESOURCES.map(resource => ({
  opening: { words: [resource.id] },
  walk: async (stage, shoot) => {
    await openRows(stage, resource);
    shoot(resource.id, `The list of ${resource.title.toLowerCase()}`);
  },
}));

const screens: readonly Tour[] = [
  {
    opening: { words: ['oracles'] },
    walk: async (stage, shoot) => {
      await stage.still(isListed);
      await stage.terminal.press('down', 'enter');
      await stage.still('last value');
      shoot('oracle', 'An oracle spec in the inspector: what it watches, where, and when it fires');
    },
  },
  {
    opening: { words: ['bundles'] },
    walk: async (stage, shoot) => {
      await stage.still(isListed);
      await stage.terminal.press('down', 'enter');
      await stage.still('▾ Signed by');
      shoot('bundle', 'A signer bundle in the inspector: whom it removes, who signed it, and what to send');
    },
  },
  {
    opening: { words: ['fees'] },
    walk: async (stage, shoot) => {
      await stage.still(isListed);
      await stage.terminal.press('f');
      await stage.still('down offers');
      await stage.terminal.press('down');
      await stage.still(/^> market +[0-9a-f]{64}/m);
      shoot('filters', 'The filter bar: a field for each filter of the list, with values that were seen');
    },
  },
  {
    opening: { words: ['parameters'] },
    walk: async (stage, shoot) => {
      await stage.still(isListed);
      await stage.terminal.press('?');
      await stage.still('Keys: type / to filter');
      shoot('help', 'The keys: a list that can be filtered and run');
    },
  },
  {
    opening: { words: ['fees'] },
    walk: async (stage, shoot) => {
      await stage.still(isListed);
      await stage.terminal.press('T');
      await stage.still(/^ ?total /m);
      shoot('statement', 'A statement: the fees allocated on a market, by epoch');
    },
  },
  {
    opening: { words: ['explore', 'overview'], isLight: true },
    walk: async (stage, shoot) => {
      await openOverview(stage);
      shoot('light', 'The light theme, which the explorer takes on a light background');
    },
  },
  {
    opening: { address: 'http://127.0.0.1:9' },
    walk: async (stage, shoot) => {
      await stage.still('r tries again');
      shoot('unreachable', 'A node that cannot be reached: what happened, where, and what to try');
    },
  },
];

// The first bytes, and all up to the midst of the first CSV: each is counted before the clock is put forward, so that what
// is seen does not depend on how the network cuts an export into pieces.
const HOLDS = [16, 100_000] as const;

/** A CSV is being checked, and the chart has the last bytes. */
const IS_UNDER_WAY = /now ledger 12001-14500[\s\S]*Received +100\.0 kB in 2 s.*\n.*kB\/s/;

const history: Tour = {
  opening: { words: ['history'] },
  walk: async (stage, shoot) => {
    await stage.still(screen => screen.includes('w export') && isAnswered(screen));
    shoot('history', 'The history of the chain: what is on disk, and what can be fetched');
  },
};

const exports: readonly Tour[] = [
  {
    opening: { words: ['history'], holds: HOLDS },
    walk: async (stage, shoot) => {
      await walkToReview(stage, shoot);
      await stage.terminal.press('enter');
      await stage.arrived(HOLDS[0]);
      await stage.pass(1);
      await stage.still(/Received +16 B in 1 s/);
      stage.release();
      await stage.arrived(HOLDS[1]);
      await stage.pass(1);
      await stage.still(IS_UNDER_WAY);
      shoot('export-5-progress', 'An export on its way: what was received, and checked while it arrives');
      stage.release();
      // What can be done with it is found out behind the result.
      await stage.still(/The export is complete[\s\S]*o open the rows/);
      shoot('export-6-result', 'An export that is complete, with what was checked');
    },
  },
  {
    opening: { words: ['history'], faults: ['error-after-archive'], holds: HOLDS.slice(0, 1) },
    walk: async (stage, shoot) => {
      await walkToReview(stage, () => {});
      await stage.terminal.press('enter');
      await stage.arrived(HOLDS[0]);
      await stage.pass(4);
      await stage.still(/Received +16 B, no data for 4 s/);
      stage.release();
      await stage.still('The export is incomplete');
      shoot('export-incomplete', 'An export that is not complete: what is wrong with it, in the words of the node');
    },
  },
];

/** The tables of an audit beside the ledger, which the tour exports itself. */
const AUDITED = ['balances', 'deposits', 'withdrawals', 'blocks', 'rewards', 'trades'];

const audit: Tour = {
  opening: {
    words: ['history'],
    before: AUDITED.map(table => ['export', '--table', table, '--from', '12001', '--to', '16500', '--no-witnesses']),
  },
  walk: async (stage, shoot) => {
    await walkToReview(stage, () => {});
    await stage.terminal.press('enter');
    await stage.still(/The export is complete[\s\S]*o open the rows/);
    await stage.terminal.press('A');
    await stage.still(/adds-up/);
    shoot('audit', 'An audit: exported tables compared with each other');
  },
};

export const TOURS: readonly Tour[] = [overview, ...lists, ...screens, history, ...exports, audit];

const CHAIN = 'demo-chain-1';

/** Rows, and in the header all that the node was asked for beside them. */
export const isListed = (screen: string): boolean => hasRows(screen) && isAnswered(screen);

/** The overview with all its answers: the last ones wait until the rate limit of the node allows them. */
export async function openOverview(stage: Stage): Promise<void> {
  // The clock stands: a second more or less would be another picture.
  await stage.still(isOverview);
}

/** Every line of the overview has its answer. */
export const isOverview = (screen: string): boolean =>
  screen.includes(openTab('overview')) &&
  isAnswered(screen) &&
  /Needs attention .*\d/.test(screen) &&
  !/asking|not answered yet|wait for answers/.test(screen);

/** The header knows the node, and amounts have the units of their assets. */
const isAnswered = (screen: string): boolean =>
  / (?:in sync|answered|behind|ahead|stale|offline)\b/.test(screen) &&
  screen.includes(CHAIN) &&
  !screen.includes('smallest');

/** What a list that demands a filter says. */
const CHOICE = 'Choose one.';

/** Waits for the rows of a list; where it demands a filter, the first value that it offers is taken. */
export async function openRows({ terminal, still }: Stage, { id }: Resource): Promise<void> {
  const isOpen = (screen: string): boolean => screen.includes(openTab(id)) && isAnswered(screen);
  // Next to the list, where there is room, the meaning of the first record comes last.
  const isExplained = (screen: string): boolean => !screen.includes('│') || (EXPLAINED[id]?.test(screen) ?? true);
  // Names come behind the rows, and with them where the ids of the first row lead.
  const isNamed = (screen: string): boolean => id === 'parameters' || / g [a-z]/.test(screen);
  const opened = await still(
    screen =>
      isOpen(screen) && ((hasRows(screen) && isNamed(screen) && isExplained(screen)) || screen.includes(CHOICE)),
  );
  if (!opened.includes(CHOICE)) return;
  await still(/^> .* ACTIVE /m);
  await terminal.press('enter');
  await still(
    screen => isOpen(screen) && hasRows(screen) && isNamed(screen) && isExplained(screen) && screen.includes(' 1-'),
  );
}

/** What only the explanation of the first record has. */
const EXPLAINED: { readonly [resource: string]: RegExp } = {
  parameters: /Fields of the value/,
  provisions: /How fees are shared/,
  fees: /Allocated to/,
  bundles: /Signed by/,
  oracles: /fires +when/,
  markets: /How fees are shared/,
  validators: /Why the multisig score is 0/,
};

async function walkToReview({ terminal, still }: Stage, shoot: Shoot): Promise<void> {
  await still(screen => screen.includes('w export') && isAnswered(screen));
  await terminal.press('w');
  await still('which table?');
  shoot('export-1-table', 'Export, step 1: the table');
  await terminal.press('enter');
  await still(/> first block {2}\d/);
  await terminal.press('ctrl-u', '12001', 'tab', 'ctrl-u', '16500');
  await still('4 500 blocks in 5 segments');
  shoot('export-2-range', 'Export, step 2: the blocks, on the boundaries of segments');
  await terminal.press('enter');
  await still('Where to?');
  shoot('export-3-destination', 'Export, step 3: the folder or file');
  await terminal.press('enter');
  await still('Ready to export');
  shoot('export-4-review', 'Export, step 4: what will be done, and the same as a command');
}
