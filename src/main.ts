import { readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isMainThread, workerData } from 'node:worker_threads';
import { safeText } from './base/text/safe-text.ts';
import { findLogins } from './chain/api/login.ts';
import { COMMANDS } from './cli/commands.ts';
import type { Context } from './cli/context.ts';
import { forgetEnvironment, isForGuests } from './cli/guest-environment.ts';
import { createInterruptSignal, exitAfterCommand, exitNow } from './cli/interruption.ts';
import { commandFirst } from './cli/leading-flags.ts';
import { HELP_WORDS, opensScreen, terminalKind } from './cli/opens-screen.ts';
import { createSink } from './cli/sink.ts';
import { claimTerminal } from './explorer/terminal/claimed-terminal.ts';
import { startNodeThread, takeOverNodeThread } from './node/thread.ts';

/** Commands that are run for their output. */
const PRINTING: readonly string[] = 'list show statement what overview segments query answer completion'.split(' ');
const ACCESS_MODE = 0o3;
const READ_AND_WRITE = 0o2;
/** A monitoring system reads 1 as a warning, so a fault has to end with `unknown`. */
const CHECK_FAILED = 3;
const OUTPUT_CLOSED = safeText`blockglass: stdout is closed, so nothing can be printed. Open it, or discard the output with > /dev/null\n`;

declare const BLOCKGLASS_VERSION: string;
declare const BLOCKGLASS_TABS: readonly string[];

// Threads run this bundle too, and load only their part.
if (isMainThread) void main();
else if (workerData?.role === 'embedded-node') void import('./node/index.ts').then(node => node.startInThread());
else if (workerData?.role === 'check-archive') void import('./history/check/follow-archive.ts');

async function main(): Promise<void> {
  const typed = process.argv.slice(2);
  const isGuest = isForGuests(typed);
  if (isGuest) forgetEnvironment(process.env);
  sizeThreadPool();
  const words = commandFirst(typed, [...Object.keys(COMMANDS), 'explore']);
  const logins = hideLogins(typed);
  const isOnScreen = opensScreen(typed, Object.keys(COMMANDS), process);
  if (isOnScreen) claimTerminal();
  const isExplorer = isGuest || isOnScreen || opensExplorer(words);
  const kind = terminalKind(words, process.env);
  const isCheck = words[0] === 'check';
  process.stdout.on('error', error => {
    // The explorer notices itself that its terminal is gone.
    if (isExplorer && process.stdout.isTTY) return;
    // `blockglass list ... | head` ends here: the reader has enough, which is not an error.
    if ('code' in error && error.code === 'EPIPE') process.exit(isCheck ? CHECK_FAILED : 0);
    process.stderr.write(`blockglass: cannot write the output: ${error.message}\n`);
    process.exit(isCheck ? CHECK_FAILED : 1);
  });
  if (isCheck) process.on('uncaughtException', failCheck);
  const isAscii = async (): Promise<boolean> => (await import('./cli/charset.ts')).drawsAscii(context);
  const context: Context = {
    stdout: createSink(process.stdout, { isAscii }),
    stderr: createSink(process.stderr, { secrets: logins, hasCursor: kind !== 'no-cursor', isAscii }),
    env: process.env,
    version: BLOCKGLASS_VERSION,
    tabs: BLOCKGLASS_TABS,
    stdin: () => process.stdin,
    // The explorer handles signals itself: it restores the terminal first.
    signal: isExplorer && kind !== 'no-cursor' ? new AbortController().signal : createInterruptSignal(),
    startDemo: () => takeOverNodeThread(import.meta.url),
    startSnapshot: recorded => startNodeThread(import.meta.url, recorded),
    nowMs: Date.now,
    settings: async () => {
      const { settingsWithFaults, openSettings } = await import('./base/settings/settings-file.ts');
      return settingsWithFaults(openSettings(process.env));
    },
  };
  if (isGuest) return exitNow(await (await import('./guest.ts')).runGuest(typed, context));
  if (isExplorer) return exitNow(await runExplorer(words, context));
  if (isOutputClosed(words)) {
    await context.stderr.safe(OUTPUT_CLOSED);
    return exitNow(1);
  }
  const { runCommandLine } = await import('./cli/run.ts');
  // A slow reader gets the rest of the output first.
  const command = runCommandLine(words, context).then(async code => {
    await context.stdout.flushed();
    return code;
  });
  await exitAfterCommand(command, context.signal);
}

function failCheck(error: Error): void {
  process.stderr.write(`blockglass: ${error.stack ?? error.message}\n`);
  process.exit(CHECK_FAILED);
}

/**
 * Logins of addresses in the command line and the environment, which no message may show. Other users of the machine can
 * see the command line of a process, so logins there are overwritten; they cannot see the environment.
 */
function hideLogins(words: readonly string[]): readonly string[] {
  const said = Object.entries(process.env).flatMap(([name, value = '']) =>
    name.startsWith('BLOCKGLASS_') ? [value] : [],
  );
  const typed = findLogins(words);
  if (typed.length > 0)
    process.title = [
      'blockglass',
      ...words.map(word => typed.reduce((rest, login) => rest.replace(login, '***@'), word)),
    ].join(' ');
  return [...typed, ...findLogins(said)];
}

/**
 * Sizes the thread pool to the processors before its first job, because more threads slow each other down. At least two,
 * since two entries are inflated at once.
 */
function sizeThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= String(Math.min(4, Math.max(2, availableParallelism())));
}

/** Everything but commands and help opens the explorer: flags, or the name of a tab. */
function opensExplorer(words: readonly string[]): boolean {
  const [first = ''] = words;
  return !Object.hasOwn(COMMANDS, first) && !HELP_WORDS.includes(first);
}

async function runExplorer(words: readonly string[], context: Context): Promise<number> {
  const { runExplore } = await import('./explore.ts');
  return runExplore(words[0] === 'explore' ? words.slice(1) : words, context);
}

/**
 * Whether stdout was closed (`>&-`) for a command that prints its result. Node then opens /dev/null for reading and
 * writing, where a shell opens `> /dev/null` for writing only. A program without stdin as well was started by another
 * program, which closed both on purpose.
 */
function isOutputClosed([command = '', ...words]: readonly string[]): boolean {
  const isPrinting = PRINTING.includes(command) || words.some(word => /^--ddl(?:=|$)/.test(word));
  return isPrinting && nullMode(1) === READ_AND_WRITE && nullMode(0) === undefined;
}

/** How /dev/null was opened; undefined for any other file, and if the system does not report it. */
function nullMode(descriptor: number): number | undefined {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return undefined;
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '0';
    return Number.parseInt(flags, 8) & ACCESS_MODE;
  } catch {
    return undefined;
  }
}
