// Keeps what V8 compiled. Node's own compile cache is written before a module has run, so every function that a start
// calls would be compiled anew each time; this one is made after it has run, which halves the time to the first rows.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { threadId } from 'node:worker_threads';

export interface Program {
  readonly source: string;
  /** Of the file it comes from, for stack traces. */
  readonly filename: string;
  /** Another for each text of the program. */
  readonly build: string;
  /** What the program is started for: each purpose runs other functions, and keeps those. */
  readonly role: string;
  /** Where compiled code may be kept. */
  readonly folder: string;
}

/** A code file: CRC-32 of what follows the header, how many runs have added to it, and the code. */
const HEADER_BYTES = 8;
/** The first runs may end early; each adds the functions it used, and now and then a later one does. */
const RUNS_THAT_SAVE = 3;
const LATER_RUNS_THAT_SAVE = 1 / 20;
const SAVE_AFTER_MS = 1000;

/** Compiles the program, or takes it as compiled before, and returns its value. A cache that cannot be used costs time only. */
export function evaluate({ source, filename, build, role, folder }: Program): unknown {
  const own = join(folder, `code-${build}-${process.version}-${process.arch}`);
  const path = join(own, role);
  const known = isOurs(folder, own) ? readCode(path) : undefined;
  const script = new Script(source, { filename, cachedData: known?.code });
  const runs = known === undefined || script.cachedDataRejected ? 0 : known.runs;
  if (runs < RUNS_THAT_SAVE || Math.random() < LATER_RUNS_THAT_SAVE)
    saveLater(() => saveCode(script, path, runs + 1, { folder, own }));
  return script.runInThisContext();
}

// Not loaded before the first frame is on the screen.
const crc32 = (bytes: Buffer): number => process.getBuiltinModule('node:zlib').crc32(bytes);

// V8 takes damaged code for good, so it is held against its checksum here.
function readCode(path: string): { readonly code: Buffer; readonly runs: number } | undefined {
  try {
    const file = readOwnFile(path);
    const code = file.subarray(HEADER_BYTES);
    return file.readUInt32LE(0) === crc32(code) ? { code, runs: file.readUInt32LE(4) } : undefined;
  } catch {
    return undefined;
  }
}

function readOwnFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(file);
    const self = process.getuid?.() ?? facts.uid;
    if (!facts.isFile() || facts.uid !== self || isForeign(facts)) throw new Error('not of this person alone');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Whoever can put code here has it run: the whole way to it must be this person's or root's, and nobody else may write. */
function isOurs(folder: string, own: string): boolean {
  try {
    return [dirname(folder), folder, own].every(path => !isForeign(statSync(path)));
  } catch {
    return false;
  }
}

// In a shared folder with the sticky bit, such as /tmp, nobody can replace what is not theirs. Windows has no owners.
function isForeign({ uid, mode }: Stats): boolean {
  const self = process.getuid?.();
  if (self === undefined) return false;
  const isShared = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
  return isShared || (uid !== self && uid !== 0);
}

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Soon after the start, before functions that ran once are thrown away, or at the end of a short run. */
function saveLater(save: () => void): void {
  const once = (): void => {
    clearTimeout(timer);
    process.off('exit', once);
    save();
  };
  const timer = setTimeout(once, SAVE_AFTER_MS);
  timer.unref();
  process.on('exit', once);
}

interface Folders {
  readonly folder: string;
  readonly own: string;
}

function saveCode(script: Script, path: string, runs: number, folders: Folders): void {
  const half = `${path}.${process.pid}-${threadId}`;
  if (!hasFolder(folders)) return;
  try {
    const code = script.createCachedData();
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(crc32(code), 0);
    header.writeUInt32LE(runs, 4);
    writeFileSync(half, Buffer.concat([header, code]), { mode: 0o600 });
    renameSync(half, path);
  } catch {
    rmSync(half, { force: true });
  }
}

/** Makes the folder of this build, and makes away with those of others. False when there can be none. */
function hasFolder({ folder, own }: Folders): boolean {
  try {
    const isNew = mkdirSync(own, { recursive: true, mode: 0o700 }) !== undefined;
    if (!isOurs(folder, own)) return false;
    const others = isNew ? readdirSync(folder).map(name => join(folder, name)) : [];
    for (const other of others)
      if (other !== own && basename(other).startsWith('code-')) rmSync(other, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
