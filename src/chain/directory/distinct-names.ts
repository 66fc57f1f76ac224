import { looksLikeId } from '../../base/text/ids.ts';
import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';

/** The displayed names of one kind of entity, by id: no two look the same. */
export function distinctNames(named: Iterable<readonly [id: string, name: string]>): ReadonlyMap<string, SafeText> {
  const given = Map.groupBy(named, ([id]) => id);
  given.delete('');
  const plain = new Map([...given].map(([id, names]) => [id, readable(combineNames(names.map(([, name]) => name)))]));
  const shown = new Map([...plain].filter(([, name]) => name !== '' && !looksLikeShownId(name)));
  // A name may itself end in the digits that distinguish two others: then all three get more digits.
  for (const digits of [4, 8, 16, Number.POSITIVE_INFINITY]) {
    const alike = findAlikeNames(shown);
    if (alike.length === 0) break;
    for (const id of alike.flat()) shown.set(id, withDigits(plain.get(id), id, digits));
  }
  return shown;
}

/** Joins several different names of one id, so that none is shown as the only one. */
function combineNames(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names.filter(name => name.trim() !== ''));
  if (others.length < 2) return [first, ...others].join(' or ');
  return `${first} or ${others.length} others`;
}

function findAlikeNames(shown: ReadonlyMap<string, SafeText>): readonly (readonly string[])[] {
  const groups = Map.groupBy(shown.keys(), id => shown.get(id)?.normalize('NFKC').toLowerCase());
  return [...groups.values()].filter(({ length }) => length > 1);
}

const withDigits = (name: SafeText | undefined, id: string, digits: number): SafeText =>
  safeText`${name ?? sanitize('')} ${sanitize(id.replace(/^0x/, '').slice(0, digits))}`;

/** Blanks collapse, since a reader cannot see them. A name that could be read as part of the text before it is quoted. */
function readable(name: string): SafeText {
  const safe = sanitize(name.replace(/\s+/g, ' ').trim());
  return PASSES_FOR_MORE.test(safe.normalize('NFKC')) || looksLikeOwnName(safe) ? safeText`"${safe}"` : safe;
}

/** Looks like an alias, like three more digits of an amount, or like the default unit of amounts. */
const PASSES_FOR_MORE = /^(?:@|\p{N}{3}(?!\p{N})|smallest)/iu;

/** Whether a name of the chain could be read as one of the user's. */
export const looksLikeOwnName = (name: string): boolean =>
  /^you(?![\p{L}\p{N}])|,\s*you$|\(\s*you\s*\)$/iu.test(name.normalize('NFKC'));

/** Looks like a shortened id, or is as long as one. */
const looksLikeShownId = (name: string): boolean => SHORTENED_ID.test(name) || looksLikeId(name);

const SHORTENED_ID = /^(?:0x)?[0-9a-f]+(?:\.\.|\u2026)[0-9a-f]*$/i;

/** Whether a name of the chain could be read as an id, as the user's, or as something else that is shown. */
export const looksMisleading = (name: string): boolean =>
  looksLikeShownId(name.trim()) || PASSES_FOR_MORE.test(name.trim().normalize('NFKC')) || looksLikeOwnName(name.trim());
