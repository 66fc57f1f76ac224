import { baseAddress, shownAddress } from '../api/request.ts';
import { momentText } from '../export/range/named-range.ts';
import { duration } from '../insight/duration.ts';
import { DEMO_CHAIN_ID } from '../node/thread.ts';
import { type Moment, MomentError, openMoment } from '../record/open-moment.ts';
import { recordedChain } from '../record/recorded-chain.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { type Context, type Target, targetOf } from './context.ts';
import type { Given } from './options.ts';
import { snapshotFolder } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

/**
 * The context of a command: with --at its node is the embedded one on a snapshot, and its clock stands at the time of the
 * snapshot, which stderr says. Throws UsageError if no snapshot is meant, SnapshotError if it cannot be read.
 */
export async function contextAt(
  given: Given,
  context: Context,
  { asksSeveral }: Pick<Command, 'asksSeveral'>,
): Promise<Context> {
  const name = given.text('at');
  if (name === undefined) return context;
  if (given.texts('node').length > 1 || (asksSeveral === true && given.has('all')))
    throw new UsageError('--at shows one snapshot, so it cannot be used with --all or with several --node');
  const target = await targetOf(given, context);
  const nowMs = context.nowMs();
  const folder = snapshotFolder(context.env);
  const moment = await openMoment({ folder, chain: chainOf(target), nowMs }, name).catch((error: unknown) => {
    throw error instanceof MomentError ? new UsageError(`--at: ${error.message}`) : error;
  });
  const recorded = readAll(moment);
  const { chainId, info } = moment;
  const block = info.blockHeight === null ? '' : `, block ${info.blockHeight}`;
  const age = nowMs < info.takenMs ? '' : `, ${duration(nowMs - info.takenMs)} ago`;
  await context.stderr.safe(
    safeLine(
      `note: ${chainId} at ${momentText(info.takenMs)} (snapshot ${info.id}${block}${age}). No node is contacted, and ages are as of then.`,
    ),
  );
  let started: Promise<string> | undefined;
  const url = (): Promise<string> => {
    started ??= context.startSnapshot(recorded).then(node => node.url);
    return started;
  };
  return { ...context, nowMs: () => info.takenMs, moment: { label: `snapshot ${info.id}`, url } };
}

/** The chain that the named node was recorded as. The only one that is recorded, if no node is named. */
function chainOf(target: Target): { readonly id: string } | { readonly node: string } | undefined {
  if (target.isUnnamed === true) return undefined;
  if (target.kind === 'demo') return { id: DEMO_CHAIN_ID };
  return { node: shownAddress(baseAddress(target.address)) };
}

/** All at once, so that nothing that happens to the file later matters. */
function readAll(moment: Moment) {
  try {
    return recordedChain(moment);
  } finally {
    moment.snapshots.close();
  }
}
