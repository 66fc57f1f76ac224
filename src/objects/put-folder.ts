import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { keyBelow, type ObjectPlace } from './place.ts';
import { putObject, type Source, type StoredObject, type Way } from './put-object.ts';

export interface FolderChoice {
  /** Names that tell of the others, and so go up when all of these are there. */
  readonly last: readonly string[];
  /** SHA-256 of files that were verified, by their paths in the folder, written with slashes. */
  readonly verified?: ReadonlyMap<string, string>;
  /** Paths of files that tell of what was there before as well, and so take the place of those there. */
  readonly replaced?: readonly string[];
  readonly onFile?: (done: number, total: number) => void;
}

/** Objects on their way at once: most files are small, and each is asked for three times. */
const AT_ONCE = 4;

/** Puts all finished files of a folder below a place, each as putObject does, those that tell of the others last. */
export async function putFolder(
  folder: string,
  place: ObjectPlace,
  choice: FolderChoice,
  way: Way,
): Promise<readonly StoredObject[]> {
  const paths = await finishedFiles(folder);
  const isLast = (path: string): boolean => choice.last.includes(path);
  const first = paths.filter(path => !isLast(path));
  const then = choice.last.filter(path => paths.includes(path));
  const done: StoredObject[] = [];
  const put = async (path: string): Promise<void> => {
    const isReplaced = choice.replaced?.includes(path) === true;
    const source = sourceOf(folder, path, place, choice);
    done.push(await putObject(source, isReplaced ? { ...way, store: way.replacing } : way));
    choice.onFile?.(done.length, paths.length);
  };
  await inTurns(first, put);
  for (const path of then) await put(path);
  return done;
}

function sourceOf(folder: string, path: string, place: ObjectPlace, { verified }: FolderChoice): Source {
  const sha256 = verified?.get(path);
  const source = { path: join(folder, ...path.split('/')), key: keyBelow(place, path) };
  return sha256 === undefined ? source : { ...source, sha256 };
}

/** The first failure stops all: whoever is at work ends what it has begun. */
async function inTurns(paths: readonly string[], put: (path: string) => Promise<void>): Promise<void> {
  const queue = [...paths];
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined && !hasFailed; path = queue.shift()) {
      await put(path).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}

/** What is half done, or is a lock, is nobody's to read; nor is what is hidden. */
const NOT_FINISHED = /\.(?:part|new|changed|lock)$|^blockglass\.lock/;

async function finishedFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && !NOT_FINISHED.test(entry.name))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !/(?:^|\/)\./.test(path))
    .toSorted();
}
