import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** What `npm pack` would put into the archive; `npm test` has built it. */
function packed(): readonly string[] {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=error'];
  const [archive] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
  return archive.files.map(({ path }: { readonly path: string }) => path).toSorted();
}

describe('npm package', () => {
  it('The package has the program, completions, man page, licences and docs, and nothing else', () => {
    const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.md') || name.startsWith('guides/guests/'))
      .map(name => join('docs', name));
    expect(packed().filter(path => path.startsWith('docs/'))).toEqual(pages.toSorted());
    expect(packed().filter(path => !path.startsWith('docs/'))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES',
      'dist/answers.js',
      'dist/audit.js',
      'dist/blockglass.1',
      'dist/blockglass.js',
      'dist/completions/_blockglass',
      'dist/completions/blockglass.bash',
      'dist/completions/blockglass.fish',
      'dist/engine.js',
      'dist/libraries/conf.js',
      'dist/libraries/got.js',
      'dist/libraries/noble-secp256k1.js',
      'dist/libraries/noble-sha3.js',
      'dist/libraries/socks.js',
      'dist/node.js',
      'dist/package.json',
      'dist/report.js',
      'dist/snapshots.js',
      'dist/start.js',
      'package.json',
    ]);
  });

  it('The package has each lazy chunk once: the report requires the answers and the audit instead of copying them', () => {
    const report = readFileSync('dist/report.js', 'utf8');
    for (const room of ['answers', 'audit']) expect(report).toContain(`require("./${room}.js")`);
    const column = 'day of the block (UTC)';
    const holders = readdirSync('dist').filter(
      file => file.endsWith('.js') && readFileSync(join('dist', file), 'utf8').includes(column),
    );
    expect(holders).toEqual(['answers.js']);
  });

  it('The package has no `using`, which the oldest supported Node cannot parse', () => {
    const built = packed().filter(path => /^dist\/.*\.js$/.test(path));
    expect(built.length).toBeGreaterThan(3);
    expect(built.filter(path => /[;{}]\s*(?:await )?using [\w$]+\s*=/.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('The package is built before it is packed, and lists only files that it contains', () => {
    expect(manifest.scripts.prepack).toBe('npm run build');
    expect([...manifest.man, ...Object.values<string>(manifest.bin)].filter(path => !existsSync(path))).toEqual([]);
  });

  it('The package installs no dependencies and runs nothing during installation', () => {
    const fields = ['dependencies', 'optionalDependencies', 'bundleDependencies'];
    expect(fields.filter(field => field in manifest)).toEqual([]);
    // The engine of questions is installed by who asks them, in whatever version.
    expect(manifest.peerDependencies).toEqual({ '@duckdb/node-api': '*' });
    expect(manifest.peerDependenciesMeta).toEqual({ '@duckdb/node-api': { optional: true } });
    const scripts = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(scripts.filter(name => name in manifest.scripts)).toEqual([]);
  });
});

describe('Packaged completion file', () => {
  it.each([
    ['bash', 'blockglass.bash'],
    ['zsh', '_blockglass'],
    ['fish', 'blockglass.fish'],
  ])('The packaged completion file equals what the program prints for %s', (shell, name) => {
    const printed = execFileSync(process.execPath, ['dist/start.js', 'completion', shell], { encoding: 'utf8' });
    expect(readFileSync(`dist/completions/${name}`, 'utf8')).toBe(printed);
    expect(printed).toContain('completion values');
  });
});
