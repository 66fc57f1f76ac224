import type { SegmentDamage } from '../demo/history/tables.ts';
import type { Failure } from '../gateway/failure.ts';
import type { Reply } from '../gateway/reply.ts';
import type { ExportFraming } from '../history/export-framing.ts';
import type { ExportPlan, ExportRequest } from '../history/export-plan.ts';
import type { ExportMessage } from '../history/export-stream.ts';
import type { ArchiveQuirks } from '../history/zip-archive.ts';

/** A way in which the node misbehaves on request. */
export interface Fault {
  /**
   * What it meets: every answer, a unary call about to spend a token, its body about to be sent, an export whose range
   * was accepted, one whose range runs backwards between two bounds that there are, or the history or the newest block from
   * the start on.
   */
  readonly on: 'answer' | 'unary' | 'body' | 'export' | 'backwards' | 'history' | 'head';
  readonly about: string;
  /** What is given behind the name where something must be. */
  readonly value?: FaultValue;
  readonly strike: Wait | Strike;
}

export interface FaultValue {
  /** As the help shows it. */
  readonly form: 'MS' | 'SECONDS' | 'BYTES';
  /** What one of it is in milliseconds or bytes. */
  readonly unit: number;
}

/** A delay; it comes on top of any other fault. */
export interface Wait {
  readonly kind: 'wait';
}

export type Strike =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'reset' }
  | { readonly kind: 'limited' }
  /** The process is gone, and its connections with it. */
  | { readonly kind: 'death' }
  /** A message may have so many bytes. */
  | { readonly kind: 'message-limit' }
  /** A segment is closed every so many milliseconds, and the oldest goes. */
  | { readonly kind: 'growth' }
  /** The newest block is so many milliseconds older than that of the core. */
  | { readonly kind: 'lag' }
  | { readonly kind: 'export'; readonly damage: ExportDamage };

/** What is done to an export, by the stage of its making; a stage left out is as it should be. */
export interface ExportDamage {
  readonly refusal?: (request: ExportRequest) => Failure;
  readonly segments?: (plan: ExportPlan) => SegmentDamage;
  readonly entryName?: (name: string) => string;
  readonly fileName?: (name: string) => string;
  readonly archive?: ArchiveQuirks;
  readonly messages?: (messages: AsyncIterable<ExportMessage>, signal: AbortSignal) => AsyncIterable<ExportMessage>;
  readonly framing?: ExportFraming;
  readonly isGzipped?: true;
}
