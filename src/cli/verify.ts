import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkArchive } from '../export/check/check-archive.ts';
import type { Verdict } from '../export/check/verdict.ts';
import { type FolderVerdict, verifyFolder } from '../export/verify-folder.ts';
import { sanitize } from '../text/safe-text.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { formatOf, writeText } from './output.ts';
import { UsageError } from './usage-error.ts';
import { verdictText } from './verdict-text.ts';

export const verify: Command = {
  form: '<file or folder>',
  about: 'check an export on disk again: a ZIP, or a folder of slices by its manifest',
  flags: [ARCHIVE_ONLY],
  run: async (given, context) => {
    const format = formatOf(given);
    if (format === 'csv') throw new UsageError('verify prints text or JSON: -o table, json or ndjson');
    const path = given.words[0];
    if (path === undefined) throw new UsageError('which file or folder?');
    const found = await stat(path).catch(() => {
      throw new UsageError(`there is no ${path}`);
    });
    const readsRows = !given.has(ARCHIVE_ONLY.name);
    if (found.isDirectory() && !readsRows) throw new UsageError('--archive-only is for a ZIP file, not for a folder');
    const verdict = found.isDirectory()
      ? await verifyFolder(path, context.signal)
      : await checkArchive(path, undefined, { signal: context.signal, readsRows });
    await writeText(
      context.stdout,
      format === 'table'
        ? verdictWords(path, verdict)
        : `${JSON.stringify(verdict, withHeights, format === 'json' ? 2 : undefined)}\n`,
    );
    return verdict.kind === 'complete' ? EXIT.done : EXIT.untrusted;
  },
};

function verdictWords(path: string, verdict: Verdict | FolderVerdict): string {
  if (!('slices' in verdict)) return verdictText(verdict);
  const slices = verdict.slices.map(
    ({ file, verdict: slice }) =>
      `  ${sanitize(join(path, file))}: ${slice.kind}${slice.kind === 'complete' ? '' : `, ${sanitize(slice.reason)}`}\n`,
  );
  return `${verdict.kind}: ${sanitize(verdict.reason)}\n${slices.join('')}`;
}

/** Heights are 64-bit: decimal text in JSON, as nodes do. */
const withHeights = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
