import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../base/disk/make-folder.ts';
import { normaliseTypedLine } from '../../../base/text/safe-text.ts';
import { isWorthSaving, MAX_HISTORY_LINES } from './history.ts';

/** The saved lines, oldest first; none if the file is missing or suspicious in any way. */
export async function readHistory(folder: string): Promise<readonly string[]> {
  try {
    await using file = await openOwnedFile(folder, constants.O_RDONLY);
    const bytes = await file.readFile();
    const text = bytes.toString('utf8');
    const lines = parseHistoryLines(text);
    const isLong = text.split('\n').length - 1 > MAX_HISTORY_LINES || bytes.length > LONG_BYTES;
    if (isLong) await shortenHistory(folder, lines, { file, bytes: bytes.length }).catch(() => {});
    return lines;
  } catch {
    return [];
  }
}

/** Keeps a line behind those of this and of other explorers; resolves too where it cannot be. */
export async function appendCommand(folder: string, line: string): Promise<void> {
  try {
    makeFolder(folder);
    await appendLine(folder, `${line}\n`);
  } catch {
    // A failure to save the typed line is not worth a message.
  }
}

async function appendLine(folder: string, text: string, again = 2): Promise<void> {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  await using file = await openOwnedFile(folder, O_RDWR | O_APPEND | O_CREAT);
  const { size } = await file.stat();
  // A line that was torn, by a full disk or a kill, stays one of its own.
  const whole = (await isTorn(file, size)) ? `\n${text}` : text;
  if (size + Buffer.byteLength(whole) > MAX_FILE_BYTES) return;
  await file.write(whole);
  // Another explorer may have replaced it by a shorter file in the meantime.
  if (again > 0 && !(await isInPlace(folder, file))) await appendLine(folder, text, again - 1);
}

async function isTorn(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_FEED;
}

const LINE_FEED = 10;

/** Replaces the file by its last lines, and appends the lines that others have written in the meantime. */
async function shortenHistory(folder: string, lines: readonly string[], read: OpenHistory): Promise<void> {
  const part = join(folder, 'history.part');
  // If another process is shortening it, this one does not; the part file of a killed process does not block others
  // indefinitely.
  const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > STALE_MS) await rm(part, { force: true });
  await using shorter = await open(part, 'wx', 0o600);
  try {
    if (!(await isInPlace(folder, read.file))) throw new Error('it was shortened already');
    await shorter.writeFile(historyText(lines));
    await rename(part, join(folder, NAME));
    const { buffer, bytesRead } = await read.file.read(
      Buffer.alloc(MAX_APPENDED_BYTES),
      0,
      MAX_APPENDED_BYTES,
      read.bytes,
    );
    if (bytesRead > 0) await appendLine(folder, buffer.toString('utf8', 0, bytesRead));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** The newest lines, as many as leave room for more behind them. */
function historyText(lines: readonly string[]): string {
  let text = lines.map(line => `${line}\n`).join('');
  while (Buffer.byteLength(text) > LONG_BYTES) text = text.slice(text.indexOf('\n') + 1);
  return text;
}

/** A file, and the bytes read so far. */
interface OpenHistory {
  readonly file: FileHandle;
  readonly bytes: number;
}

const STALE_MS = 60_000;
const MAX_APPENDED_BYTES = 64 * 1024;

/** An ordinary file of the folder's owner that no one else can write to. */
async function openOwnedFile(folder: string, flags: number): Promise<FileHandle> {
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(join(folder, NAME), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const facts = await file.stat();
  const { uid } = await stat(folder);
  const isOwn = facts.isFile() && facts.uid === uid && (facts.mode & OTHERS_WRITE) === 0;
  if (isOwn && facts.size <= MAX_FILE_BYTES) {
    // Typed text must not be readable by others.
    if ((facts.mode & OTHERS_READ) !== 0) await file.chmod(0o600);
    return file;
  }
  await file.close();
  throw new Error('it is not a blockglass file');
}

async function isInPlace(folder: string, file: FileHandle): Promise<boolean> {
  const [own, there] = await Promise.all([file.stat(), stat(join(folder, NAME)).catch(() => undefined)]);
  return there?.ino === own.ino && there.dev === own.dev;
}

// Others may have written into it: each line is what a person could have typed.
function parseHistoryLines(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map(line => normaliseTypedLine(line).trimEnd())
    .filter(isWorthSaving);
  return lines.filter((line, index) => line !== lines[index - 1]).slice(-MAX_HISTORY_LINES);
}

const NAME = 'history';
const MAX_FILE_BYTES = 1024 * 1024;
/** From here on it is shortened: lines of 1,000 characters that are 3 bytes each would fill it before there are 500. */
const LONG_BYTES = MAX_FILE_BYTES / 2;
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;
