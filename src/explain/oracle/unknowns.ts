import { roughlyInWords } from '../../insight/oracle/unix-seconds.ts';
import type { KnownSpec } from './known-spec.ts';

/** What cannot be said of a spec, in sentences. */
export function unknowns({
  source,
  otherSources,
  arrivals,
  markets,
  status,
  called,
  now,
  heardAt,
  saysBlockTime,
  standing,
}: KnownSpec): readonly string[] {
  const sentences: string[] = [];
  if (otherSources.length > 0)
    sentences.push(`what else it defines: this is the first of ${otherSources.length + 1} definitions`);
  if (markets === undefined) sentences.push('which markets use it: no market is loaded');
  if (arrivals === undefined && source.variant !== 'none')
    sentences.push('what arrived last: the node does not serve it, or not now');
  if (!saysBlockTime && source.variant === 'eth-oracle' && arrivals !== undefined && standing.kind === 'was-due')
    sentences.push('whether a value is late: the node does not say when its last block was made, or not now');
  if (now - heardAt > LATE)
    sentences.push(`what happened in the last ${roughlyInWords(now - heardAt)}: the node has no later block`);
  if (status === 'STATUS_DEACTIVATED') sentences.push('when it was deactivated');
  if (source.variant === 'eth-oracle' && called !== undefined && 'problem' in called)
    sentences.push(`the types of the call: ${called.problem}`);
  return sentences;
}

// Seconds that a node may be behind without a word.
const LATE = 120n;
