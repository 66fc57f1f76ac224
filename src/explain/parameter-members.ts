import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';
import { secondsInWords } from '../insight/duration.ts';
import { unitOfMember } from '../insight/parameter/parameter-unit.ts';
import { valueInUnit } from '../insight/parameter/value-in-unit.ts';
import { embeddedJson, isScalar } from '../resources/tree.ts';
import type { ExplainedLine } from './explanation.ts';

/** Members of a JSON parameter whose unit is known, in words: `triggers[0].horizon  6 min`. */
export function memberLines(text: string): readonly ExplainedLine[] {
  const document = embeddedJson(text);
  if (document === undefined) return [];
  const lines: ExplainedLine[] = [];
  addMembers(lines, document, '', 0);
  return lines;
}

// Nobody reads more, and the document is below as a tree.
const MOST_LINES = 40;
const DEEPEST = 5;

function addMembers(lines: ExplainedLine[], value: Json, path: string, depth: number): void {
  if (depth > DEEPEST) return;
  const members = isJsonArray(value)
    ? value.map((item, index) => ['', `${path}[${index}]`, item] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(([name, item]) => [name, path === '' ? name : `${path}.${name}`, item] as const)
      : [];
  for (const [name, label, item] of members) {
    if (lines.length === MOST_LINES) return;
    const words = isScalar(item) ? wordsOf(name, jsonText(item)) : '';
    if (words !== '') lines.push({ label, text: words, copied: jsonText(item) });
    else addMembers(lines, item, label, depth + 1);
  }
}

function wordsOf(name: string, text: string): string {
  const unit = unitOfMember(name);
  if (unit === undefined) return '';
  return unit === 'seconds' ? secondsInWords(text) : (valueInUnit(unit, text, undefined)?.words ?? '');
}
