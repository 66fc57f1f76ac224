import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../../base/text/safe-text.ts';
import type { NodeError } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/json.ts';
import type { NodeRequest } from '../api/request.ts';
import type { Directory } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import type { Tone } from '../insight/kind.ts';
import { labelCells, labelledLine } from '../resources/record-text.ts';
import type { RecordContext, Row } from '../resources/resource.ts';

/** What a record means. Text may hold words of the chain: sanitise it before drawing. */
export interface Explanation {
  /** In screen order; the first has no title and answers the question the list is opened for. */
  readonly parts: readonly ExplanationPart[];
  /** The same with the stable member names of docs/guides/meaning.md; amounts as `{raw, value, symbol}`. */
  readonly json: JsonObject;
  /** Texts that can be copied, in addition to the record itself. */
  readonly copies: readonly Copyable[];
}

export interface ExplanationPart {
  readonly title: string;
  /** Folded at first in the inspector. */
  readonly isFolded?: true;
  readonly lines: readonly ExplainedLine[];
}

export interface ExplainedLine {
  /** '' for a sentence. */
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone;
  /** The text to copy, if it is not the text of the line: the whole id of a name. */
  readonly copied?: string;
  /** The text in a few words, for where many records pass by. */
  readonly short?: string;
  /** To be run whole: shortened to a line it would look as if it could be. */
  readonly isCommand?: true;
  /** Drawn behind the text where there is room, to compare lines by eye. */
  readonly bar?: string;
  /** The id the line links to. */
  readonly leadsTo?: { readonly entity: Entity; readonly id: string };
}

/** The key `C` copies `calldata`. */
export interface Copyable {
  readonly what: string;
  readonly text: string;
}

/** The input of an explainer, in addition to the record. */
export interface ExplainContext {
  readonly directory: Directory;
  /** On a chain that has ended, the time of its newest block. */
  readonly nowMs: number;
  /** No later block will come. */
  readonly hasEnded?: boolean;
  readonly around: RecordContext;
  readonly ask: Ask;
  /** Signers of the contract named by the user, with a name or ''. */
  readonly signers?: ReadonlyMap<string, string>;
  /** The threshold of the contract in thousandths, if given by the user. */
  readonly threshold?: number;
  /** How many signers the contract has, if given by the user. */
  readonly signerCount?: number;
  /** The reader can give the three above by flags, and is told so. */
  readonly hasFlags?: true;
}

/**
 * Requests more from the node; undefined if the node does not serve it or fails, and the explanation is then less
 * complete. The same request is sent once. Throws only when the explanation is aborted.
 */
export type Ask = (request: NodeRequest, onFailure?: (error: NodeError) => void) => Promise<Json | undefined>;

/** Explains one record. Never throws, whatever the record holds; only `ask` may, when aborted. */
export type Explainer = (row: Row, knowledge: ExplainContext) => Promise<Explanation>;

/** Every part, including folded ones, uncut. */
export function explanationText({ parts }: Explanation): SafeText {
  const texts = parts.map(({ title, lines }) => {
    const indent = title === '' ? EMPTY : safeText`  `;
    const heading = title === '' ? EMPTY : safeLine(title);
    const cells = labelCells(lines.map(({ label }) => label));
    const printed = lines.map(({ label, text }) => {
      const line = label === '' ? safeLine(text) : labelledLine(label, sanitize(text), cells);
      return safeText`${indent}${line}`;
    });
    return safeText`${heading}${joinSafe(printed)}`;
  });
  return joinSafe(texts, safeText`\n`);
}
