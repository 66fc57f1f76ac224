import type { Json, JsonObject } from '../api/json.ts';
import type { NodeRequest } from '../api/request.ts';
import type { Directory } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import type { Tone } from '../insight/kind.ts';
import type { Around, Row } from '../resources/resource.ts';

/** What a record means. Text may hold words of the chain: sanitise it before drawing. */
export interface Explanation {
  /** In the order of the screen; the first has no title and answers the question the list is opened with. */
  readonly parts: readonly Part[];
  /** The same with the stable member names of docs/explain.md; amounts as `{raw, value, symbol}`. */
  readonly json: JsonObject;
  /** What is worth taking along, beside the record itself. */
  readonly copies: readonly Copyable[];
}

export interface Part {
  readonly title: string;
  /** Not unfolded in the inspector until asked for. */
  readonly isFolded?: true;
  readonly lines: readonly ExplainedLine[];
}

export interface ExplainedLine {
  /** '' for a sentence. */
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone;
  /** What is copied of the line, where that is not its text: the whole id of a name. */
  readonly copied?: string;
  /** What one can go to from it. */
  readonly leadsTo?: { readonly entity: Entity; readonly id: string };
}

/** `calldata` is what the key `C` copies. */
export interface Copyable {
  readonly what: string;
  readonly text: string;
}

/** What an explanation is made of beside the record. */
export interface Knowledge {
  readonly directory: Directory;
  readonly nowMs: number;
  readonly around: Around;
  readonly ask: Ask;
  /** Addresses that the user says sign for the contract, with a name or ''. */
  readonly signers?: ReadonlyMap<string, string>;
  /** Of the contract, in thousandths, where the user says it. */
  readonly threshold?: number;
  /** How many signers the contract has, where the user says it. */
  readonly signerCount?: number;
}

/**
 * Asks the node for more; undefined when the node does not serve it, or not now: the explanation then says less. The
 * same request is asked once. Throws when the whole explanation is aborted, and then alone.
 */
export type Ask = (request: NodeRequest) => Promise<Json | undefined>;

/** Explains one record. It never throws whatever the record holds; only `ask` may, when aborted. */
export type Explainer = (row: Row, knowledge: Knowledge) => Promise<Explanation>;
