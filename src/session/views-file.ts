import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../directory/make-folder.ts';
import { isObject, listOfAll, membersOf, recordOf, someText, truth, whole } from '../settings/decode.ts';
import type { KeptList, KeptView } from '../settings/kept-view.ts';

/** How the lists of a node were left, and what is wrong with the file that says it. */
export interface ReadView {
  readonly view: KeptView;
  readonly problem?: string;
}

/** What was kept under a node's name. A file that is broken costs a sentence, and a member that is wrong itself alone. */
export function readView(folder: string, name: string): ReadView {
  try {
    const views = readViews(folder);
    return { view: Object.hasOwn(views, name) ? decoded(views[name]) : {} };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { view: {}, problem: `${join(folder, NAME)} is not used: ${reason}` };
  }
}

/** Keeps a view beside those of other nodes, as they are now. Throws when it cannot be. */
export async function keepView(folder: string, name: string, view: KeptView): Promise<void> {
  makeFolder(folder);
  const lock = await locked(folder);
  try {
    const { [name]: _, ...others } = viewsOrNone(folder);
    // The last one is the newest: what is not opened any more goes first.
    const kept = Object.entries({ ...others, [name]: view }).slice(-MOST_VIEWS);
    await write(folder, kept);
  } finally {
    await rm(lock, { force: true });
  }
}

const NAME = 'views.json';
const FORMAT = 1;
const MOST_BYTES = 1024 * 1024;
const MOST_VIEWS = 100;

type Views = { readonly [name: string]: unknown };

function readViews(folder: string): Views {
  const text = readOrdinary(join(folder, NAME));
  if (text === undefined) return {};
  const written = parsed(text);
  if (!isObject(written) || written.format !== FORMAT || !isObject(written.views))
    throw new Error('it holds no views that this program has kept');
  return written.views;
}

// What cannot be read is of no use to anybody: another one takes its place.
function viewsOrNone(folder: string): Views {
  try {
    return readViews(folder);
  } catch {
    return {};
  }
}

/** Text of a file that ends; undefined where there is none. */
function readOrdinary(path: string): string | undefined {
  const file = opened(path);
  if (file === undefined) return undefined;
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error('it is no ordinary file');
    if (facts.size > MOST_BYTES) throw new Error('it is larger than 1 MiB');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`it cannot be read (${codeOf(error)})`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
}

async function write(folder: string, views: readonly (readonly [string, unknown])[]): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, views: Object.fromEntries(views) }, null, 1)}\n`;
  if (Buffer.byteLength(text) > MOST_BYTES) {
    if (views.length < 2) throw new Error('it is larger than 1 MiB');
    return write(folder, views.slice(1));
  }
  const part = join(folder, `${NAME}.${randomBytes(6).toString('hex')}.part`);
  try {
    await using file = await open(part, 'wx', 0o600);
    await file.writeFile(text);
    await rename(part, join(folder, NAME));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Path of the lock, once no other explorer is between reading the file and putting another in its place. */
async function locked(folder: string): Promise<string> {
  const path = join(folder, `${NAME}.lock`);
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    try {
      await using _ = await open(path, 'wx', 0o600);
      return path;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    // One that was killed at it holds up nobody for ever.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > STALE_MS) await rm(path, { force: true });
    else if (waitedMs > LONGEST_WAIT_MS) throw new Error('another explorer is writing it');
    else await wait(LOOK_AGAIN_MS);
  }
}

const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 500;
const STALE_MS = 5000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const word = someText({ most: 4096 });
const flags = recordOf(truth, { name: word });

const VIEW = membersOf<KeptView>({
  tab: word,
  lists: recordOf(
    membersOf<KeptList>({
      filters: recordOf(listOfAll(word), { name: word, most: 100 }),
      sort: (value, tell) => {
        const sort = membersOf<NonNullable<KeptList['sort']>>({ column: word, isDescending: truth })(value, tell);
        const { column, isDescending } = sort ?? {};
        return column === undefined || isDescending === undefined ? undefined : { column, isDescending };
      },
      newestFirst: truth,
      pageSize: whole(1, 5000),
      columns: flags,
      order: listOfAll(word),
      widths: recordOf(whole(1, 1000), { name: word }),
    }),
    { name: word, most: 100 },
  ),
});

const decoded = (value: unknown): KeptView => VIEW(value, () => undefined) ?? {};
