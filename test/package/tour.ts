import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openTerminal } from '../support/terminal.ts';

/** How a program is started: what stands before its own words, and its PATH. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly path: string;
}

/** A visitor's own folders, which are gone afterwards. */
interface Folders {
  readonly home: string;
  readonly exports: string;
}

/** One thing that an installed program has to do; rejects with what it did instead. */
interface Stop {
  readonly name: string;
  readonly visit: (run: Run) => Promise<void>;
}

const DEADLINE_MS = 60_000;

/** By then Node has complained of whatever it complains of, and what is set after the start is set. */
const SETTLED_MS = 2500;

const TOUR: readonly Stop[] = [
  { name: '--version', visit: async run => expectText(await output(run, ['--version']), /^\d+\.\d+\.\d+\n$/) },
  {
    name: 'list, of the embedded node',
    visit: async run => {
      const words = ['list', 'parameters', '--demo', '--all', '-o', 'ndjson'];
      expectText(await output(run, words), /^(?:\{"key":.*\}\n){100,}$/);
    },
  },
  {
    name: 'export, checked while it arrives',
    visit: async run => {
      const words = ['export', '--demo', '--table', 'ledger', '--from', '1', '--to', '2000', '--out', run.exports];
      await output(run, words);
      expectText(await archiveOf(run), /-ledger-000001-002000\.zip$/);
    },
  },
  {
    name: 'verify, by the thread of the checker',
    visit: async run => {
      expectText(await output(run, ['verify', await archiveOf(run)]), /^complete: 1 CSV file of blocks 1 to 2000/m);
    },
  },
  { name: 'query, which says what it needs', visit: missEngine },
  { name: 'serve, one request', visit: askServed },
  { name: 'explorer, in a pseudo-terminal', visit: explore },
];

interface Run extends Program, Folders {}

/** Takes the program through everything, says how each went, and resolves with whether all of it went well. */
export async function tour(program: Program, say: (line: string) => void): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-tour-'));
  const run = { ...program, home: join(folder, 'home'), exports: join(folder, 'exports') };
  await Promise.all([mkdir(run.home), mkdir(run.exports)]);
  let isGood = true;
  for (const { name, visit } of TOUR) {
    const problem = await visit(run).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    say(problem === undefined ? `  good   ${name}` : `  FAILED ${name}: ${problem}`);
    isGood &&= problem === undefined;
  }
  await rm(folder, { recursive: true, force: true });
  return isGood;
}

const environment = ({ path, home }: Run) => ({ PATH: path, HOME: home });

/** What a command prints; one that ends badly, or during which Node complains of something, is an error. */
async function output(run: Run, words: readonly string[]): Promise<string> {
  const options = { env: environment(run), timeout: DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(run.command, [...run.args, ...words], options);
  expectNoWarning(stderr);
  return stdout;
}

function expectText(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`no ${pattern} in ${JSON.stringify(text.slice(0, 300))}`);
}

function expectNoWarning(text: string): void {
  const warning = /.*Warning.*/.exec(text);
  if (warning !== null) throw new Error(warning[0]);
}

/** The one that was exported; its names lie beside it. */
async function archiveOf({ exports }: Run): Promise<string> {
  const archives = (await readdir(exports)).filter(name => name.endsWith('.zip'));
  return join(exports, archives.join(' '));
}

/** The package comes without the engine: what needs it says so in a sentence, with the way to have it. */
async function missEngine(run: Run): Promise<void> {
  const asked = output(run, ['query', 'SELECT 1', await archiveOf(run)]);
  const told = await asked.catch((error: unknown) => String(error));
  expectText(told, /this needs DuckDB, which[\s\S]*npm install -g /);
}

/** Asks the node that `serve` starts for a page, and interrupts it. */
async function askServed(run: Run): Promise<void> {
  const child = spawn(run.command, [...run.args, 'serve', '--port', '0'], {
    env: environment(run),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: DEADLINE_MS,
  });
  const ended = once(child, 'exit');
  const [address] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const answer = await fetch(`${address}/api/v2/network/parameters`).finally(() => child.kill('SIGINT'));
  expectText(await answer.text(), /^\{"networkParameters":\{"edges":\[/);
  const [code] = await ended;
  if (code !== 130) throw new Error(`interrupted, it ended with ${code}`);
}

/** Opens the explorer on the embedded node, goes to another tab, and leaves. */
async function explore(run: Run): Promise<void> {
  const { command, args } = run;
  await using terminal = await openTerminal({
    command,
    args: [...args, '--demo'],
    env: { ...environment(run), NO_COLOR: '1' },
  });
  const patient = { deadlineMs: DEADLINE_MS };
  await terminal.waitFor(/^ {2}blockchains$[\s\S]*^> +ethereumConfig/m, patient);
  await wait(SETTLED_MS);
  expectNoWarning(terminal.raw);
  await terminal.press('5');
  await terminal.waitFor(/\[Oracles\][\s\S]*^> +\S/m, patient);
  await terminal.press('q');
  const { exitCode } = await terminal.waitForExit(patient);
  if (exitCode !== 0 || terminal.inAlternateScreen) throw new Error(`it ended with ${exitCode}:\n${terminal.screen()}`);
}
