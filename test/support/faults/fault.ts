import { setTimeout as wait } from 'node:timers/promises';
import type { DemoSegment } from '../../../src/node/demo/segments.ts';
import type { Failure } from '../../../src/node/gateway/failure.ts';
import type { NodeReply } from '../../../src/node/gateway/reply.ts';
import type { ExportFraming } from '../../../src/node/history/export-framing.ts';
import type { ArchivePlan, ExportRequest } from '../../../src/node/history/export-plan.ts';
import type { ExportMessage } from '../../../src/node/history/export-stream.ts';

/** A way for the embedded node to misbehave on request. */
export interface Fault {
  /**
   * Where it happens. `unary`: in a unary call that the gateway accepts. `body`: before its body is sent. `export`: in an
   * export with an accepted range. `backwards`: in one with a backwards range between two existing bounds. `history` and
   * `head`: in the history or the newest block, from the start.
   */
  readonly on: 'answer' | 'unary' | 'body' | 'export' | 'backwards' | 'history' | 'head';
  readonly about: string;
  /** The value needed after the name, if any. */
  readonly value?: FaultValue;
  readonly strike: Wait | Strike;
}

export interface FaultValue {
  readonly form: 'MS' | 'SECONDS' | 'BYTES';
  /** One unit of the value in milliseconds or bytes. */
  readonly unit: number;
}

/** A delay; it is added to any other fault. */
export interface Wait {
  readonly kind: 'wait';
}

export type Strike =
  | { readonly kind: 'reply'; readonly reply: NodeReply }
  | { readonly kind: 'reset' }
  | { readonly kind: 'limited' }
  /** The node ends, with all its connections. */
  | { readonly kind: 'death' }
  /** Limits the bytes of a message. */
  | { readonly kind: 'message-limit' }
  /** A segment is closed at this interval in milliseconds, and the oldest is removed. */
  | { readonly kind: 'growth' }
  /** How many milliseconds the newest block is behind that of the core. */
  | { readonly kind: 'lag' }
  | { readonly kind: 'export'; readonly damage: ExportDamage };

/** What breaks in an export, by stage; a missing stage works as it should. */
export interface ExportDamage {
  readonly refusal?: (request: ExportRequest) => Failure;
  readonly segments?: (plan: ArchivePlan) => SegmentDamage;
  readonly entryName?: (name: string) => string;
  readonly fileName?: (name: string) => string;
  readonly messages?: (messages: AsyncIterable<ExportMessage>, signal: AbortSignal) => AsyncIterable<ExportMessage>;
  readonly framing?: ExportFraming;
  readonly isGzipped?: true;
}

/** Changes the lines of a segment on their way into a CSV. If it throws at once, the segment cannot be opened. */
export type SegmentDamage = (lines: Iterable<string>, segment: DemoSegment) => Iterable<string>;

/** Waits, but no longer than the client stays connected. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await wait(waitMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
