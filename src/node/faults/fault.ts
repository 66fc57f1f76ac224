import type { SegmentDamage } from '../demo/history/tables.ts';
import type { Failure } from '../gateway/failure.ts';
import type { Reply } from '../gateway/reply.ts';
import type { ExportFraming } from '../history/export-framing.ts';
import type { ExportPlan, ExportRequest } from '../history/export-plan.ts';
import type { ExportMessage } from '../history/export-stream.ts';
import type { ArchiveQuirks } from '../history/zip-archive.ts';

/** A way in which the node misbehaves on request. */
export interface Fault {
  /** What it meets: every answer, a unary call about to spend a token, or an export whose range was accepted. */
  readonly on: 'answer' | 'unary' | 'export';
  readonly about: string;
  readonly strike: Wait | Strike;
}

/** A delay; it comes on top of any other fault. Its value is given in `unitMs`. */
export interface Wait {
  readonly kind: 'wait';
  readonly unitMs: number;
}

export type Strike =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'reset' }
  | { readonly kind: 'limited' }
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
