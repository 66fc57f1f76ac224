/** The user's own words by id in lower case, as ids are looked for. A word of blanks alone would hide an id and is none. */
export function aliasesById(given: { readonly [id: string]: string } = {}): ReadonlyMap<string, string> {
  const words = Object.entries(given).map(([id, word]) => [id.trim().toLowerCase(), word.trim()] as const);
  return new Map(words.filter(([, word]) => word !== ''));
}
