import { NetworkError, RefusedError } from '../../../src/chain/api/errors.ts';
import { NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { open } from '../../../src/explorer/openings.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import { compareSides } from '../../../src/memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../../src/memory/diff/describe-change.ts';
import { IDS } from '../../attention/overview/sound-chain.ts';
import { FULL_RECORDS } from '../../chain/resources/full-records.ts';
import { readList, side } from '../../memory/diff/sides.ts';
import { tabKey } from '../../support/tabs.ts';
import { atRange, atReview, check, end, exporting, LISTED, startExport } from './export-scenes.ts';
import { answerPage, FakeWorld, last, press, startSession, told } from './fake-world.ts';
import { earned, endFetch, fetching, NOTHING_FETCHED, onEarned, onHistory, STORED } from './history-scenes.ts';
import { onFirstPage, onOnlyPage, run, showing, type } from './list-scenes.ts';
import { answered, inPicker, OFFERED, offered } from './node-scenes.ts';
import { onOverview } from './overview-scenes.ts';
import { feesOf } from './paid-fees.ts';
import { hexId, pageOf, provision, provisionPage } from './provision-pages.ts';
import { requestsTold } from './requests-told.ts';
import { openTable, viewing } from './viewer-scenes.ts';
import { answerWhole, gathered, onWholeList } from './whole-scenes.ts';

export interface KeyScene {
  readonly session: Session;
  readonly world: FakeWorld;
}

type Enter = () => Promise<KeyScene>;

const refused = new RefusedError(500, { code: 13, message: 'fault', details: [] }, { url: 'http://n/x', hint: 'wait' });

/** The scene after these keys, once what they asked for at once is there. */
const after =
  (enter: Enter, ...keys: readonly string[]): Enter =>
  async () => {
    const scene = await enter();
    press(scene.session, ...keys);
    await told();
    return scene;
  };

/** The scene after this text was typed. */
const typed =
  (enter: Enter, text: string): Enter =>
  async () => {
    const scene = await enter();
    type(scene.session, text);
    return scene;
  };

const also =
  (enter: Enter, then: (scene: KeyScene) => Promise<void> | void): Enter =>
  async () => {
    const scene = await enter();
    await then(scene);
    return scene;
  };

const failed = (enter: Enter): Enter =>
  also(enter, async ({ world }) => {
    last(world.pages).fail(refused);
    await told();
  });

const FEES = pageOf([{ market: 'aa', asset: 'bb', epochSeq: '4', feesPaidPerParty: [] }]);
const fees: Enter = () => showing(FEES, { tab: 'fees' });

const full = (tab: string): Enter => {
  const records = FULL_RECORDS.filter(([id]) => id === tab).map(([, record]) => record);
  return () => showing(pageOf(records), { tab });
};

const inspected = after(onFirstPage, 'enter');
const explained: Enter = async () => {
  const { session, world } = await showing(pageOf([{ id: 'ab' }]), { tab: 'markets' });
  const copies = [{ what: 'calldata', text: '0x00' }];
  world.explains = async () => ({ parts: [], json: {}, copies });
  press(session, 'enter');
  await told();
  return { session, world };
};
const demanded: Enter = () =>
  also(startSession, async ({ world }) => {
    const inner = 'market or party filters are required';
    const fault = { code: 13, message: '', details: [{ type: '', code: '280001', message: '', inner, rest: {} }] };
    last(world.pages).fail(new RefusedError(500, fault, { url: '', hint: '' }));
    await told();
    await answerPage(world, FEES);
  })();
const statement: Enter = also(after(fees, 'T'), async ({ world }) => {
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 60));
  await told();
});
const everyEpoch: Enter = also(after(statement, 'a'), async ({ world }) => {
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 60));
  await told();
});
const counted: Enter = also(onFirstPage, async ({ session }) => {
  run(session, 'freq reference');
  await session.idle();
});
const [A, B] = ['1', '2'].map(value => side(readList('parameters', [{ key: 'k', value }])));
if (A === undefined || B === undefined) throw new Error('two sides');
const moment = { node: 'http://n', takenMs: 0, blockHeight: '1', blockTimeNs: null, genesisTime: null };
const known = { before: { ...moment, snapshot: 1 }, after: { ...moment, snapshot: null }, isLater: false };
const changes = (a: typeof A, b: typeof A): Enter =>
  also(after(onFirstPage, 'D'), async ({ world }) => {
    last(world.comparisons).answer({
      kind: 'found',
      ...known,
      found: compareSides(a, b),
      shown: createDisplayContext(a, b),
    });
    await told();
  });

const versions: Enter = also(after(inspected, 'v'), async ({ world }) => {
  const [change] = compareSides(A, B).changes;
  if (change === undefined) throw new Error('a change');
  last(world.histories).answer({
    ...{ kind: 'found', snapshots: 2, shown: createDisplayContext(A, B) },
    versions: [{ snapshot: 2, takenMs: 0, change }],
  });
  await told();
});

const requests: Enter = also(after(onFirstPage, 'L'), async ({ world }) => {
  last(world.tells).answer({ version: 1, requests: requestsTold(60) });
  await told();
});
const deadNode: Enter = () => {
  const world = new FakeWorld();
  world.connected = Promise.reject(new NetworkError('no answer', { url: '', hint: 'look at the address' }));
  return startSession({ world });
};
/** A snapshot between two others. */
const snapshot: Enter = () => {
  const world = new FakeWorld();
  const moment = { id: 2, takenMs: 0, flags: ['--demo'], before: 1, after: 3 };
  world.connected = world.connected.then(known => ({ ...known, label: 'snapshot 2', moment }));
  return startSession({ world });
};
const noProfile: Enter = () => {
  const world = new FakeWorld();
  world.connected = world.connected.then(({ presets: _, ...rest }) => rest);
  return startExport({ world });
};
/** The node knows a party of the user's. */
const withMine: Enter = async () => {
  const world = new FakeWorld();
  world.mine = { ...NOTHING_MINE, party: new Set(['ab'.repeat(32)]) };
  const { session } = await startSession({ world, tab: 'fees' });
  await answerPage(world, FEES);
  return { session, world };
};
const statementOfParty: Enter = also(onFirstPage, async ({ session, world }) => {
  session.dispatch(open('statement', { party: 'ab'.repeat(32), market: '', asset: '' }));
  await told();
  last(world.statements).answer(feesOf(last(world.statements).asked.question, 3));
  await told();
});
/** What an id is, with a role that leads somewhere. */
const identified: Enter = also(
  after(typed(after(onFirstPage, ':'), `what ${IDS.market}`), 'enter'),
  async ({ world }) => {
    const lead = { entity: 'market', id: IDS.market } as const;
    const roles = [{ role: 'market', text: 'HELDA/HUSD', where: 'markets', lead }];
    const rest = { formNotes: [], notFound: [], unchecked: [], notServed: [], requests: 8 };
    last(world.values).answer({ value: IDS.market, roles, ...rest });
    await told();
  },
);
const ofSeveralNodes: Enter = also(onFirstPage, async ({ session, world }) => {
  world.offered = OFFERED;
  press(session, 'N');
  await told();
});
const gathering = after(onFirstPage, 'S');
const whole: Enter = () => onWholeList(gathered(120));
const picker: Enter = () =>
  also(inPicker, async ({ world }) => {
    world.probes[0]?.answer(answered('chain-b', '20'));
    await told();
  })();

const ENDS: { readonly [name: string]: ExportResult } = {
  failed: { kind: 'failed', error: refused, partPath: null, elapsedMs: 1 },
  cancelled: { kind: 'cancelled', partPath: '/tmp/x.part', elapsedMs: 1 },
};
/** After each of these keys what it asked for has come. */
const viewed = (options: Parameters<typeof viewing>[0], ...keys: readonly string[]): Enter =>
  also(
    () => viewing(options),
    async ({ session }) => {
      for (const key of keys) {
        press(session, key);
        await told();
        await told();
      }
    },
  );
const never = { gate: () => new Promise<void>(() => {}) };
const heldBack = (kind: string) => ({
  gate: (asked: string) => (asked.startsWith(kind) ? new Promise<void>(() => {}) : Promise.resolve()),
});
const answering = {
  questions: [
    { name: 'fills', title: 'the trades of a party', needsParty: true },
    { name: 'trades', title: 'trades by market', needsParty: false },
  ],
};
/** Rows that lead to lists. */
const TABLE_WITH_IDS = {
  columns: ['party_id', 'asset_id'].map(name => ({
    ...{ name, type: 'VARCHAR', shape: 'id' as const, about: '', unit: '', words: {} },
  })),
  row: () => ['c1'.repeat(32), 'a1'.repeat(32)],
  rows: 2,
};
const unreadableRows = { gate: () => Promise.reject(new Error('part-0.parquet is gone')) };
const unopened: Enter = () =>
  also(
    () => startExport(),
    async ({ session, world }) => {
      world.opens = () => new Promise(() => {});
      openTable(session);
      await told();
    },
  )();
const unreadable: Enter = () =>
  also(
    () => startExport(),
    async ({ session, world }) => {
      world.opens = () => Promise.reject(new Error('there is no such file'));
      openTable(session);
      await told();
    },
  )();
const ended = (result?: ExportResult): Enter => also(exporting, ({ world }) => end(world, result));

const withoutEngine: Enter = () => {
  const world = new FakeWorld();
  world.offerFor = async () => ({ hasEngine: false, questions: [] });
  return also(
    () => exporting(world),
    () => end(world),
  )();
};

/** States that the keys of a person lead to, by what is on the screen: each called makes it anew. */
export const KEY_SCENES: { readonly [name: string]: Enter } = {
  'the overview': () => onOverview(),
  'the overview of a node that does not answer': () => onOverview({ chain: { statistics: refused } }),
  'the overview with another line selected': after(() => onOverview(), 'up'),
  'the overview on a market that is yours': after(() => {
    const world = new FakeWorld();
    world.mine = { ...NOTHING_MINE, market: new Set([IDS.market]) };
    return onOverview({ world });
  }, 'end'),
  'the overview, at its start': after(() => onOverview(), 'home'),
  'the overview of another node': also(
    () => onOverview(),
    async ({ session }) => {
      session.dispatch({ type: 'choose-node', to: offered('beta') });
      await told();
    },
  ),
  'the start': () => startSession(),
  'a page on its way for long': also(startSession, async ({ world }) => {
    for (const { asked, answer } of world.waits) if (asked.ms < 1000) answer();
    await told();
  }),
  'a first page': onFirstPage,
  'the middle of a page': after(onFirstPage, 'ctrl-d', 'ctrl-d', 'l'),
  'a second page': also(after(onFirstPage, 'n'), ({ world }) => answerPage(world, provisionPage(2))),
  'a last page': also(after(onFirstPage, '>'), ({ world }) =>
    answerPage(world, { ...provisionPage(2), hasNextPage: false }),
  ),
  'a whole list on a page': onOnlyPage,
  'a record alone': () => showing(pageOf([provision(1)])),
  'an empty list': () => showing(pageOf([])),
  'no answer to the first question': failed(startSession),
  'no answer over rows': failed(after(onFirstPage, 'n')),
  'no answer over rows, ages ago': failed(after(onFirstPage, 'r')),
  'a wait that was given up': after(startSession, 'esc'),
  'a next page on its way': after(onFirstPage, 'n'),
  'a node that is not there': deadNode,
  'a node that demands a filter': demanded,
  'a demanding node, the bar left': after(demanded, 'esc'),
  'a search': after(typed(after(onFirstPage, '/'), 'reference-1'), 'enter'),
  'a search in vain': after(typed(after(onFirstPage, '/'), 'nowhere'), 'enter'),
  'a sort': after(onFirstPage, 's', 'j', 'j', 'enter'),
  'a filter': also(
    also(onFirstPage, ({ session }) => run(session, `provisions market=${hexId(1)} live=`)),
    ({ world }) => answerPage(world, provisionPage(1)),
  ),
  'nothing for the filters': also(
    also(onFirstPage, ({ session }) => run(session, `provisions market=${hexId(1)}`)),
    ({ world }) => answerPage(world, pageOf([])),
  ),
  'a list with a party that is yours': withMine,
  'times of the clock': after(onFirstPage, 't'),
  'a watch': also(
    after(() => showing(pageOf([provision(1)])), 'w', 'r'),
    ({ world }) => answerPage(world, pageOf([provision(1, { fee: '0.5' })])),
  ),
  'where g led': also(after(onFirstPage, 'g', 'enter'), ({ world }) => answerPage(world, provisionPage(1))),
  'a whole list on its way': gathering,
  'a whole list': whole,
  'a whole list, sorted': also(after(whole, 's', 'j', 'j', 'enter'), ({ session }) => session.idle()),
  'a search in a whole list': also(after(typed(after(whole, '/'), 'reference-1'), 'enter'), ({ session }) =>
    session.idle(),
  ),
  'a whole list that broke off': also(gathering, ({ session, world }) =>
    answerWhole(session, world, gathered(120, 'the node broke off')),
  ),
  'a narrow list': () => showing(provisionPage(1), { columns: 60, rows: 16 }),
  ...Object.fromEntries(RESOURCES.map(({ id, title }) => [`the list ${title}`, full(id)])),
  ...Object.fromEntries(RESOURCES.map(({ id, singular }) => [`a ${singular}`, after(full(id), 'enter')])),
  'a record': inspected,
  'a record, its end': after(inspected, 'G'),
  'a record, folded': after(inspected, '-'),
  'a record, a branch of it': after(inspected, 'j', 'j', 'j'),
  'the last record': after(() => showing(pageOf([provision(1)])), 'enter'),
  'a record raw': after(inspected, 'R'),
  'a record searched': after(typed(after(inspected, '/'), 'reference'), 'enter'),
  'a record searched in vain': after(typed(after(inspected, '/'), 'nowhere'), 'enter'),
  'a record searched, at a second match': after(typed(after(inspected, '/'), 'i'), 'enter', 'n'),
  'the record after': after(inspected, 'J'),
  'a record asked for again in vain': failed(after(inspected, 'r')),
  'a record with calldata': explained,
  'a record wide': after(() => showing(provisionPage(1), { columns: 160, rows: 40 }), 'enter'),
  'a value': after(inspected, 'j', 'enter'),
  'a long value': after(
    typed(
      after(() => showing(pageOf([provision(1, { reference: 'words '.repeat(2000) })])), 'enter', '/'),
      'words',
    ),
    ...['enter', 'G', 'enter', 'pagedown'],
  ),
  'a filter bar': after(onFirstPage, 'f'),
  'a filter bar with a value of the rows': after(onFirstPage, 'f', 'tab', 'down'),
  'a filter bar with text': typed(after(onFirstPage, 'f', 'tab'), 'ab'),
  'a menu of help': after(onFirstPage, '?'),
  'a menu of help in a record': after(inspected, '?', 'j'),
  'a menu to copy': after(onFirstPage, 'y'),
  'a menu to sort': after(onFirstPage, 's', 'j'),
  'a menu of columns': after(onFirstPage, 'c', 'j', 'j'),
  'a menu of columns, on its first': after(onFirstPage, 'c'),
  'a menu to go': after(onFirstPage, 'g'),
  'a menu to count': after(onFirstPage, 'F'),
  'a menu of nodes': picker,
  'a menu of several nodes': after(ofSeveralNodes, 'j'),
  'a menu of several nodes, filtered': after(typed(after(ofSeveralNodes, '/'), 'a'), 'left', 'down'),
  'a menu of presets': after(() => startExport(), 'p'),
  'a menu after an export': after(ended(), 'enter'),
  'a search in a menu': typed(after(onFirstPage, '?', '/'), 'page'),
  'a search in a menu, in vain': typed(after(onFirstPage, '?', '/'), 'zzz'),
  'a menu that was searched in vain': after(typed(after(onFirstPage, '?', '/'), 'zzz'), 'esc'),
  'a command line': after(onFirstPage, ':'),
  'a command line with text': typed(after(onFirstPage, ':'), 're'),
  'a command line with a past': after(
    also(onFirstPage, ({ session }) => run(session, 'reload')),
    'esc',
    ':',
  ),
  'a command line out of the past': after(
    also(onFirstPage, ({ session }) => run(session, 'reload')),
    ...['esc', ':', 'up'],
  ),
  'a command line with a mistake': after(typed(after(onFirstPage, ':'), 'size 9999'), 'enter'),
  'a field to find': after(onFirstPage, '/'),
  'a field to find in a record': after(inspected, '/'),
  'a field to save': after(onFirstPage, 'W'),
  'a field for the size': after(onFirstPage, 'z'),
  'what an id is': also(after(typed(after(onFirstPage, ':'), 'ab'.repeat(32)), 'enter'), async ({ world }) => {
    for (const { fail } of world.values) fail(refused);
    await told();
  }),
  'what an id is, and where it leads': after(identified, 'j'),
  'what an id is, filtered': after(typed(after(identified, '/'), 'mar'), 'left', 'down'),
  'a question before a file goes': also(
    also(onFirstPage, ({ session }) => run(session, 'save x.csv')),
    async ({ world }) => {
      last(world.saves).answer({ kind: 'exists', path: './x.csv' });
      await told();
    },
  ),
  'a question before an export goes': after(exporting, 'x'),
  'a question before the end': after(exporting, 'q', 'q'),
  'a question before a file is exported over': also(after(atRange, 'enter', 'enter'), ({ world }) =>
    check(world, { exists: true }),
  ),
  'a question before another node': also(exporting, ({ session }) => run(session, 'node http://127.0.0.1:9')),
  'a statement on its way': after(fees, 'T'),
  'a statement': statement,
  'a statement of a party': statementOfParty,
  'a statement of every epoch': everyEpoch,
  'no statement': also(after(fees, 'T'), async ({ world }) => {
    last(world.statements).fail(refused);
    await told();
  }),
  'values counted': counted,
  'values counted, their middle': after(counted, 'pagedown', 'j'),
  'rows of a value': after(counted, 'j', 'enter'),
  'values being counted': also(onFirstPage, ({ session }) => run(session, 'freq reference')),
  sums: also(onFirstPage, async ({ session }) => {
    run(session, 'sum commitment');
    await session.idle();
  }),
  'a snapshot': snapshot,
  'changes that are looked for': after(onFirstPage, 'D'),
  'no changes': changes(A, A),
  'a changed record': changes(A, B),
  'a lost record': changes(B, side(readList('parameters', []))),
  'versions that are looked for': after(inspected, 'v'),
  versions,
  'no requests': after(onFirstPage, 'L'),
  requests,
  'a request': after(requests, 'j', 'enter'),
  'the history, segments on their way': () => startSession({ tab: 'history' }),
  'the history': onHistory,
  'the history, further down': after(onHistory, 'j', 'j', 'end'),
  'the history without anything on disk': () => onHistory({ stored: NOTHING_FETCHED }),
  'the history without an engine': () => onHistory({ stored: { ...STORED, hasEngine: false } }),
  'the history, from the overview': after(() => onOverview(), 'home', 'enter'),
  'a menu of what to fetch': after(onHistory, 'f'),
  'a menu of what to ask': after(onHistory, 'a'),
  'a fetch': fetching,
  'a question before a fetch goes': after(fetching, 'x'),
  'a fetch that ended': also(fetching, ({ session, world }) => endFetch(session, world)),
  'a fetch seen from a list': after(fetching, tabKey('provisions')),
  'what a party earned, nothing on disk': () => onEarned({ stored: NOTHING_FETCHED }),
  'what a party earned, on its way': onEarned,
  'what a party earned': earned,
  'what a party earned, on a low screen': after(() => earned({ rows: 12 }), 'j'),
  'a menu of rows of what it earned': after(earned, 'enter'),
  'a field for the range of what it earned': after(earned, 'e'),
  'the export, segments on their way': () => startExport(),
  'the export without a profile': noProfile,
  'the export': after(atRange, 'esc'),
  'a range': atRange,
  'a range without segments': () => atRange(listedBoundaries([])),
  'a range that is looked for': after(typed(after(atRange, 'ctrl-u'), 'e40'), 'enter'),
  'no segments': also(
    () => startExport(),
    async ({ session, world }) => {
      last(world.segments).fail(refused);
      await told();
      press(session, 'enter');
    },
  ),
  'a destination': after(() => atRange(LISTED), 'enter'),
  'a destination looked at': after(() => atRange(LISTED), 'enter', 'enter'),
  'a review': atReview,
  'an export': exporting,
  'an export being cancelled': after(exporting, 'x', 'enter'),
  'a review beside an export': after(exporting, 'esc'),
  'a table on the disk': viewed({}),
  'a table on the disk, its middle': viewed({}, 'pagedown', 'j', 'l'),
  'a table on the disk, narrow': viewed({ screen: { columns: 60, rows: 16 } }, 'pagedown'),
  'a table of one row': viewed({ table: { rows: 1 } }),
  'a table without rows': viewed({ table: { rows: 0 } }),
  'a table beside others': viewed({ table: { tables: ['ledger', 'trades'] } }),
  'a table without numbers': viewed({ table: { columns: [], row: () => [] } }),
  'a table whose rows are on their way': viewed({ table: never }),
  'a table being opened': unopened,
  'a table that cannot be opened': unreadable,
  'a table that cannot be read any more': viewed({ table: unreadableRows }),
  'a table just sorted': viewed({}, 's', 'enter'),
  'a table that answers questions': viewed({ table: answering }),
  'questions to a table': viewed({ table: answering }, 'a', 'j'),
  'a field for whom a table is asked': viewed({ table: answering }, 'a', 'enter'),
  'an answer asked over a table': viewed({ table: answering }, 'a', 'j', 'enter'),
  'a table sorted': viewed({}, 's', 'j', 'j', 'j', 'j', 'enter', 'pagedown'),
  'a table being sorted': viewed({ table: heldBack('arrange') }, 's', 'enter'),
  'a table filtered': viewed({}, '=', 'j', 'enter', 'j'),
  'a table searched': also(typed(viewed({}, '/'), '000'), async ({ session }) => {
    press(session, 'enter');
    await told();
  }),
  'a table being searched': after(typed(viewed({ table: heldBack('find') }, '/'), '000'), 'enter'),
  'a row of a table': viewed({}, 'enter', 'j'),
  'a field to find in a table': viewed({}, '/'),
  'a menu to sort a table': viewed({}, 's', 'j'),
  'a menu to filter a table': viewed({}, '=', 'j'),
  'a menu of tables': viewed({ table: { tables: ['ledger', 'trades'] } }, 'T'),
  'values of a table': viewed({}, 'F', 'j', 'j', 'j', 'j', 'enter', 'pagedown'),
  'values of a table being counted': viewed({ table: heldBack('count') }, 'F', 'enter'),
  'no values of a table': viewed({ table: { rows: 0 } }, 'F', 'enter'),
  'a table with ids': viewed({ table: TABLE_WITH_IDS }),
  'an export that is saved': ended(),
  'an export that is saved, and left': after(ended(), 'esc'),
  'a menu of answers': after(ended(), 'a'),
  'a field for a party': after(ended(), 'a', 'enter'),
  'an export where nothing can look at it': withoutEngine,
  ...Object.fromEntries(Object.entries(ENDS).map(([name, result]) => [`an export that ${name}`, ended(result)])),
};
