import { shortDuration } from '../base/text/duration.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { momentText } from '../base/text/time.ts';
import { baseAddress, shownAddress } from '../chain/api/request.ts';
import { openChain, openSnapshot, type SnapshotSource } from '../memory/record/open-snapshot.ts';
import { type RecordedSnapshot, readRecordedChain } from '../memory/record/recorded-chain.ts';
import type { SnapshotInfo } from '../memory/snapshots/index.ts';
import { DEMO_CHAIN_ID } from '../node/thread.ts';
import type { Command } from './command.ts';
import { type Context, chooseTarget, EMBEDDED, type Target } from './context.ts';
import { isMomentError, isSnapshotError } from './errors-by-name.ts';
import { type ParsedFlags, requestedMoment } from './flags.ts';
import { snapshotFolder } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

/**
 * The context of a command: with --at its node is the embedded one on a snapshot, and its clock stays at the time of the
 * snapshot, which stderr shows. Throws UsageError if no snapshot matches, SnapshotError if it cannot be read.
 */
export async function applySnapshotFlag(
  given: ParsedFlags,
  context: Context,
  { asksSeveral }: Pick<Command, 'asksSeveral'>,
): Promise<Context> {
  const name = requestedMoment(given);
  if (name === undefined) return context;
  if (given.texts('node').length > 1 || (asksSeveral === true && given.has('all')))
    throw new UsageError('--at shows one snapshot, so it cannot be used with --all or with several --node');
  const nowMs = context.nowMs();
  const target = await chooseTarget(given, context);
  const read = await readMoment(target, name, context);
  await context.stderr.safe(
    safeLine(`note: ${momentLine(read, nowMs)}. No node is contacted; ages are relative to the snapshot.`),
  );
  return withSnapshot(read, target, context);
}

/** `demo-chain-1 at 2026-10-01 12:00:00 UTC (snapshot 12, block 23531, 2 days ago)` */
export function momentLine({ chainId, info }: LoadedMoment, nowMs: number): string {
  const block = info.blockHeight === null ? '' : `, block ${info.blockHeight}`;
  const age = nowMs < info.takenMs ? '' : `, ${shortDuration(nowMs - info.takenMs)} ago`;
  return `${chainId} at ${momentText(info.takenMs)} (snapshot ${info.id}${block}${age})`;
}

/** The context with a snapshot instead of the node. */
export function withSnapshot(
  { info, recorded }: Pick<LoadedMoment, 'info' | 'recorded'>,
  { kind, isUnnamed }: Pick<Target, 'kind' | 'isUnnamed'>,
  context: Context,
): Context {
  // The embedded node had an address of its own each time.
  const node = kind === 'demo' && isUnnamed !== true ? EMBEDDED.label : info.node;
  let started: Promise<string> | undefined;
  const url = (): Promise<string> => {
    started ??= context.startSnapshot(recorded).then(node => node.url);
    return started;
  };
  return { ...context, nowMs: () => info.takenMs, moment: { label: `snapshot ${info.id}`, node, url } };
}

/** A moment of a node's chain, or of this chain, with all its lists, and the neighbouring snapshots. */
export async function readMoment(
  target: Target,
  name: string,
  context: Pick<Context, 'env' | 'nowMs'>,
  chainId?: string,
): Promise<LoadedMoment> {
  return readMomentFromFiles(momentPlace(target, context, chainId), name);
}

/** Throws UsageError if no snapshot is meant, SnapshotError if it cannot be read. */
export async function checkMoment(
  target: Target,
  name: string,
  context: Pick<Context, 'env' | 'nowMs'>,
): Promise<void> {
  const { snapshots } = await openSnapshot(momentPlace(target, context), name === '' ? undefined : name);
  snapshots.close();
}

/** A moment of the chain that a place identifies, with all its lists, and the neighbouring snapshots. */
export async function readMomentFromFiles(place: SnapshotSource, name: string): Promise<LoadedMoment> {
  const moment = await openSnapshot(place, name === '' ? undefined : name);
  const { chainId, info, snapshots } = moment;
  try {
    const beside = { before: snapshots.before(info.id)?.id ?? null, after: snapshots.after(info.id)?.id ?? null };
    return { chainId, info, recorded: readRecordedChain(moment), ...beside };
  } finally {
    snapshots.close();
  }
}

/**
 * The current neighbours of a snapshot, and whether it is still stored as read: it may have been removed since. No
 * neighbours if the file cannot be read.
 */
export async function readNeighbours(
  { chainId, info }: LoadedMoment,
  { env, nowMs }: Pick<Context, 'env' | 'nowMs'>,
): Promise<Pick<LoadedMoment, 'before' | 'after'> & { readonly isReplaced: boolean }> {
  const place = { folder: snapshotFolder(env), chain: { id: chainId }, namedBy: 'node', nowMs: nowMs() } as const;
  try {
    const snapshots = await openChain(place);
    try {
      const there = snapshots.withId(info.id);
      const beside = { before: snapshots.before(info.id)?.id ?? null, after: snapshots.after(info.id)?.id ?? null };
      return { ...beside, isReplaced: there !== undefined && there.takenMs !== info.takenMs };
    } finally {
      snapshots.close();
    }
  } catch (error) {
    if (isMomentError(error) || isSnapshotError(error)) return { before: null, after: null, isReplaced: false };
    throw error;
  }
}

export interface LoadedMoment {
  readonly chainId: string;
  readonly info: SnapshotInfo;
  readonly recorded: RecordedSnapshot;
  /** Ids; null where there is none. */
  readonly before: number | null;
  readonly after: number | null;
}

function momentPlace(target: Target, { env, nowMs }: Pick<Context, 'env' | 'nowMs'>, chainId?: string): SnapshotSource {
  const chain = chainId === undefined ? recordedChainFilter(target) : { id: chainId };
  return { folder: snapshotFolder(env), chain, namedBy: 'node', nowMs: nowMs(), nodeFlags: nodeArguments(target) };
}

/** How a command names this node; a login is in the settings or a variable. */
export function nodeArguments({ kind, label, address, isUnnamed }: Target): readonly string[] {
  if (isUnnamed === true) return [];
  return kind === 'demo'
    ? ['--demo']
    : [`--node ${shellWord(label === '' ? shownAddress(baseAddress(address)) : label)}`];
}

/** The chain that the named node was recorded as. The only one that is recorded, if no node is named. */
function recordedChainFilter(target: Target): { readonly id: string } | { readonly node: string } | undefined {
  if (target.isUnnamed === true) return undefined;
  if (target.kind === 'demo') return { id: DEMO_CHAIN_ID };
  return { node: shownAddress(baseAddress(target.address)) };
}
