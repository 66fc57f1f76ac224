import { describe, expect, it } from 'vitest';
import { codeOf, sourceFiles } from './source.ts';

const CASTS_WITH_A_REASON: { readonly [path: string]: string } = {
  'explorer/core/any-screen.ts': 'the state of a layer and the events to it come from its own screen',
  'base/text/safe-text.ts': 'the one place that makes safe text',
  'chain/api/json.ts': 'what JSON.parse returns is JSON',
  'chain/resources/field.ts': 'what comes from parseJson is JSON; valibot hands it on as unknown',
};

// `import * as x`, `{ a as b }` in imports and exports and `as const` are no casts.
function casts(text: string): readonly string[] {
  const code = codeOf(text).replace(/(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?(?:\{[^}]*\}|\*\s+as\s+\w+)/g, '');
  return [...code.matchAll(/[\w)\]}'"]\s+as\s+(?!const\b)[\w{('"[]\S*/g)].map(([cast]) => cast);
}

const anyTypes = (text: string): readonly string[] =>
  [...codeOf(text).matchAll(/(?:[:<|&,=]\s*any\b(?!\s*[:(])|\bany\[\])/g)].map(([found]) => found);

// A `!` behind a value; `!==` and `!x` are none.
const assertions = (text: string): readonly string[] =>
  [...codeOf(text).matchAll(/[\w)\]]!(?![=\w])/g)].map(([found]) => found);

// A case for whatever else there is takes in silence what is there tomorrow.
const hasDefault = (text: string): boolean => /\bdefault\s*:/.test(codeOf(text));

const STATE_WITH_A_REASON: { readonly [path: string]: string } = {
  'explorer/terminal/output/style-table.ts':
    'numbers of the few styles that the program draws in: the same in every explorer',
};

// What a WeakMap knows of a value goes with the value; a constant that may not be changed is none.
const keepsState = (text: string): boolean =>
  /^(?:export )?(?:let|var) |^(?:export )?const \w+ = (?:new (?:Map|Set)\b|\[\];)|^(?:export )?const \w+: (?!readonly )[^=\n]*\[\] =/m.test(
    codeOf(text),
  );

// A function, a schema, an object of a named kind (a command, a listing) is called by what it is or does; so is state.
const smallConstants = (text: string): readonly string[] =>
  [
    ...codeOf(text).matchAll(
      /^(?:export )?const ([a-z]\w*)(?:: (?:readonly |Readonly|\{)(?:[^=]|=>)*?)? =\s*(?:['\d/{-]|\[[^\]]|new (?:Set|Map)\b[^(]*\([^)])/gm,
    ),
  ].map(([, name = '']) => name);

const exports = (text: string): readonly string[] =>
  [...codeOf(text).matchAll(/^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

const files = await sourceFiles();
const offenders = (find: (text: string) => readonly string[], except: readonly string[] = []) =>
  files.flatMap(({ path, text }) => (except.includes(path) ? [] : find(text).map(found => `${path}: ${found}`)));

describe('Source files', () => {
  it('Source files have casts only where there is a reason', () => {
    expect(offenders(casts, Object.keys(CASTS_WITH_A_REASON))).toEqual([]);
  });

  it('Source files have a cast wherever an exception is made for one', () => {
    const used = files.filter(({ text }) => casts(text).length > 0).map(({ path }) => path);
    expect(used).toEqual(Object.keys(CASTS_WITH_A_REASON).toSorted());
  });

  it('Source files have no any', () => {
    expect(offenders(anyTypes)).toEqual([]);
  });

  it('Source files have no non-null assertion (!)', () => {
    expect(offenders(assertions)).toEqual([]);
  });

  it('Source files write to standard streams only in the sink of commands and in the drawing code', () => {
    const writes = files.filter(({ text }) =>
      /\bconsole\.|\bstd(?:out|err)\.write\(|process\.stderr\b/.test(codeOf(text)),
    );
    expect(writes.map(({ path }) => path)).toEqual([
      'explorer/explorer.tsx',
      'explorer/terminal/claimed-terminal.ts',
      'main.ts',
      'start.ts',
    ]);
  });

  it('Source files leave it to the compiler to find a missing case of a key, an event or a command', () => {
    const guessing = files.filter(
      ({ path, text }) => /^(?:explorer\/(?!terminal)|cli)\//.test(path) && hasDefault(text),
    );
    expect(guessing.map(({ path }) => path)).toEqual([]);
  });

  it('Source files refer to no tab by a fixed digit, because the registry assigns it', () => {
    expect(offenders(text => text.match(/\btabs? \d/g) ?? [])).toEqual([]);
  });

  it('Source files have module constants in capitals: numbers, texts, patterns, lists, tables', () => {
    expect(offenders(smallConstants, Object.keys(STATE_WITH_A_REASON))).toEqual([]);
  });

  it('Explorer files keep no state in a module, and only those that claim and guard the terminal use process', () => {
    const explorer = files.filter(({ path }) => /^explorer\//.test(path));
    expect(explorer.length).toBeGreaterThan(50);
    const keeping = explorer.filter(({ path, text }) => !Object.hasOwn(STATE_WITH_A_REASON, path) && keepsState(text));
    expect(keeping.map(({ path }) => path)).toEqual([]);
    expect(
      explorer.filter(({ text }) => /\bprocess\.|\bglobalThis\b/.test(codeOf(text))).map(({ path }) => path),
    ).toEqual(['explorer/terminal/claimed-terminal.ts', 'explorer/terminal/process-guard.ts']);
  });

  it.each(['the embedded node', 'everything else'])(
    'Source files export no name twice in %s: one name, one meaning',
    side => {
      const there = files.filter(({ path }) => path.startsWith('node/') === (side === 'the embedded node'));
      expect(there.length).toBeGreaterThan(50);
      const names = there.flatMap(({ text }) => exports(text));
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    },
  );

  it('Source files have no TODO or FIXME', () => {
    expect(offenders(text => text.match(/\b(?:TODO|FIXME|XXX)\b/g) ?? [])).toEqual([]);
  });
});

describe('Check of source files', () => {
  it.each(['x as Foo', 'f(x) as string', '(x as unknown as Foo)', 'y as { a: 1 }', "z as 'a' | 'b'"])(
    'The check of source files finds the cast %s',
    code => expect(casts(`const a = ${code};`).length).toBeGreaterThan(0),
  );

  it.each([
    "import * as v from 'valibot';",
    "import { a as b } from './c.ts';",
    "import {\n  type a as b,\n  c,\n} from './c.ts';",
    'const a = [1] as const;',
    "const a = 'kept as it is';",
    '// taken as Foo',
    'const a = `kept as it is`;',
  ])('The check of source files does not take %j for a cast', code => expect(casts(code)).toEqual([]));

  it('The check of source files finds a default case', () => {
    expect(hasDefault("switch (a) {\n  case 'b':\n    return 1;\n  default:\n    return 2;\n}")).toBe(true);
    expect(hasDefault("// default: none\nconst text = 'default: 1';")).toBe(false);
  });

  it.each([
    'let a;',
    'const a = new Map();',
    'const a: string[] = [];',
    'export const a = new Set([1]);',
    'const a = [];',
  ])('The check of source files finds the state in %j', code => expect(keepsState(code)).toBe(true));

  it.each([
    'const a: ReadonlySet<string> = new Set([1]);',
    'const a = new WeakMap<Line, string>();',
    'const a: readonly string[] = [];',
    '  let a = 1;',
  ])('The check of source files finds no state in %j', code => expect(keepsState(code)).toBe(false));

  it.each([
    'const most = 7;',
    "const text = 'a';",
    'const a = /b/;',
    'const a: readonly string[] = [1];',
    'const a = { b: 1 };',
  ])('The check of source files finds the lower-case constant in %j', code =>
    expect(smallConstants(code).length).toBe(1),
  );

  it.each([
    'const MOST = 7;',
    'const f = (a) => 1;',
    'const list: Command = {',
    'const a = v.object({})',
    '  const a = 1;',
  ])('The check of source files finds no lower-case constant in %j', code => expect(smallConstants(code)).toEqual([]));

  it('The check of source files finds exported names', () => {
    const code = 'export const a = 1;\nexport async function b() {}\nconst c = 2;\nexport abstract class D {}';
    expect(exports(code)).toEqual(['a', 'b', 'D']);
  });

  it('The check of source files finds any and !', () => {
    expect(anyTypes('const a: any = 1; let b: any[]; f<any>()').length).toBe(3);
    expect(anyTypes('any(data)')).toEqual([]);
    expect(assertions('a!.b; c[0]!; d()!;').length).toBe(3);
    expect(assertions("a !== b; !c; a != b; 'x!'")).toEqual([]);
  });
});
