import { formatByteCount } from '../../base/text/byte-count.ts';
import { didYouMean } from '../../base/text/nearest-word.ts';
import { joinSafe, type SafeText, safeLine, safeLines } from '../../base/text/safe-text.ts';
import { formatTable } from '../../base/text/text-table.ts';
import { momentText } from '../../base/text/time.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { countBlocksBehind } from '../../memory/diff/side.ts';
import { openSnapshot } from '../../memory/record/open-snapshot.ts';
import type * as store from '../../memory/snapshots/index.ts';
import type { Context } from '../context.ts';
import { isSnapshotError } from '../errors-by-name.ts';
import { EXIT } from '../exit-code.ts';
import type { ParsedFlags } from '../flags.ts';
import { printReport, REPORT_FORMATS, readFormat } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { exportLines } from './export-lines.ts';
import { chainPlace, snapshotFolder } from './snapshot-folder.ts';
import { snapshotJson } from './stored-text.ts';

/** What `blockglass record` does with the snapshots that are stored, by its first word. It contacts no node. */
export const STORED_SNAPSHOT_ACTIONS: {
  readonly [action: string]: (given: ParsedFlags, context: Context) => Promise<number>;
} = {
  list: runOnChosenFiles(listSnapshots),
  check: runOnChosenFiles(checkSnapshots),
  prune: runOnChosenFiles(pruneSnapshots),
  export: runOnChosenFiles(exportSnapshot),
};

interface ChosenFiles {
  readonly door: typeof store;
  readonly folder: string;
  readonly files: readonly store.SnapshotFile[];
}

type SnapshotAction = (chosen: ChosenFiles, given: ParsedFlags, context: Context) => Promise<number>;

function runOnChosenFiles(act: SnapshotAction): (given: ParsedFlags, context: Context) => Promise<number> {
  return async (given, context) => {
    const folder = snapshotFolder(context.env);
    const door = await import('../../memory/snapshots/index.ts');
    return act({ door, folder, files: chooseFiles(door.listSnapshotFiles(folder), given, folder) }, given, context);
  };
}

/** The files of the chain that is named; of all without one. */
function chooseFiles(
  all: readonly store.SnapshotFile[],
  given: ParsedFlags,
  folder: string,
): readonly store.SnapshotFile[] {
  const chain = given.text('chain');
  if (chain === undefined) return all;
  const files = all.filter(({ chainId }) => chainId === chain);
  if (files.length > 0) return files;
  const known = all.flatMap(({ chainId }) => chainId ?? []);
  throw new UsageError(
    `no snapshots of the chain "${chain}" in ${folder}${didYouMean(chain, known)}. See blockglass record list.`,
  );
}

async function listSnapshots({ door, folder, files }: ChosenFiles, given: ParsedFlags, { stdout, stderr }: Context) {
  const format = readFormat(given, REPORT_FORMATS);
  const last = given.number('last') ?? (format === 'json' ? Number.POSITIVE_INFINITY : USUAL_LAST);
  const listed = files.map(file => listSnapshotsInFile(door, file));
  if (format === 'json')
    await printReport(
      listed.map(({ file, all }) => ({
        chainId: file.chainId,
        file: file.path,
        bytes: file.bytes,
        problem: file.problem,
        snapshots: newest(all, last).map(snapshotJson),
      })),
      stdout,
    );
  else for (const one of listed) await stdout.safe(chainText(one, last));
  if (files.length === 0)
    await stderr.safe(safeLine(`no snapshots in ${folder}. Store one with blockglass record --once`));
  return listed.some(({ file }) => file.problem !== null) ? EXIT.untrusted : EXIT.done;
}

const USUAL_LAST = 20;

const newest = <T>(all: readonly T[], count: number): readonly T[] => all.slice(Math.max(0, all.length - count));

interface ListedFile {
  readonly file: store.SnapshotFile;
  readonly all: readonly store.SnapshotInfo[];
}

/** The snapshots of a file; none and the reason if it cannot be read, so that others are listed. */
function listSnapshotsInFile(door: typeof store, file: store.SnapshotFile): ListedFile {
  if (file.chainId === null) return { file, all: [] };
  try {
    const opened = door.openSnapshots(file.path);
    try {
      return { file, all: opened.all() };
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!isSnapshotError(error)) throw error;
    return { file: { ...file, chainId: null, problem: error.message }, all: [] };
  }
}

function chainText({ file, all }: ListedFile, last: number): SafeText {
  if (file.problem !== null) return safeLine(file.problem);
  const shown = newest(all, last);
  const earlier = all.length - shown.length;
  return joinSafe([
    safeLine(`${file.chainId}: ${countOf(all.length, 'snapshot')}, ${formatByteCount(file.bytes)}, ${file.path}`),
    ...(earlier === 0 ? [] : [safeLine(`${countOf(earlier, 'earlier snapshot')} not shown: --last ${all.length}`)]),
    formatTable(
      ['ID', 'TAKEN (UTC)', 'BLOCK', 'RECORDS', 'CHANGED', 'LISTS', 'UNREAD'],
      shown.map((info, index) => {
        const { id, takenMs, blockHeight, records, listsRead, listsUnread } = info;
        const before = shown[index - 1];
        const changed = before !== undefined && countBlocksBehind(before, info) !== undefined ? 'behind' : info.changed;
        const time = momentText(takenMs).replace(' UTC', '');
        return [id, time, blockHeight ?? '-', records, changed, listsRead, listsUnread].map(String);
      }),
      ['right', 'left', 'right', 'right', 'right', 'right', 'right'],
    ),
  ]);
}

async function checkSnapshots(
  { door, files }: ChosenFiles,
  given: ParsedFlags,
  { stdout, stderr }: Context,
): Promise<number> {
  const format = readFormat(given, REPORT_FORMATS);
  const checked = files.map(file => ({ file, ...checkedFile(door, file) }));
  if (format === 'json')
    await printReport(
      checked.map(({ file, count, problems }) => ({
        chainId: file.chainId,
        file: file.path,
        snapshots: count,
        problems,
      })),
      stdout,
    );
  else
    for (const { file, count, problems } of checked) {
      const verdict = problems.length === 0 ? 'ok' : countOf(problems.length, 'problem');
      await stdout.safe(safeLine(`${file.chainId ?? file.path}: ${countOf(count, 'snapshot')}, ${verdict}`));
      for (const problem of problems) await stdout.safe(safeLine(`  ${problem}`));
    }
  if (files.length === 0) await stderr.safe(safeLine('no snapshots. Store one with blockglass record --once'));
  return checked.some(({ problems }) => problems.length > 0) ? EXIT.untrusted : EXIT.done;
}

function checkedFile(door: typeof store, { path, problem }: store.SnapshotFile) {
  if (problem !== null) return { count: 0, problems: [problem] };
  try {
    const opened = door.openSnapshots(path);
    try {
      return { count: opened.all().length, problems: opened.problems() };
    } finally {
      opened.close();
    }
  } catch (error) {
    return { count: 0, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

async function pruneSnapshots(
  { door, folder, files }: ChosenFiles,
  given: ParsedFlags,
  { stdout, nowMs }: Context,
): Promise<number> {
  const keepMs = given.duration('keep');
  if (keepMs === undefined) throw new UsageError('missing --keep TIME, such as --keep 90d');
  for (const { chainId, path, problem } of files) {
    if (chainId === null) {
      await stdout.safe(safeLine(problem));
      continue;
    }
    const recorder = door.openRecorder({ folder, chainId, nowMs });
    try {
      const removed = recorder.prune(keepMs);
      const left = countOf(recorder.all().length, 'snapshot');
      await stdout.safe(
        safeLine(
          `${chainId}: ${countOf(removed, 'snapshot')} removed, ${left} left, ${formatByteCount(door.storedBytes(path))}`,
        ),
      );
    } finally {
      recorder.close();
    }
  }
  return files.some(({ problem }) => problem !== null) ? EXIT.untrusted : EXIT.done;
}

async function exportSnapshot(_: ChosenFiles, given: ParsedFlags, context: Context): Promise<number> {
  const { stdout, stderr } = context;
  const { info, snapshots: opened } = await openSnapshot(chainPlace(given, context), given.words[1]);
  try {
    let damaged = 0;
    for (const { text, isDamaged } of exportLines(opened, info)) {
      await stdout.data(text, safeLines);
      if (isDamaged) damaged++;
    }
    if (damaged === 0) return EXIT.done;
    await stderr.safe(
      safeLine(`${countOf(damaged, 'list')} of this snapshot cannot be read as a whole: ${opened.path} is damaged`),
    );
    return EXIT.untrusted;
  } finally {
    opened.close();
  }
}
