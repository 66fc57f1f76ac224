import { looksLikeId } from '../../../../base/text/ids.ts';
import type { Explanation, ExplanationPart } from '../../../../chain/explain/explanation.ts';
import { EXPLAINERS } from '../../../../chain/explain/registry.ts';
import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import { sectionNode, type TreeNode } from '../../../../chain/resources/tree.ts';
import type { Inspector, Meaning } from '../state.ts';

/** The meaning of a record just opened: it is worked out by the request with this id. */
export const initialMeaning = (resource: Resource, requestId: number): Meaning =>
  Object.hasOwn(EXPLAINERS, resource.id) ? { status: 'asked', requestId, isSlow: false } : { status: 'none' };

/** The id of the request that works out a meaning. */
export function meaningRequestId(meaning: Meaning): number | null {
  switch (meaning.status) {
    case 'asked':
    case 'known':
      return meaning.requestId;
    case 'none':
    case 'failed':
      return null;
  }
}

/** Useful items to copy from the open record. */
export const explanationCopies = (inspector: Inspector | null | undefined): Explanation['copies'] =>
  inspector?.meaning.status === 'known' ? inspector.meaning.explanation.copies : [];

/** What the key `C` copies. */
export const calldataOf = (inspector: Inspector | null | undefined): string | undefined =>
  explanationCopies(inspector).find(({ what }) => what === 'calldata')?.text;

/** The record's own fields below their meaning; only the fields if nothing explains them. */
export function withMeaning(meaning: Meaning, row: Row, fields: readonly TreeNode[]): readonly TreeNode[] {
  const sent = (isOpen: boolean): TreeNode => ({
    ...sectionNode(`Fields as sent (${Object.keys(row).length})`, fields, isOpen),
    path: SENT_FIELDS_PATH,
  });
  switch (meaning.status) {
    case 'none':
      return fields;
    case 'asked':
      return [sentenceNode('Loading the explanation', 'quiet'), sent(meaning.isSlow)];
    case 'known':
      return [...meaning.explanation.parts.flatMap(partNodes), sent(false)];
    case 'failed':
      return [sentenceNode(`The explanation could not be loaded: ${meaning.problem}`, 'pending'), sent(true)];
  }
}

/** The path of the line above the fields. */
export const SENT_FIELDS_PATH = '[fields as sent]';

const sentenceNode = (text: string, tone: TreeNode['tone']): TreeNode =>
  lineNode('[meaning]', { label: '', text, ...(tone !== undefined && { tone }) });

function partNodes({ title, isFolded, lines }: ExplanationPart, index: number): readonly TreeNode[] {
  const path = `[part ${index}]`;
  const nodes = lines.map((line, place) => lineNode(`${path} ${place}`, line));
  return title === '' ? nodes : [{ ...sectionNode(title, nodes, isFolded !== true), path }];
}

// Both ends of an id or an address tell it from others, where it has no room.
const lineNode = (
  path: string,
  { label, text, tone, copied, isCommand, bar, leadsTo }: ExplanationPart['lines'][number],
): TreeNode => ({
  path,
  label,
  kind: looksLikeId(text) ? 'id' : 'text',
  value: isCommand ? `y copies it (${text.length} characters)` : text,
  size: 0,
  children: () => [],
  ...(tone !== undefined && { tone }),
  ...(bar !== undefined && { bar }),
  ...(leadsTo !== undefined && { leadsTo }),
  copied: copied ?? text,
});
