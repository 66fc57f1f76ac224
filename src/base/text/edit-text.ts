import { clusters } from './clusters.ts';
import { normaliseTypedLine } from './safe-text.ts';

/** The text of a field, and where the cursor stands in it: a UTF-16 position between two characters as people see them. */
export interface EditedText {
  readonly text: string;
  readonly at: number;
}

/** Longer text is not a filter, and nodes refuse such addresses anyway. */
export const MAX_FIELD_LENGTH = 4096;

export type TextEdit =
  | 'left'
  | 'right'
  | 'to-start'
  | 'to-end'
  | 'remove-before'
  | 'remove-after'
  | 'remove-word'
  | 'remove-to-start'
  | 'remove-to-end';

/** The text after a key that moves the cursor or removes something. */
export function editText({ text, at }: EditedText, edit: TextEdit): EditedText {
  switch (edit) {
    case 'left':
      return { text, at: edgeBefore(text, at) };
    case 'right':
      return { text, at: edgeAfter(text, at) };
    case 'to-start':
      return { text, at: 0 };
    case 'to-end':
      return { text, at: text.length };
    case 'remove-before':
      return removeBetween(text, edgeBefore(text, at), at);
    case 'remove-after':
      return removeBetween(text, at, edgeAfter(text, at));
    case 'remove-word':
      return removeBetween(text, wordBefore(text, at), at);
    case 'remove-to-start':
      return removeBetween(text, 0, at);
    case 'remove-to-end':
      return removeBetween(text, at, text.length);
  }
}

/** The text with another inserted at the cursor, cut to what a field has room for. */
export function insertText({ text, at }: EditedText, inserted: string, longest: number): EditedText {
  const head = normaliseTypedLine(text.slice(0, at) + inserted);
  const tail = text.slice(at);
  const room = Math.max(at, longest - tail.length);
  const taken = head.length <= room ? head : head.slice(0, edgeAtOrBefore(head, room));
  return normaliseField(taken + tail, taken.length);
}

const removeBetween = (text: string, from: number, to: number): EditedText =>
  normaliseField(text.slice(0, from) + text.slice(to), from);

/** A field never begins with a space, and joined text may now be one character. */
function normaliseField(text: string, at: number): EditedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.slice(start);
  const moved = Math.max(0, at - start);
  return { text: trimmed, at: isEdge(trimmed, moved) ? moved : edgeAfter(trimmed, moved) };
}

/** Where the word before the cursor begins; spaces between the two belong to it. */
function wordBefore(text: string, at: number): number {
  let from = at;
  while (from > 0 && isBlankBefore(text, from)) from = edgeBefore(text, from);
  while (from > 0 && !isBlankBefore(text, from)) from = edgeBefore(text, from);
  return from;
}

const isBlankBefore = (text: string, at: number): boolean => text.slice(edgeBefore(text, at), at).trim() === '';

const edgeBefore = (text: string, at: number): number => (at <= 0 ? 0 : edgeAtOrBefore(text, at - 1));

const edgeAtOrBefore = (text: string, at: number): number =>
  at >= text.length ? text.length : (clusters(text).containing(at)?.index ?? 0);

function edgeAfter(text: string, at: number): number {
  const cluster = clusters(text).containing(at);
  return cluster === undefined ? text.length : cluster.index + cluster.segment.length;
}

const isEdge = (text: string, at: number): boolean => edgeAtOrBefore(text, at) === at;
