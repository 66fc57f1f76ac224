import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

/** Exports that only tests import, with the reason why a test has them. A type is free: it is named to build an input. */
const ALLOWED: { readonly [reason: string]: readonly string[] } = {
  'a rule, a parser or arithmetic that is proven better by itself': [
    'answers/viewer/answer-table.ts toViewerColumns',
    'answers/viewer/viewer-tables.ts threadsFor',
    'chain/directory/chain-watch.ts ChainWatch',
    'chain/explain/oracle/known-spec.ts fetchArrivals',
    'chain/explain/provision/known-provision.ts fetchMarketProvisions',
    'chain/explain/provision/known-provision.ts fetchProvisionVersions',
    'chain/insight/provision.ts supersedes',
    'chain/insight/signer-bundle/sufficiency.ts isEnough',
    'chain/insight/signer-bundle/sufficiency.ts maxSigners',
    'chain/resources/liquidity-provisions.ts normalizeProvision',
    'chain/resources/page-overlap.ts pageFingerprint',
    'cli/context.ts openRequestLog',
    'cli/context.ts requestLine',
    'cli/find-record.ts RowNameSearch',
    'cli/query/work-bounds.ts stopwatch',
    'cli/transfer-progress.ts progressLine',
    'explorer/app/keymap.ts layerBindings',
    'explorer/app/open-screens.ts coveringScreen',
    'explorer/app/open-screens.ts layerArea',
    'explorer/screens/browse/record/inspector.ts recordTreeNodes',
    'explorer/screens/confirm/confirm.ts questionText',
    'explorer/screens/statement/lines.ts fitSentence',
    'explorer/screens/viewer/cells.ts fitNumberText',
    'explorer/terminal/output/cell-screen.ts touchesScreen',
    'history/check/check-archive.ts decideVerdict',
    'history/check/csv-scan.ts HighByteSkipper',
    'history/check/entry-check.ts BlockHeights',
    'history/check/entry-reading.ts readDescriptor',
    'history/download/rate.ts RateMeter',
    'history/download/slice-run.ts combineProgress',
    'history/download/slice-run.ts retryPause',
    'history/plan/export-plan.ts csvName',
    'history/plan/export-plan.ts safeFileName',
    'node/demo/history/bookkeeping.ts Bookkeeping',
    'node/history/export-plan.ts segmentsOfRange',
  ],
  'a list or table whose members a test goes through': [
    'answers/ddl/statements.ts DIALECTS',
    'chain/insight/kind.ts KIND_FORMATS',
    'cli/flags.ts FLAG_GROUPS',
    'cli/leading-flags.ts LEADING_SWITCHES',
    'explorer/app/commands/command.ts PROMPT_COMMANDS',
    'explorer/app/commands/command.ts VERBS',
    'explorer/terminal/theme.ts PALETTES',
    'explorer/terminal/theme.ts THEMES',
    'node/demo/network-parameters.ts demoParameters',
    'node/history/export-plan.ts HISTORY_TABLES',
  ],
  'part of a world, a node or an input of tests': [
    'base/settings/mine-file.ts NO_MINE_IDS',
    'explorer/services/chain-history/chain-history.ts NOTHING_STORED',
    'explorer/services/real-world.ts arrangeInSlices',
    'node/app.ts messageTooLarge',
    'node/demo/history/tables.ts joinIntoParts',
    'node/demo/history/tables.ts segmentLines',
    'node/history/export-plan.ts newOutsideHistoryFailure',
    'node/history/export-plan.ts splitAtGaps',
    'node/resources/network-history.ts streamReply',
  ],
};

const EXPORT = /^export (?:async )?(?:abstract )?(?:const|function\*?|class) (\w+)/gm;
const NAMED_IMPORT = /(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g;
const WHOLE_IMPORT = /(?:\bimport\(\s*|\* (?:as \w+ )?from )'(\.[^']+)'/g;

/** What the file imports: `path name`, and `path *` where it takes all of a file. */
function importedBy(path: string, text: string): readonly string[] {
  const target = (name: string): string => posix.join(posix.dirname(path), name);
  return [
    ...[...text.matchAll(NAMED_IMPORT)].flatMap(([, names = '', from = '']) =>
      names.split(',').map(
        name =>
          `${target(from)} ${name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, '')}`,
      ),
    ),
    ...[...text.matchAll(WHOLE_IMPORT)].map(([, from = '']) => `${target(from)} *`),
  ];
}

async function filesOf(folder: string) {
  const names = await readdir(folder, { recursive: true });
  const paths = names
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => /\.(?:tsx?|mjs)$/.test(path));
  return Promise.all(paths.map(async path => ({ path, text: await readFile(path, 'utf8') })));
}

it('Each export of the source has a user in the program, or a reason why only a test has it', async () => {
  const source = await filesOf('src');
  const program = [...source, ...(await filesOf('build')), ...(await filesOf('bench'))];
  const used = new Set(program.flatMap(({ path, text }) => importedBy(path, text)));
  const unused = source.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
      used.has(`${path} ${name}`) || used.has(`${path} *`) ? [] : [`${path.slice('src/'.length)} ${name}`],
    ),
  );
  expect(unused.toSorted()).toEqual(Object.values(ALLOWED).flat().toSorted());
});
