import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkArchive } from '../export/check/check-archive.ts';
import type { Verdict } from '../export/check/verdict.ts';
import { type FolderVerdict, verifyFolder } from '../export/verify-folder.ts';
import { joinSafe, type SafeText, safeJson, safeLine } from '../text/safe-text.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { formatOf } from './output.ts';
import { UsageError } from './usage-error.ts';
import { verdictText } from './verdict-text.ts';

export const verify: Command = {
  form: '<file or folder>',
  about: 'check an export on disk again: a ZIP, or a folder of slices by its manifest',
  flags: [ARCHIVE_ONLY],
  uses: ['output'],
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
    if (format === 'table') await context.stdout.safe(verdictWords(path, verdict));
    else {
      const json = JSON.stringify(verdict, withHeights, format === 'json' ? 2 : undefined);
      await context.stdout.data(`${json}\n`, safeJson);
    }
    return verdict.kind === 'complete' ? EXIT.done : EXIT.untrusted;
  },
};

function verdictWords(path: string, verdict: Verdict | FolderVerdict): SafeText {
  if (!('slices' in verdict)) return verdictText(verdict);
  const slices = verdict.slices.map(
    ({ file, verdict: slice }) =>
      `  ${join(path, file)}: ${slice.kind}${slice.kind === 'complete' ? '' : `, ${slice.reason}`}`,
  );
  const notes = verdict.notes.map(note => `  note: ${note}`);
  return joinSafe([`${verdict.kind}: ${verdict.reason}`, ...notes, ...slices].map(safeLine));
}

/** Heights are 64-bit: decimal text in JSON, as nodes do. */
const withHeights = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
