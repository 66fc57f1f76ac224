import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { librariesIn, notices } from '../../build/libraries.ts';

/** What the program is built from, each with its reason. They are in the bundle: an installation fetches none of them. */
const REASONS: { readonly [name: string]: string } = {
  '@noble/curves': 'who made a signature: 9 ms to load, where whole toolkits take 60 to 230',
  '@noble/hashes': 'the hash of Ethereum: addresses with their checksum, what is signed',
  abitype: 'the called function of an ABI in words: tuples, arrays, names',
  conf: 'settings: schema, atomic writes, private file mode',
  fflate: 'writes ZIP archives',
  socks: 'the handshake of SOCKS proxies, loaded with the first of them',
  got: 'HTTP: streams, retries, a timeout for each phase, proxies',
  ink: 'drawing: incremental rendering, alternate screen, paste, resize',
  'ink-table': 'small fixed tables in the inspector and in results',
  react: 'what Ink is driven by',
  'string-width': 'cells of a cluster, as Ink counts them',
  valibot: 'checks JSON, and its types come from the schemas',
};

const LICENCES = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause'];

const lock: { readonly [path: string]: { readonly version: string; readonly dependencies?: object } } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Name, version and licence of each, from the page that comes with the built program. */
const shipped = [
  ...readFileSync('dist/THIRD-PARTY-LICENSES', 'utf8').matchAll(
    /^(?<name>[@a-z][^ ]*) (?<version>\d[^ ,]*), (?<licence>\S+)$/gm,
  ),
].map(({ groups }) => ({ name: groups?.name ?? '', version: groups?.version ?? '', licence: groups?.licence ?? '' }));

/** The libraries that these bring with them, at any depth, as they are installed. */
function broughtBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) {
    const paths = Object.keys(lock).filter(
      path => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
    );
    for (const path of paths) for (const needed of Object.keys(lock[path]?.dependencies ?? {})) found.add(needed);
  }
  return found;
}

describe('Bundled libraries', () => {
  it('The bundled libraries and their dependencies match this list, with pinned versions', () => {
    const direct = Object.keys(REASONS);
    expect(direct.filter(name => !/^\d+\.\d+\.\d+$/.test(devDependencies[name]))).toEqual([]);
    const brought = broughtBy(direct);
    expect(shipped.filter(({ name }) => !brought.has(name))).toEqual([]);
    expect(direct.filter(name => !shipped.some(library => library.name === name))).toEqual([]);
  });

  it('The bundled libraries have the versions of the lock file', () => {
    const versions = new Set(
      Object.entries(lock).map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`),
    );
    expect(shipped.length).toBeGreaterThan(50);
    expect(shipped.filter(({ name, version }) => !versions.has(`${name} ${version}`))).toEqual([]);
  });

  it('The bundled libraries have licences that allow this use, and include the licence text', () => {
    expect(shipped.filter(({ licence }) => !LICENCES.includes(licence))).toEqual([]);
    const page = readFileSync('dist/THIRD-PARTY-LICENSES', 'utf8');
    const without = shipped.filter(({ name, version }) => {
      const notice =
        page.split(`\n${'-'.repeat(80)}\n${name} ${version}\n`)[1]?.split(`\n${'-'.repeat(80)}\n`)[0] ?? '';
      return !/copyright/i.test(notice) || notice.length < 500;
    });
    expect(without).toEqual([]);
  });
});

describe('Licences page', () => {
  const metafile = (...paths: readonly string[]) => [
    {
      inputs: {},
      outputs: {
        'a.js': {
          bytes: 1,
          imports: [],
          exports: [],
          inputs: Object.fromEntries(paths.map(path => [path, { bytesInOutput: path.endsWith('unused.js') ? 0 : 1 }])),
        },
      },
    },
  ];

  it('The licences page lists each library once, skips unbundled ones, and knows those installed below another', () => {
    const found = librariesIn(
      metafile(
        'src/main.ts',
        'node_modules/react/index.js',
        'node_modules/react/cjs/react.js',
        'yoga-wasm:/some/where/node_modules/yoga-layout/dist/index.js',
        'node_modules/wrap-ansi/node_modules/ansi-styles/index.js',
        'node_modules/got/unused.js',
      ),
    );
    expect(found.map(({ name }) => name)).toEqual(['ansi-styles', 'react', 'yoga-layout']);
    const inner = JSON.parse(readFileSync('node_modules/wrap-ansi/node_modules/ansi-styles/package.json', 'utf8'));
    expect(found[0]?.version).toBe(inner.version);
    expect(notices(found)).toContain(
      'Copyright (c) Meta Platforms, Inc. and affiliates.\n\nPermission is hereby granted',
    );
  });

  it('The licences page is not written if a library has no licence file', () => {
    expect(() => librariesIn(metafile('node_modules/node/index.js'))).toThrow(
      'node is bundled and comes without its licence',
    );
  });
});
