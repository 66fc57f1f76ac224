import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A library that is in the bundle, so that an installation fetches none. */
export interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Whole text of the files that say so. */
  readonly notice: string;
}

/** Who holds the rights on what comes without its licence: yoga's sources say it in their heads, ink-table's in its README. */
const HOLDERS: { readonly [name: string]: string } = {
  'ink-table': 'Matic Zavadlal',
  'yoga-layout': 'Meta Platforms, Inc. and affiliates.',
};

/** Libraries of which any built file holds anything, by name and version. Throws when one does not say what is allowed. */
export function librariesIn(files: readonly Metafile[]): readonly Library[] {
  const outputs = files.flatMap(file => Object.values(file.outputs));
  const inputs = outputs.flatMap(output => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? packageFolder(path) : []));
  const libraries = [...new Set(folders)].map(libraryAt).toSorted((one, other) => compare(idOf(one), idOf(other)));
  return [...new Map(libraries.map(library => [idOf(library), library])).values()];
}

/** `node_modules/a/node_modules/b` for a file of b that is installed below a. */
function packageFolder(path: string): readonly string[] {
  const folder = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return folder === undefined ? [] : [folder];
}

function libraryAt(folder: string): Library {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter(file => /^(?:licen[cs]e|copying|notice)\b/i.test(file));
  const notice = files.map(file => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, licence: license, notice: notice || mitOf(name, license) };
}

function mitOf(name: string, license: string): string {
  const holder = HOLDERS[name];
  if (license !== 'MIT' || holder === undefined) throw new Error(`${name} is bundled and comes without its licence`);
  return readFileSync('LICENSE', 'utf8')
    .trim()
    .replace(/^Copyright.*$/m, `Copyright (c) ${holder}`);
}

const idOf = ({ name, version }: Library): string => `${name} ${version}`;

const compare = (one: string, other: string): number => (one < other ? -1 : 1);

/** The page that has to come with the bundle. */
export function notices(libraries: readonly Library[]): string {
  const list = libraries.map(library => `${idOf(library)}, ${library.licence}\n`).join('');
  const texts = libraries.map(library => `${'-'.repeat(80)}\n${idOf(library)}\n\n${library.notice}\n`).join('\n');
  return `blockglass.js, answers.js, audit.js, engine.js, node.js, report.js and libraries/ hold parts of these libraries:\n\n${list}\n${texts}`;
}
