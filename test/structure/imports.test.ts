import { describe, expect, it } from 'vitest';
import { folderOf, importsOf, loadedBy, resolved, type SourceFile, sourceFiles } from './source.ts';

/**
 * What each room may import of ours: imports go one way. Whoever may enter a folder may enter the rooms in it; from
 * one room of a folder to another only where it says so.
 */
const ALLOWED: { readonly [room: string]: readonly string[] } = {
  main: ['explorer', 'cli', 'node', 'history', 'chain', 'base'],
  explorer: [
    'explorer/app',
    'explorer/terminal',
    'explorer/core',
    'explorer/services',
    'explorer/tabs.ts',
    'history',
    'chain/range',
    'base/text',
  ],
  'explorer/terminal': [
    'explorer/app',
    'explorer/core',
    'explorer/services',
    'explorer/tabs.ts',
    'chain/resources',
    'chain/directory',
    'base/text',
  ],
  'explorer/app': [
    'explorer/screens',
    'explorer/openings.ts',
    'explorer/tabs.ts',
    'explorer/core',
    'explorer/services',
    'answers',
    'memory/record',
    'history',
    'chain',
    'base',
  ],
  'explorer/screens': [
    'explorer/goal-choices.ts',
    'explorer/openings.ts',
    'explorer/range-prompt.ts',
    'explorer/tabs.ts',
    'explorer/core',
    'explorer/services',
    'answers',
    'memory/diff',
    'attention',
    'history',
    'chain',
    'base/settings',
    'base/text',
  ],
  'explorer/goal-choices.ts': [
    'explorer/openings.ts',
    'explorer/tabs.ts',
    'explorer/core',
    'chain/resources',
    'chain/directory',
  ],
  'explorer/range-prompt.ts': ['explorer/openings.ts', 'explorer/core', 'explorer/services'],
  'explorer/openings.ts': ['explorer/core', 'explorer/services', 'chain/resources', 'base/settings'],
  'explorer/core': ['explorer/services', 'answers', 'history', 'chain', 'base/settings', 'base/text'],
  'explorer/services': ['answers', 'answers/audit', 'answers/report', 'memory', 'history', 'chain', 'base'],
  'explorer/tabs.ts': ['chain/resources'],
  cli: [
    'tables',
    'answers',
    'answers/audit',
    'answers/report',
    'memory',
    'attention',
    'history',
    'chain',
    'base',
    'node',
  ],
  'answers/report': ['tables', 'answers/audit', 'answers', 'history', 'chain', 'base/text'],
  'answers/audit': ['tables', 'history', 'chain'],
  answers: [
    'tables',
    'answers/engine',
    'answers/parquet',
    'answers/dataset',
    'answers/questions',
    'answers/ddl',
    'answers/viewer',
  ],
  'answers/ddl': ['tables', 'answers/engine', 'answers/parquet'],
  'answers/questions': ['tables', 'answers/engine', 'answers/dataset', 'chain', 'base'],
  'answers/dataset': ['tables', 'answers/engine', 'answers/parquet', 'history', 'chain', 'base'],
  'answers/viewer': ['tables', 'answers/dataset', 'answers/engine', 'answers/questions', 'base/text'],
  'answers/parquet': ['tables', 'answers/engine', 'history', 'chain', 'base'],
  'answers/engine': [],
  'memory/record': ['memory/snapshots', 'chain', 'base/text'],
  'memory/diff': ['memory/snapshots', 'chain', 'base'],
  'memory/snapshots': ['base/disk'],
  'attention/overview': ['attention/rules', 'memory/diff', 'chain', 'base/text'],
  'attention/status': ['attention/overview', 'attention/rules', 'chain', 'base/text'],
  'attention/rules': ['chain', 'base/text'],
  'history/store': [
    'history/download',
    'history/verify',
    'history/manifest',
    'history/plan',
    'history/check',
    'chain',
    'base',
  ],
  'history/download': ['history/verify', 'history/manifest', 'history/plan', 'history/check', 'chain', 'base'],
  'history/verify': ['history/manifest', 'history/plan', 'history/check'],
  'history/manifest': ['history/plan', 'history/check', 'chain', 'base'],
  'history/plan': ['history/check', 'tables', 'chain', 'base'],
  'history/check': ['tables'],
  'chain/what': ['chain/range', 'chain/resources', 'chain/insight', 'chain/directory', 'chain/api', 'base/text'],
  'chain/explain': ['chain/resources', 'chain/insight', 'chain/directory', 'chain/api', 'base/text'],
  'chain/range': ['chain/insight', 'chain/directory', 'chain/api', 'base/text'],
  'chain/resources': ['chain/insight', 'chain/directory', 'chain/api', 'base/text'],
  'chain/directory': ['chain/insight', 'chain/api', 'base/text', 'base/disk'],
  'chain/insight': ['base/text'],
  'chain/api': ['base/text'],
  'base/settings': ['base/text', 'base/disk'],
  'base/text': [],
  'base/disk': ['base/text'],
  node: ['tables'],
  tables: [],
};

/** The room a file belongs to: a folder on top, or what is inside it and has a line of its own. */
function roomOf(path: string): string {
  if (path in ALLOWED) return path;
  const [folder = '', inner = '', ...rest] = path.split('/');
  const room = `${folder}/${inner}`;
  return rest.length > 0 && (room in ALLOWED || hasRooms(folder)) ? room : folderOf(path);
}

const hasRooms = (folder: string): boolean => Object.keys(ALLOWED).some(room => room.startsWith(`${folder}/`));

/** The files of the embedded node that others may know. */
const FRONT_DOOR = ['node/index.ts', 'node/thread.ts'];

/** What others may know of the answers, and load only when one is asked or named. */
const LATE_ROOMS = [
  {
    name: 'answers',
    door: 'answers/index.ts',
    isOf: (room: string): boolean => /^answers(?:\/(?!audit$|report$)|$)/.test(room),
  },
  { name: 'audit', door: 'answers/audit/index.ts', isOf: (room: string): boolean => room === 'answers/audit' },
  { name: 'report', door: 'answers/report/index.ts', isOf: (room: string): boolean => room === 'answers/report' },
  {
    name: 'snapshots',
    door: 'memory/snapshots/index.ts',
    isOf: (room: string): boolean => room === 'memory/snapshots',
  },
] as const;

/** Packages that one place has for itself. */
const OWNERS: { readonly [packageName: string]: RegExp } = {
  react: /^explorer\/(?:[\w-]+\.tsx$|terminal\/)/,
  ink: /^explorer\/(?:[\w-]+\.tsx$|terminal\/)/,
  'ink-table': /^explorer\/small-table\.tsx$/,
  got: /^chain\/api\//,
  conf: /^base\/settings\//,
  '@duckdb/node-api': /^answers\/engine\//,
};

function problems(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(file =>
    importsOf(file).flatMap(name => {
      const problem = name.startsWith('.') ? ownProblem(file, resolved(file, name)) : packageProblem(file, name);
      return problem === undefined ? [] : [`${file.path}: ${problem}`];
    }),
  );
}

function ownProblem({ path }: SourceFile, target: string): string | undefined {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to) return undefined;
  const mayEnter = ALLOWED[from]?.some(room => room === to || (to.startsWith(`${room}/`) && hasRooms(room)));
  if (mayEnter !== true) return `${from} must not import ${to} (${target})`;
  const late = LATE_ROOMS.find(({ isOf }) => isOf(to) && !isOf(from));
  if (late !== undefined && target !== late.door) return `${target} is behind the front door of ${late.name}`;
  return to === 'node' && !FRONT_DOOR.includes(target) ? `${target} is behind the front door of the node` : undefined;
}

function packageProblem({ path }: SourceFile, name: string): string | undefined {
  const owner = OWNERS[name.startsWith('@') ? name : (name.split('/')[0] ?? '')];
  return owner === undefined || owner.test(path) ? undefined : `${name} is imported here`;
}

/** Every file that can be loaded from these, in whatever way, or in the ways that are given. */
function reachable(
  files: readonly SourceFile[],
  from: (file: SourceFile) => boolean,
  importsOfFile = importsOf,
): readonly SourceFile[] {
  const byPath = new Map(files.map(file => [file.path, file]));
  const found = new Set(files.filter(from));
  for (const file of found) {
    for (const name of importsOfFile(file)) {
      const target = byPath.get(resolved(file, name));
      if (name.startsWith('.') && target !== undefined) found.add(target);
    }
  }
  return [...found];
}

/** A way through the imports that ends where it began, of files or of the rooms they belong to. */
function circle(files: readonly SourceFile[], nameOf: (path: string) => string): readonly string[] | undefined {
  const edges = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nameOf(file.path);
    const targets = edges.get(from) ?? new Set();
    for (const name of importsOf(file)) if (name.startsWith('.')) targets.add(nameOf(resolved(file, name)));
    edges.set(from, targets);
  }
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return undefined;
    const others = [...(edges.get(name) ?? [])].filter(next => next !== name);
    const found = others.map(next => visit(next, [...way, name])).find(circle => circle !== undefined);
    done.add(name);
    return found;
  };
  return [...edges.keys()].map(name => visit(name, [])).find(found => found !== undefined);
}

const itself = (path: string): string => path;

const files = await sourceFiles();

describe('Imports', () => {
  it('Imports between folders go one way', () => {
    expect(problems(files)).toEqual([]);
  });

  it('Imports never lead from one screen to another, and the explorer core refers to no screen', () => {
    const screenOf = (path: string): string | undefined => /^explorer\/screens\/([\w-]+)\//.exec(path)?.[1];
    const names = new Set(files.flatMap(({ path }) => screenOf(path) ?? []));
    expect(names.size).toBeGreaterThan(0);
    const entering = files.flatMap(file =>
      importsOf(file)
        .map(name => resolved(file, name))
        .filter(target => screenOf(file.path) !== undefined && screenOf(target) !== screenOf(file.path))
        .filter(target => target.startsWith('explorer/screens/'))
        .map(target => `${file.path}: ${target}`),
    );
    expect(entering).toEqual([]);
    const core = files.filter(({ path }) => path.startsWith('explorer/core/'));
    const naming = core.filter(({ text }) => [...names].some(name => text.includes(`'${name}'`)));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  it('The registry imports every screen, and no other file imports one', () => {
    const registry = files.find(({ path }) => path === 'explorer/screens/registry.ts');
    const screens = [...new Set(files.flatMap(({ path }) => /^explorer\/screens\/([\w-]+)\//.exec(path)?.[1] ?? []))];
    const listed = registry === undefined ? [] : importsOf(registry).filter(name => name.startsWith('./'));
    expect(listed.toSorted()).toEqual(screens.map(name => `./${name}/${name}.ts`).toSorted());
    const others = files.filter(
      file =>
        !file.path.startsWith('explorer/screens/') &&
        importsOf(file).some(name => /^explorer\/screens\/[\w-]+\//.test(resolved(file, name))),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('The import rules list every folder', () => {
    expect([...new Set(files.map(({ path }) => roomOf(path)))].toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });

  it('Imports lead to files that exist', () => {
    const paths = new Set(files.map(({ path }) => path));
    const missing = files.flatMap(file =>
      importsOf(file)
        .filter(name => name.startsWith('.') && !paths.has(resolved(file, name)))
        .map(name => `${file.path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('Imports form no cycle of folders', () => {
    expect(circle(files, roomOf)).toBeUndefined();
  });

  it('Imports form no cycle of top-level folders, of which there are at most ten', () => {
    const folders = new Set(files.map(({ path }) => folderOf(path)));
    expect(circle(files, folderOf)).toBeUndefined();
    expect(folders.size - 1).toBeLessThanOrEqual(10);
  });

  it('Imports form no cycle of files', () => {
    expect(circle(files, itself)).toBeUndefined();
  });

  it('Imports never lead from a command to React, not even indirectly', () => {
    const loaded = reachable(files, ({ path }) => folderOf(path) === 'cli');
    expect(loaded.length).toBeGreaterThan(30);
    const drawing = loaded.filter(file => importsOf(file).some(name => /^(?:react|ink)(?:$|[-/])/.test(name)));
    expect(drawing.map(({ path }) => path)).toEqual([]);
    expect(loaded.filter(({ path }) => /^explorer\//.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it('Imports load rarely used modules on first use, not with the explorer or a command', () => {
    const isStart = ({ path }: SourceFile) => /^(?:main|explore)\.ts$|^cli\/[\w-]+\.ts$/.test(path);
    const atStart = reachable(files, isStart, loadedBy);
    expect(atStart.length).toBeGreaterThan(100);
    const loading = atStart.filter(file => loadedBy(file).some(name => /^(?:@noble\/|abitype\b|@duckdb\/)/.test(name)));
    expect(loading.map(({ path }) => path)).toEqual([]);
    expect(atStart.filter(({ path }) => /^answers\//.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it('The pane layout of the list is requested only by the list, not by the frame', () => {
    const isAsking = ({ path, text }: SourceFile) =>
      /^explorer\//.test(path) && !path.startsWith('explorer/screens/browse/') && /\bpanesOf\b/.test(text);
    expect(files.filter(isAsking).map(({ path }) => path)).toEqual([]);
  });

  it('Text is written to the screen only by the line painter and a small table', () => {
    const writers = files.filter(({ text }) => /import\s[^;]*\b(?:Text|Transform)\b[^;]*from 'ink'/.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['explorer/app.tsx', 'explorer/small-table.tsx']);
  });
});

describe('Check of imports', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text });

  it.each([
    ["import { list } from '../cli/list.ts';", 'node must not import cli (cli/list.ts)'],
    ["import type { Line } from '../explorer/line.ts';", 'node must not import explorer (explorer/line.ts)'],
    ["import {\n  a,\n  b,\n} from '../explorer/line.ts';", 'node must not import explorer (explorer/line.ts)'],
    ["export { x } from '../base/disk/store.ts';", 'node must not import base/disk (base/disk/store.ts)'],
    ["const load = () => import('../explorer/line.ts');", 'node must not import explorer (explorer/line.ts)'],
    ["type T = import('../explorer/line.ts').Line;", 'node must not import explorer (explorer/line.ts)'],
    ["import '../main.ts';", 'node must not import main (main.ts)'],
    ["import { Text } from 'ink';", 'ink is imported here'],
    ["import x from 'react/jsx-runtime';", 'react/jsx-runtime is imported here'],
  ])('The check of imports finds %j', (text, problem) => {
    expect(problems([file('node/a.ts', text)])).toEqual([`node/a.ts: ${problem}`]);
  });

  it.each([
    ['explorer/core/a.ts', '../app/b.ts', 'explorer/core must not import explorer/app (explorer/app/b.ts)'],
    ['explorer/core/a.ts', '../b.ts', 'explorer/core must not import explorer (explorer/b.ts)'],
    ['explorer/app/a.ts', '../b.ts', 'explorer/app must not import explorer (explorer/b.ts)'],
    ['explorer/core/a.ts', '../other/b.ts', 'explorer/core must not import explorer/other (explorer/other/b.ts)'],
    ['history/check/a.ts', '../plan/b.ts', 'history/check must not import history/plan (history/plan/b.ts)'],
    ['node/a.ts', '../explorer/core/b.ts', 'node must not import explorer/core (explorer/core/b.ts)'],
  ])('The check of imports keeps %s out of %s', (path, name, problem) => {
    expect(problems([file(path, `import '${name}';`)])).toEqual([`${path}: ${problem}`]);
  });

  it('The check of imports allows a folder with its subfolders', () => {
    const enters = (path: string, name: string) => problems([file(path, `import '${name}';`)]);
    expect(enters('explorer/a.ts', './core/b.ts')).toEqual([]);
    expect(enters('explorer/app/a.ts', '../core/b.ts')).toEqual([]);
    expect(enters('cli/a.ts', '../history/check/b.ts')).toEqual([]);
  });

  it('The check of imports finds files behind the index file of the node', () => {
    const store = file('cli/serve.ts', "import { Store } from '../node/store.ts';\nimport '../node/index.ts';");
    expect(problems([store])).toEqual(['cli/serve.ts: node/store.ts is behind the front door of the node']);
  });

  it('The check of imports distinguishes static imports from dynamic imports and type imports', () => {
    const text = "import { a } from './a.ts';\nimport type { B } from './b.ts';\nexport type { D } from './d.ts';\n";
    const loaded = loadedBy(file('cli/a.ts', `${text}import './e.ts';\nconst c = () => import('./c.ts');`));
    expect(loaded).toEqual(['./a.ts', './e.ts']);
  });

  it('The check of imports does not take a comment for an import', () => {
    const text = "// import x from '../explorer/line.ts';\n/** import('../explorer/line.ts') */\nimport './b.ts';";
    expect(problems([file('node/a.ts', text)])).toEqual([]);
  });

  it('The check of imports finds a cycle and an indirect import', () => {
    const round = [file('cli/a.ts', "import '../node/b.ts';"), file('node/b.ts', "import '../cli/a.ts';")];
    expect(circle(round, roomOf)).toEqual(['cli', 'node', 'cli']);
    expect(circle(round, itself)).toEqual(['cli/a.ts', 'node/b.ts', 'cli/a.ts']);
    const behind = file('explorer/z.ts', "import '../cli/a.ts';");
    expect(circle([behind, ...round], itself)).toEqual(['cli/a.ts', 'node/b.ts', 'cli/a.ts']);
    const detour = [
      file('cli/a.ts', "import('../export/b.ts')"),
      file('export/b.ts', "import '../explorer/c.ts';"),
      file('explorer/c.ts', ''),
    ];
    expect(reachable(detour, ({ path }) => path.startsWith('cli/')).map(({ path }) => path)).toContain('explorer/c.ts');
  });
});
