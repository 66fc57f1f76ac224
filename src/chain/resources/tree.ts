import {
  isJsonArray,
  isJsonObject,
  isRawNumber,
  type Json,
  type JsonObject,
  jsonText,
  parseJson,
} from '../api/json.ts';
import type { Denomination } from '../directory/denomination.ts';
import type { Entity } from '../directory/entity.ts';
import { countOf } from '../insight/count-of.ts';
import type { Kind, Tone } from '../insight/kind.ts';
import type { RecordContext, Resource, Row } from './resource.ts';

/** A line of the inspector and the lines below it. Text is as the node sent it: sanitise it before drawing. */
export interface TreeNode {
  /** Unique in its tree and usable in jq: `data.external.ethOracle.args[0]`. Sections have a title in brackets. */
  readonly path: string;
  readonly label: string;
  readonly kind: Kind;
  /** Undefined for a section; the sentence of a note. */
  readonly value: Json | undefined;
  /** What its id identifies. */
  readonly entity?: Entity;
  /** What its amount counts. */
  readonly counted?: Denomination;
  /** Number of children, known without creating them. */
  readonly size: number;
  readonly children: () => readonly TreeNode[];
  /** The same of a value, one by one and uncached: all nodes of a long list may be too many for the memory. */
  readonly eachChild?: () => Iterable<TreeNode>;
  /** Whether it starts unfolded, if its content does not decide that. */
  readonly isOpenAtFirst?: boolean;
  readonly tone?: Tone;
  /** The text to copy, if it is not the value. */
  readonly copied?: string;
  /** Drawn behind the value where there is room, to compare lines by eye. */
  readonly bar?: string;
  /** The id it links to, if no member of the record contains it. */
  readonly leadsTo?: { readonly entity: Entity; readonly id: string };
}

/** The record as a tree of sections. Members outside every section come last, so nothing is missing. */
export function recordTree(resource: Resource, row: Row, around: RecordContext): readonly TreeNode[] {
  const of = { resource, row };
  const claimed = new Set(resource.sections.flatMap(section => section.paths));
  const sections = resource.sections.flatMap(section => {
    const members = section.paths.flatMap(path => {
      const value = memberAtPath(row, path);
      return value === undefined ? [] : [valueNode(of, path, path.replace(/^.*\./, ''), value)];
    });
    const [only] = members;
    if (only === undefined) return [];
    const notes = (section.notes?.(row, around) ?? []).map((note, index) => noteNode(section.title, note, index));
    if (members.length === 1 && notes.length === 0 && isBranch(only))
      return [{ ...only, label: section.title, isOpenAtFirst: true }];
    return [sectionNode(section.title, [...notes, ...members])];
  });
  const others = unclaimedNodes(of, row, '', claimed);
  return others.length === 0 ? sections : [...sections, sectionNode('Other members', others)];
}

/** A short summary of a branch, or the value of a leaf. */
export function nodeText(node: TreeNode): string {
  const { value } = node;
  if (isJsonArray(value)) return value.length === 0 ? 'empty list' : countOf(value.length, 'element');
  if (isJsonObject(value)) return node.size === 0 ? 'empty object' : '';
  if (value === null) return 'null';
  return value === '' ? '""' : jsonText(value);
}

/** Text or a number, which a kind can show. */
export const isScalar = (value: Json | undefined): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || isRawNumber(value);

export const isBranch = (node: TreeNode): boolean => node.size > 0;

/** A section with a title and its lines. */
export function sectionNode(title: string, children: readonly TreeNode[], isOpenAtFirst = true): TreeNode {
  return {
    path: `[${title}]`,
    label: title,
    kind: 'text',
    value: undefined,
    size: children.length,
    children: () => children,
    isOpenAtFirst,
  };
}

function noteNode(section: string, note: string, index: number): TreeNode {
  return {
    path: `[${section}] note ${index}`,
    label: '',
    kind: 'text',
    value: note,
    size: 0,
    children: () => [],
  };
}

interface RecordOf {
  readonly resource: Resource;
  readonly row: Row;
}

function valueNode(of: RecordOf, path: string, label: string, value: Json): TreeNode {
  const { kinds, entities = {}, units = {} } = of.resource;
  const known = path.replace(/\[\d+\]/g, '.*');
  const kind = own(kinds, known) ?? 'text';
  const entity = own(entities, known);
  const counted = own(units, known)?.(of.row);
  const content = kind === 'json' && typeof value === 'string' ? (embeddedJson(value) ?? value) : value;
  const names = isJsonArray(content) ? content.length : isJsonObject(content) ? Object.keys(content).length : 0;
  return {
    path,
    label,
    kind,
    value,
    ...(entity !== undefined && { entity }),
    ...(counted !== undefined && { counted }),
    size: names,
    ...(names === 0 ? LEAF : withMembers(() => memberNodes(of, path, content))),
  };
}

const withMembers = (eachChild: () => Iterable<TreeNode>) => ({ children: once(() => [...eachChild()]), eachChild });

// A record may have hundreds of thousands of values; a list for each leaf would take most of the memory.
const NONE: readonly TreeNode[] = [];
const LEAF = { children: (): readonly TreeNode[] => NONE };

// A member may be called `constructor`.
const own = <Value>(table: { readonly [path: string]: Value }, path: string): Value | undefined =>
  Object.hasOwn(table, path) ? table[path] : undefined;

/** Creates a value on the first call. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function* memberNodes(of: RecordOf, path: string, content: Json): Iterable<TreeNode> {
  if (isJsonArray(content))
    for (const [index, item] of content.entries()) yield valueNode(of, `${path}[${index}]`, String(index), item);
  else if (isJsonObject(content))
    for (const [name, item] of Object.entries(content)) yield valueNode(of, joinPath(path, name), name, item);
}

/** The JSON document inside a string (an ABI, a parameter's value), if it is an object or a list. */
export function embeddedJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function unclaimedNodes(
  of: RecordOf,
  value: JsonObject,
  path: string,
  claimed: ReadonlySet<string>,
): readonly TreeNode[] {
  return Object.entries(value).flatMap(([name, item]) => {
    const here = joinPath(path, name);
    if (claimed.has(here)) return [];
    const isAncestor = [...claimed].some(claim => claim.startsWith(`${here}.`));
    if (isAncestor && isJsonObject(item) && Object.keys(item).length > 0)
      return unclaimedNodes(of, item, here, claimed);
    return [valueNode(of, here, here, item)];
  });
}

function memberAtPath(row: Row, path: string): Json | undefined {
  let value: Json | undefined = row;
  for (const name of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const joinPath = (path: string, name: string): string => {
  const step = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? step : `${path}.${step}`;
};
