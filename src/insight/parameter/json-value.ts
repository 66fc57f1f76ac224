/** A document in a few words: the name and length of its only list, or the number of its members. */
export function jsonInWords(text: string): string {
  if (text.length > LONGEST_DOCUMENT) return '';
  const document = documentIn(text);
  if (Array.isArray(document)) return elements(document.length);
  if (typeof document !== 'object' || document === null) return '';
  const members = Object.entries(document);
  const [first] = members;
  if (members.length === 1 && first !== undefined && Array.isArray(first[1])) return `${first[0]}: ${first[1].length}`;
  return `${members.length} ${members.length === 1 ? 'member' : 'members'}`;
}

// Runs for a cell at every key press.
const LONGEST_DOCUMENT = 100_000;

const elements = (count: number): string => `${count} ${count === 1 ? 'element' : 'elements'}`;

// Its numbers are not shown, so plain JSON.parse is enough.
function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
