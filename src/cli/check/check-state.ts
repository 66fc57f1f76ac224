import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { IncomeMemory } from '../../attention/rules/income.ts';
import type { HeightMemory } from '../../attention/rules/node-stalled.ts';
import type { ParameterMemory } from '../../attention/rules/parameter-changed.ts';
import type { ValidatorMemory } from '../../attention/rules/validator-left.ts';
import { withLock } from '../../base/disk/file-lock.ts';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { readOrdinaryFile, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { removeAbandonedParts, replaceFileContent } from '../../base/disk/replace-file-content.ts';
import type { Alarm } from './alarms.ts';

/** What checks of one node remember. */
export interface CheckMemoryContent {
  /** The chain accepted as the right one; null before the node reported one. */
  readonly home: string | null;
  /** The chain of the last check. */
  readonly current: string | null;
  /** Alarms about the node, on any chain. */
  readonly alarms: readonly Alarm[];
  /** The last one first. */
  readonly chains: readonly ChainMemory[];
}

/** The memory of a chain; null for data not seen yet. */
export interface ChainMemory {
  /** '' for a node that never reported its chain. */
  readonly chainId: string;
  readonly height: HeightMemory | null;
  readonly parameters: ParameterMemory | null;
  readonly validators: ValidatorMemory | null;
  readonly income: IncomeMemory | null;
  readonly alarms: readonly Alarm[];
}

const NO_STATE: CheckMemoryContent = { home: null, current: null, alarms: [], chains: [] };

export const newChain = (chainId: string): ChainMemory => ({
  ...{ chainId, height: null, parameters: null, validators: null, income: null, alarms: [] },
});

/** How many chains of one address are remembered. */
const MAX_CHAINS = 4;

/** The state with this chain as the last one. */
export const withChain = (state: CheckMemoryContent, chain: ChainMemory): CheckMemoryContent => ({
  ...state,
  current: chain.chainId,
  chains: [chain, ...state.chains.filter(({ chainId }) => chainId !== chain.chainId)].slice(0, MAX_CHAINS),
});

/** The file of a node. An address may hold anything, so its readable part is followed by its hash. */
export function stateFilePath(folder: string, address: string): string {
  const readable = address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return join(
    folder,
    `${readable === '' ? 'node' : readable}-${createHash('sha256').update(address).digest('hex').slice(0, 16)}.json`,
  );
}

/** The chain accepted by checks of an address; null if none was accepted, or if the file does not give one. */
export function acceptedChain(folder: string, address: string): string | null {
  try {
    const found = parseState(readOrdinaryFile(stateFilePath(folder, address), MAX_STATE_BYTES) ?? '');
    return typeof found === 'object' ? found.home : null;
  } catch {
    return null;
  }
}

interface UpdateResult<Value> {
  readonly value: Value;
  /** The problem with the file, in a sentence; undefined if all went well. */
  readonly problem: string | undefined;
}

/** The memory between checks: in a file, and in the process if the file is missing or unusable. */
export class CheckMemory {
  readonly #path: string | null;
  #state = NO_STATE;

  constructor(path: string | null) {
    this.#path = path;
  }

  /** Replaces the state, one process at a time. A file that cannot be used costs its memory, not the check. */
  async update<Value>(
    change: (state: CheckMemoryContent) => { state: CheckMemoryContent; value: Value },
  ): Promise<UpdateResult<Value>> {
    const path = this.#path;
    let changed: Value | undefined;
    let isDone = false;
    const apply = (before: CheckMemoryContent): Value => {
      const { state, value } = change(before);
      [this.#state, changed, isDone] = [state, value, true];
      return value;
    };
    if (path === null) return { value: apply(this.#state), problem: undefined };
    try {
      makeFolder(dirname(path));
      return await withLock(
        path,
        async () => {
          const read = await readState(path, this.#state);
          const value = apply(read.state);
          if (!read.isKept) await replaceFileContent(path, stateText(this.#state));
          await removeAbandonedParts(path);
          return { value, problem: read.problem };
        },
        MAX_LOCK_MS,
      );
    } catch (error) {
      const problem = `the memory of checks, ${path}, cannot be used: ${systemErrorReason(error)}`;
      return { value: isDone && changed !== undefined ? changed : apply(this.#state), problem };
    }
  }
}

/** A lock that a killed process had just taken counts as left after five seconds. */
const MAX_LOCK_MS = 7000;

interface ReadState {
  readonly state: CheckMemoryContent;
  readonly problem: string | undefined;
  /** The file must not be changed. */
  readonly isKept: boolean;
}

const MAX_STATE_BYTES = 32 * 1024 * 1024;

/** Throws if the file cannot be read. A damaged one is set aside. */
async function readState(path: string, fallback: CheckMemoryContent): Promise<ReadState> {
  const text = readOrdinaryFile(path, MAX_STATE_BYTES);
  if (text === undefined) return { state: fallback, problem: undefined, isKept: false };
  const found = parseState(text);
  if (found === 'newer') {
    const problem = `the memory of checks, ${path}, was written by a newer blockglass. Update this one`;
    return { state: fallback, problem, isKept: true };
  }
  if (found !== undefined) return { state: found, problem: undefined, isKept: false };
  const aside = `${path}.damaged`;
  await rename(path, aside);
  const problem = `the file of earlier checks was damaged and is now ${aside}: earlier alarms and values are lost`;
  return { state: fallback, problem, isKept: false };
}

const FORMAT = 1;

/** `newer`: of a format that is not known here; undefined for anything that is not a state. */
function parseState(text: string): CheckMemoryContent | 'newer' | undefined {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { success, output } = v.safeParse(storedState, written);
  if (success) return { ...output, chains: output.chains.map(readChain) };
  const { success: isOther, output: other } = v.safeParse(v.object({ format: v.number() }), written);
  return isOther && other.format > FORMAT ? 'newer' : undefined;
}

const time = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(8.64e15));
const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const severity = v.picklist(['ok', 'info', 'warning', 'critical', 'unknown']);
const textPairs = v.nullable(v.array(v.tuple([v.string(), v.string()])));

const storedAlarm = v.object({
  ...{ rule: v.string(), key: v.string(), severity, sentence: v.string(), sinceMs: time, foundMs: time },
  pending: v.nullable(v.object({ isWorse: v.boolean(), sinceMs: time })),
  ...{ announced: severity, announcedMs: time },
});

const storedChain = v.object({
  chainId: v.string(),
  // Nothing older says so of a chain that has ended.
  height: v.nullable(
    v.object({
      ...{ height: digits, movedMs: time, isStalled: v.boolean(), isLive: v.optional(v.boolean(), true) },
      genesisTime: v.optional(v.string()),
    }),
  ),
  parameters: textPairs,
  validators: textPairs,
  income: v.nullable(
    v.array(v.tuple([v.string(), digits, v.array(v.tuple([v.string(), v.pipe(v.string(), v.regex(/^\d{1,400}$/))]))])),
  ),
  alarms: v.array(storedAlarm),
});

const storedState = v.object({
  format: v.literal(FORMAT),
  ...{ home: v.nullable(v.string()), current: v.nullable(v.string()) },
  ...{ alarms: v.array(storedAlarm), chains: v.array(storedChain) },
});

const readChain = ({ parameters, validators, income, ...chain }: v.InferOutput<typeof storedChain>): ChainMemory => ({
  ...chain,
  parameters: parameters && new Map(parameters),
  validators: validators && new Map(validators),
  income: income && new Map(income.map(([party, epoch, amounts]) => [party, { epoch, amounts }])),
});

function stateText({ home, current, alarms, chains }: CheckMemoryContent): string {
  const stored: v.InferInput<typeof storedState> = {
    ...{ format: FORMAT, home, current, alarms: [...alarms] },
    chains: chains.map(({ chainId, height, parameters, validators, income, alarms: own }) => ({
      ...{ chainId, height },
      parameters: parameters && [...parameters],
      validators: validators && [...validators],
      income:
        income &&
        [...income].map(([party, { epoch, amounts }]) => [party, epoch, amounts.map(([id, amount]) => [id, amount])]),
      alarms: [...own],
    })),
  };
  return `${JSON.stringify(stored)}\n`;
}
