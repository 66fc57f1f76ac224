import { describe, expect, it } from 'vitest';
import { folderOf, importsOf, loadedBy, resolved, type SourceFile, sourceFiles } from './source.ts';

/**
 * What each room may import of ours: imports go one way. Whoever may enter a folder may enter the rooms in it; from
 * one room of a folder to another only where it says so.
 */
const ALLOWED: { readonly [room: string]: readonly string[] } = {
  main: ['explorer', 'export', 'cli', 'settings', 'node', 'api', 'text', 'resources', 'insight', 'directory', 'disk'],
  explorer: [
    'explorer/app',
    'explorer/terminal',
    'explorer/core',
    'explorer/services',
    'explorer/tabs.ts',
    'export',
    'text',
  ],
  'explorer/terminal': [
    'explorer/app',
    'explorer/core',
    'explorer/services',
    'explorer/tabs.ts',
    'resources',
    'directory',
    'text',
  ],
  'explorer/app': [
    'answers',
    'explorer/screens',
    'explorer/openings.ts',
    'explorer/tabs.ts',
    'explorer/core',
    'explorer/services',
    'record',
    'what',
    'export',
    'explain',
    'resources',
    'insight',
    'directory',
    'settings',
    'disk',
    'text',
    'api',
  ],
  'explorer/screens': [
    'diff',
    'answers',
    'overview',
    'attention',
    'explorer/go-choices.ts',
    'explorer/openings.ts',
    'explorer/tabs.ts',
    'explorer/core',
    'explorer/services',
    'what',
    'export',
    'explain',
    'resources',
    'insight',
    'directory',
    'settings',
    'text',
    'api',
  ],
  'explorer/go-choices.ts': ['explorer/openings.ts', 'explorer/tabs.ts', 'explorer/core', 'resources', 'directory'],
  'explorer/openings.ts': ['explorer/core', 'explorer/services', 'resources', 'settings'],
  'explorer/core': [
    'answers',
    'explorer/services',
    'explain',
    'resources',
    'insight',
    'directory',
    'settings',
    'text',
    'api',
  ],
  'explorer/services': [
    'report',
    'audit',
    'snapshots',
    'record',
    'diff',
    'answers',
    'what',
    'export',
    'explain',
    'resources',
    'insight',
    'directory',
    'settings',
    'disk',
    'text',
    'api',
  ],
  'explorer/tabs.ts': ['resources'],
  cli: [
    'report',
    'audit',
    'snapshots',
    'record',
    'diff',
    'answers',
    'overview',
    'attention',
    'what',
    'export',
    'explain',
    'resources',
    'insight',
    'directory',
    'api',
    'settings',
    'disk',
    'text',
    'node',
  ],
  report: ['audit', 'answers', 'export', 'insight', 'directory', 'text'],
  audit: ['export', 'insight', 'directory'],
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
  'answers/questions': ['tables', 'answers/engine', 'answers/dataset', 'directory', 'insight', 'text', 'disk'],
  'answers/dataset': ['tables', 'answers/engine', 'answers/parquet', 'export', 'directory', 'insight', 'text', 'disk'],
  'answers/viewer': ['answers/dataset', 'answers/engine', 'answers/questions', 'tables', 'text'],
  'answers/parquet': ['tables', 'answers/engine', 'export', 'directory', 'text', 'disk'],
  'answers/engine': [],
  what: ['export', 'resources', 'insight', 'directory', 'text', 'api'],
  record: ['snapshots', 'export', 'resources', 'insight', 'directory', 'text', 'api'],
  diff: ['snapshots', 'export', 'resources', 'insight', 'directory', 'text', 'api', 'disk'],
  snapshots: ['disk'],
  overview: ['attention', 'diff', 'export', 'resources', 'insight', 'directory', 'text', 'api'],
  attention: ['resources', 'insight', 'directory', 'text', 'api'],
  'export/download': ['export/verify', 'export/manifest', 'export/plan', 'export/range', 'export/check', 'api'],
  'export/verify': ['export/manifest', 'export/plan', 'export/check'],
  'export/manifest': ['export/plan', 'export/range', 'export/check', 'disk'],
  'export/plan': ['export/range', 'export/check', 'tables', 'insight', 'text', 'api'],
  'export/range': ['export/check', 'directory', 'insight', 'text', 'api'],
  'export/check': ['tables'],
  explain: ['resources', 'insight', 'directory', 'text', 'api'],
  resources: ['insight', 'directory', 'text', 'api'],
  directory: ['insight', 'text', 'api', 'disk'],
  insight: ['text'],
  api: ['text'],
  text: [],
  settings: ['text', 'disk'],
  disk: ['text'],
  tables: [],
  node: ['tables'],
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
  { name: 'answers', door: 'answers/index.ts', isOf: (room: string): boolean => /^answers(?:\/|$)/.test(room) },
  { name: 'audit', door: 'audit/index.ts', isOf: (room: string): boolean => room === 'audit' },
  { name: 'report', door: 'report/index.ts', isOf: (room: string): boolean => room === 'report' },
  { name: 'snapshots', door: 'snapshots/index.ts', isOf: (room: string): boolean => room === 'snapshots' },
] as const;

/** Packages that one place has for itself. */
const OWNERS: { readonly [packageName: string]: RegExp } = {
  react: /^explorer\/(?:[\w-]+\.tsx$|terminal\/)/,
  ink: /^explorer\/(?:[\w-]+\.tsx$|terminal\/)/,
  'ink-table': /^explorer\/small-table\.tsx$/,
  got: /^api\//,
  conf: /^settings\//,
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

describe('imports', () => {
  it('go one way', () => {
    expect(problems(files)).toEqual([]);
  });

  it('keep one screen out of another, and every screen out of what they are made of', () => {
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

  it('list every screen in the registry, which alone names its file', () => {
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

  it('name every room there is', () => {
    expect([...new Set(files.map(({ path }) => roomOf(path)))].toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });

  it('lead to files that exist', () => {
    const paths = new Set(files.map(({ path }) => path));
    const missing = files.flatMap(file =>
      importsOf(file)
        .filter(name => name.startsWith('.') && !paths.has(resolved(file, name)))
        .map(name => `${file.path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('make no circle of rooms', () => {
    expect(circle(files, roomOf)).toBeUndefined();
  });

  it('make no circle of files', () => {
    expect(circle(files, itself)).toBeUndefined();
  });

  it('never lead a command to React, not even by a detour', () => {
    const loaded = reachable(files, ({ path }) => folderOf(path) === 'cli');
    expect(loaded.length).toBeGreaterThan(30);
    const drawing = loaded.filter(file => importsOf(file).some(name => /^(?:react|ink)(?:$|[-/])/.test(name)));
    expect(drawing.map(({ path }) => path)).toEqual([]);
    expect(loaded.filter(({ path }) => /^explorer\//.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it('load what few records need when the first of them does, not with the explorer nor with a command', () => {
    const isStart = ({ path }: SourceFile) => /^(?:main|explore)\.ts$|^cli\/[\w-]+\.ts$/.test(path);
    const atStart = reachable(files, isStart, loadedBy);
    expect(atStart.length).toBeGreaterThan(100);
    const loading = atStart.filter(file => loadedBy(file).some(name => /^(?:@noble\/|abitype\b|@duckdb\/)/.test(name)));
    expect(loading.map(({ path }) => path)).toEqual([]);
    expect(atStart.filter(({ path }) => /^answers\//.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it('let only the list ask where its parts go: the frame does not know them', () => {
    const isAsking = ({ path, text }: SourceFile) =>
      /^explorer\//.test(path) && !path.startsWith('explorer/screens/browse/') && /\bpanesOf\b/.test(text);
    expect(files.filter(isAsking).map(({ path }) => path)).toEqual([]);
  });

  it('let only the line painter and a small table write text to the screen', () => {
    const writers = files.filter(({ text }) => /import\s[^;]*\b(?:Text|Transform)\b[^;]*from 'ink'/.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['explorer/app.tsx', 'explorer/small-table.tsx']);
  });
});

describe('the check of imports', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text });

  it.each([
    ["import { list } from '../cli/list.ts';", 'resources must not import cli (cli/list.ts)'],
    ["import type { Line } from '../explorer/line.ts';", 'resources must not import explorer (explorer/line.ts)'],
    ["import {\n  a,\n  b,\n} from '../explorer/line.ts';", 'resources must not import explorer (explorer/line.ts)'],
    ["export { x } from '../node/store.ts';", 'resources must not import node (node/store.ts)'],
    ["const load = () => import('../explorer/line.ts');", 'resources must not import explorer (explorer/line.ts)'],
    ["type T = import('../explorer/line.ts').Line;", 'resources must not import explorer (explorer/line.ts)'],
    ["import '../main.ts';", 'resources must not import main (main.ts)'],
    ["import { Text } from 'ink';", 'ink is imported here'],
    ["import x from 'react/jsx-runtime';", 'react/jsx-runtime is imported here'],
  ])('finds %j', (text, problem) => {
    expect(problems([file('resources/a.ts', text)])).toEqual([`resources/a.ts: ${problem}`]);
  });

  it.each([
    ['explorer/core/a.ts', '../app/b.ts', 'explorer/core must not import explorer/app (explorer/app/b.ts)'],
    ['explorer/core/a.ts', '../b.ts', 'explorer/core must not import explorer (explorer/b.ts)'],
    ['explorer/app/a.ts', '../b.ts', 'explorer/app must not import explorer (explorer/b.ts)'],
    ['explorer/core/a.ts', '../other/b.ts', 'explorer/core must not import explorer/other (explorer/other/b.ts)'],
    ['export/check/a.ts', '../plan.ts', 'export/check must not import export (export/plan.ts)'],
    ['export/a.ts', '../explorer/core/b.ts', 'export must not import explorer/core (explorer/core/b.ts)'],
  ])('keeps %s out of %s', (path, name, problem) => {
    expect(problems([file(path, `import '${name}';`)])).toEqual([`${path}: ${problem}`]);
  });

  it('lets a folder be imported with its subfolders', () => {
    const enters = (path: string, name: string) => problems([file(path, `import '${name}';`)]);
    expect(enters('explorer/a.ts', './core/b.ts')).toEqual([]);
    expect(enters('explorer/app/a.ts', '../core/b.ts')).toEqual([]);
    expect(enters('cli/a.ts', '../export/check/b.ts')).toEqual([]);
  });

  it('finds what is behind the front door of the node', () => {
    const store = file('cli/serve.ts', "import { Store } from '../node/store.ts';\nimport '../node/index.ts';");
    expect(problems([store])).toEqual(['cli/serve.ts: node/store.ts is behind the front door of the node']);
  });

  it('knows what is loaded with a file from what it only may load, or takes types from', () => {
    const text = "import { a } from './a.ts';\nimport type { B } from './b.ts';\nexport type { D } from './d.ts';\n";
    const loaded = loadedBy(file('cli/a.ts', `${text}import './e.ts';\nconst c = () => import('./c.ts');`));
    expect(loaded).toEqual(['./a.ts', './e.ts']);
  });

  it('takes no comment for an import', () => {
    const text = "// import x from '../explorer/line.ts';\n/** import('../explorer/line.ts') */\nimport './b.ts';";
    expect(problems([file('resources/a.ts', text)])).toEqual([]);
  });

  it('finds a circle and a detour', () => {
    const round = [file('api/a.ts', "import '../text/b.ts';"), file('text/b.ts', "import '../api/a.ts';")];
    expect(circle(round, roomOf)).toEqual(['api', 'text', 'api']);
    expect(circle(round, itself)).toEqual(['api/a.ts', 'text/b.ts', 'api/a.ts']);
    const behind = file('cli/z.ts', "import '../api/a.ts';");
    expect(circle([behind, ...round], itself)).toEqual(['api/a.ts', 'text/b.ts', 'api/a.ts']);
    const detour = [
      file('cli/a.ts', "import('../export/b.ts')"),
      file('export/b.ts', "import '../explorer/c.ts';"),
      file('explorer/c.ts', ''),
    ];
    expect(reachable(detour, ({ path }) => path.startsWith('cli/')).map(({ path }) => path)).toContain('explorer/c.ts');
  });
});
