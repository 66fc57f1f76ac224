import { type Json, type JsonObject, jsonText, member } from '../../api/json.ts';
import { fromRfc3339 } from '../../api/node-values.ts';
import { durationInWords } from '../../insight/duration.ts';
import type { Ask } from '../explanation.ts';

/** When the next epoch begins. */
export interface NextEpoch {
  /** Its number; '' if the node does not say. */
  readonly epoch: string;
  readonly atMs: number;
  /** Negative if it should have begun already. */
  readonly inMs: number;
  /** How far the chain's clock is behind this machine's. */
  readonly behindMs: number;
}

/** From the core of the node; undefined if it cannot be reached or does not say. */
export async function nextEpoch(ask: Ask, nowMs: number): Promise<NextEpoch | undefined> {
  const statistics = member(await ask({ path: 'statistics', query: [] }), 'statistics');
  const atMs = readTime(member(statistics, 'epochExpiryTime'));
  if (atMs === undefined) return undefined;
  // The chain's clock decides; this machine's may be wrong.
  const chainMs = readTime(member(statistics, 'vegaTime'));
  const clockMs = chainMs ?? nowMs;
  const epoch = jsonText(member(statistics, 'epochSeq'));
  return {
    epoch: /^\d{1,20}$/.test(epoch) ? String(BigInt(epoch) + 1n) : '',
    atMs,
    inMs: atMs - clockMs,
    behindMs: nowMs - clockMs,
  };
}

/** RFC 3339 as Go writes it, with a zone; undefined for anything else. */
const readTime = (value: Json | undefined): number | undefined => fromRfc3339(jsonText(value)) ?? undefined;

/** `in 1 h 12 min, when epoch 44 begins (2026-11-22 13:40 UTC)` */
export function epochText(next: NextEpoch | undefined): string {
  if (next === undefined) return 'when the next epoch begins; the node does not say when';
  const name = next.epoch === '' ? 'the next epoch' : `epoch ${next.epoch}`;
  const at = new Date(next.atMs).toISOString().slice(0, 16).replace('T', ' ');
  if (next.inMs <= 0) return `when ${name} begins, which is due (${at} UTC)`;
  const clock =
    next.behindMs < LATE_MS ? '' : ` by the node's clock, which is ${inWords(next.behindMs)} behind this machine's`;
  return `in ${inWords(next.inMs)}${clock}, when ${name} begins (${at} UTC)`;
}

// A smaller difference is not mentioned.
const LATE_MS = 120_000;

/** To the minute; to the second below a minute. */
function inWords(ms: number): string {
  const stepMs = ms < 60_000 ? 1000 : 60_000;
  return durationInWords(BigInt(Math.max(stepMs, Math.floor(ms / stepMs) * stepMs)) * 1_000_000n);
}

export const epochJson = (next: NextEpoch | undefined): JsonObject | null =>
  next === undefined
    ? null
    : {
        epoch: next.epoch === '' ? null : next.epoch,
        at: new Date(next.atMs).toISOString(),
        inSeconds: Math.floor(next.inMs / 1000),
      };
