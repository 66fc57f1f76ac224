import { EPOCH_REQUEST, INFO_REQUEST, STATISTICS_REQUEST } from '../../api/core-status.ts';
import { RefusedError } from '../../api/errors.ts';
import type { NodeRequest } from '../../api/request.ts';
import { readChainState, type TimedReply } from '../../directory/chain-state.ts';
import { epochNumber } from '../../insight/paid-fees.ts';
import type { Range } from '../../insight/range.ts';
import type { EpochSpan } from '../../insight/statement.ts';
import type { EpochChoice, FeeNode } from './fee-node.ts';
import { fetchLargestPage } from './fee-page.ts';

/** The current epoch of a node's chain, and the node's version. */
export interface CurrentFeeEpoch {
  /** The epoch that is not over; undefined if the node does not report it. */
  readonly open: bigint | undefined;
  /** The newest epoch with any fees, requested if `open` is unknown; undefined if there is none. */
  readonly newest: bigint | undefined;
  /** The version the node states, such as `v0.74.10`; '' if none. */
  readonly version: string;
}

export async function fetchCurrentFeeEpoch(node: FeeNode): Promise<CurrentFeeEpoch> {
  const statistics = await replyUnlessRefused(node, STATISTICS_REQUEST);
  const byCore = readChainState({ statistics });
  const epoch = byCore.epoch === null ? await replyUnlessRefused(node, EPOCH_REQUEST) : undefined;
  const core = readVersion(byCore.core?.version);
  const info = core === '' ? await replyUnlessRefused(node, INFO_REQUEST) : undefined;
  const chain = readChainState({ statistics, epoch, info });
  const stated = core || readVersion(chain.version);
  if (chain.epoch !== null) return { open: chain.epoch.seq, newest: undefined, version: stated };
  const [newest] = (await fetchLargestPage(node, {}, 1)).rows.flatMap(row => epochNumber(row.epochSeq) ?? []);
  return { open: undefined, newest, version: stated };
}

/** The core, which knows the epoch, may be unreachable while the node answers everything else. */
async function replyUnlessRefused(node: FeeNode, request: NodeRequest): Promise<TimedReply | undefined> {
  try {
    return { reply: { json: await node.get(request), facts: { rate: {} } }, atMs: 0 };
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

const readVersion = (text: string | null | undefined): string =>
  /^v?\d+\.\d+[\w.+-]{0,24}$/.exec(text ?? '')?.[0] ?? '';

/** Whether ranges of epochs and fees of AMMs can be requested: from v0.77 on (protocol.md section 1.3). */
export function supportsEpochRanges(version: string): boolean {
  const [major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
  return major > 0 || minor >= 77;
}

/** The newest epoch with complete fees; undefined if unknown. */
export function newestCompleteEpoch({ open, newest }: CurrentFeeEpoch): bigint | undefined {
  if (open === undefined) return newest;
  return open === 0n ? undefined : open - 1n;
}

/** The epochs of a choice; null if the newest is unknown. */
export function chosenEpochs(choice: EpochChoice, head: CurrentFeeEpoch): Range | null {
  if (choice.kind === 'range') return { from: choice.from, to: choice.to };
  const to = newestCompleteEpoch(head);
  if (to === undefined) return null;
  const from = choice.kind === 'all' ? 0n : to - BigInt(choice.count) + 1n;
  return { from: from < 0n ? 0n : from, to };
}

/** The epochs that can have fees: those that are over, and the open one. */
export function availableEpochs({ from, to }: Range, head: CurrentFeeEpoch): Range | null {
  // A market that closes has its row before the epoch is over.
  const last = head.open ?? head.newest;
  if (last === undefined || from > last) return null;
  return { from, to: to < last ? to : last };
}

/** The spans after the newest complete epoch that are known without a request. */
export function laterSpans({ from, to }: Range, head: CurrentFeeEpoch): readonly EpochSpan[] {
  const over = newestCompleteEpoch(head);
  const next = over === undefined ? 0n : over + 1n;
  const spans: readonly EpochSpan[] =
    head.open === next
      ? [
          { kind: 'open', from: next, to: next },
          { kind: 'future', from: next + 1n, to },
        ]
      : [{ kind: 'not-known', from: next, to }];
  return spans
    .map(span => ({ ...span, from: span.from > from ? span.from : from, to: span.to < to ? span.to : to }))
    .filter(span => span.from <= span.to);
}
