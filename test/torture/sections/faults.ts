import { startNode } from '../../../src/node/index.ts';
import type { NetworkFault } from '../faults/answer.ts';
import { falseInRun, falseInStatus, printedNodes, UNTRUSTED } from '../faults/command-rules.ts';
import { runExplorer } from '../faults/explorer-run.ts';
import { type Strike, startFaultServer } from '../faults/fault-server.ts';
import { COMMANDS, type CommandName, type CommandRun, runCommand } from '../faults/sound-run.ts';
import { networkFaults } from '../network-faults.ts';
import { at, randomOf } from '../random.ts';
import type { Report, Section } from '../section.ts';

const NAMES: readonly CommandName[] = ['list', 'list --all', 'show', 'segments', 'export', 'status', 'names'];
const FACES = [...NAMES, 'explorer'] as const;
const STRIKES: readonly Strike[] = ['always', 'always', 'once', 'from the second on'];
/** Much of the time is spent waiting for nodes that are silent. */
const LANES = 3;
/** A sound node answers on a busy machine too. */
const SOUND_TIMEOUT_S = 60;
const FIXED_MS = Date.UTC(2026, 9, 25, 12);

/** Every way for an answer to go wrong, under the explorer and under every command that asks a node. */
export const faults: Section = {
  name: 'faults',
  trials: networkFaults.length * FACES.length,
  perProcess: 60,
  patienceMs: 90_000,
  run: async ({ seed, indexes }, report) => {
    // Time stands still: the same question has the same answer.
    const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 }, clock: () => FIXED_MS });
    // What a lying core says is held against a node that is in sync with it.
    const live = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    const sound = new Map<CommandName, CommandRun>();
    for (const name of NAMES) sound.set(name, await runCommand(name, node.url, SOUND_TIMEOUT_S));
    const inSync = await runCommand('status', live.url, SOUND_TIMEOUT_S);
    if (inSync.code !== 0) throw new Error(`a node in sync is not healthy: ${inSync.stderr}`);
    const queue = [...indexes];
    const lane = async (): Promise<void> => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        report.begins(index);
        await tryFault({ index, seed, node: node.url, live: live.url, sound }, report);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await Promise.all([node.close(), live.close()]);
  },
};

/** What such a node says is no lie: whoever prints it prints something else than the sound node had. */
const isPrinted = ({ isPage, isRecord, isHistory, isDirectory }: NetworkFault, face: CommandName): boolean =>
  (isRecord === true && (face.startsWith('list') || face === 'names')) ||
  (isPage === true && (face === 'list' || face === 'names')) ||
  (isDirectory === true && face === 'names') ||
  (isHistory === true && face === 'segments');

interface Trial {
  readonly index: number;
  readonly seed: number;
  readonly node: string;
  readonly live: string;
  readonly sound: ReadonlyMap<CommandName, CommandRun>;
}

async function tryFault({ index, seed, node, live, sound }: Trial, report: Report): Promise<void> {
  const fault = at(networkFaults, Math.floor(index / FACES.length));
  const face = at(FACES, index % FACES.length);
  const strike = randomOf(seed, index).pick(STRIKES);
  const isLie = face === 'status' && fault.isNoticed !== undefined;
  await using server = await startFaultServer(isLie ? live : node);
  server.fail(fault, strike);
  const tell = (what: string, isLate: boolean): void =>
    report.finds(index, `${face}, ${fault.name}, ${strike}: ${what}`, isLate);
  if (face === 'explorer') {
    const keys = (sound.get('list')?.stdout ?? '').split('\n').map(line => /"key":"([^"]*)"/.exec(line)?.[1] ?? '');
    for (const what of await runExplorer(server.url, keys.filter(Boolean))) tell(what, isDeadlineMissed(what));
    report.counts('explorer');
    return;
  }
  const ran = await runCommand(face, server.url);
  const { isLate } = ran;
  report.counts(`${COMMANDS[face][0]} ended with ${ran.code}`);
  const wanted = sound.get(face);
  if (face === 'status') {
    for (const what of falseInStatus(ran)) tell(what, isLate);
    const [printed] = printedNodes(ran.stdout);
    // What is not answered in time cannot be noticed.
    const isUnheard = isLate || ran.code === NOT_REACHED;
    if (isLie && server.spoiled > 0 && (printed === undefined || !fault.isNoticed?.(printed)))
      tell(`the lie is not noticed: ${JSON.stringify(printed).slice(0, 300)}`, isUnheard);
  } else if (wanted === undefined || wanted.code !== 0) tell(`it fails with a sound node: ${wanted?.stderr}`, isLate);
  // The range that was named is not in such a history.
  else if (fault.isHistory === true && face === 'export' && ran.code === 2) report.counts('no such range');
  else {
    const isSame = !isPrinted(fault, face) && !(face === 'names' && lacksNamesAlone(ran, wanted));
    for (const what of falseInRun(ran, wanted, isSame)) tell(what, isLate);
  }
}

const NOT_REACHED = 4;

/** The screen or the end that was waited for did not come in time. */
const isDeadlineMissed = (what: string): boolean => /^After \d+ ms .* had not (met|ended)/.test(what);

/** The same rows, with empty cells where a name or its decimals were not loaded; of a doubtful page the rows that came. */
function lacksNamesAlone({ code, stdout }: CommandRun, sound: CommandRun): boolean {
  const [rows = [], soundRows = []] = [stdout, sound.stdout].map(text => text.split('\n').map(line => line.split(',')));
  if (code === UNTRUSTED) return rows.every(row => soundRows.some(soundRow => lacksCellsAlone(row, soundRow)));
  return rows.length === soundRows.length && rows.every((row, line) => lacksCellsAlone(row, soundRows[line] ?? []));
}

const lacksCellsAlone = (cells: readonly string[], soundCells: readonly string[]): boolean =>
  cells.length === soundCells.length && cells.every((cell, column) => cell === soundCells[column] || cell === '');
