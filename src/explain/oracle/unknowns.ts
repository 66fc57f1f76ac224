import { roughlyInWords } from '../../insight/oracle/unix-seconds.ts';
import type { KnownSpec } from './known-spec.ts';

/** What is unknown about a spec, in sentences. */
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
  delivery,
}: KnownSpec): readonly string[] {
  const sentences: string[] = [];
  if (otherSources.length > 0)
    sentences.push(`the other definitions: this is the first of ${otherSources.length + 1} definitions`);
  if (markets === undefined) sentences.push('which markets use it: no market is loaded');
  if (arrivals === undefined && source.variant !== 'none')
    sentences.push('the last value: the node does not serve it, or not now');
  if (!saysBlockTime && source.variant === 'eth-oracle' && arrivals !== undefined && delivery.kind === 'was-due')
    sentences.push('whether a value is late: the node did not give the time of its last block');
  if (now - heardAt > LATE)
    sentences.push(`what happened in the last ${roughlyInWords(now - heardAt)}: the node has no later block`);
  if (status === 'STATUS_DEACTIVATED') sentences.push('when it was deactivated');
  if (source.variant === 'eth-oracle' && called !== undefined && 'problem' in called)
    sentences.push(`the types of the call: ${called.problem}`);
  return sentences;
}

// A node this many seconds behind is not mentioned.
const LATE = 120n;
