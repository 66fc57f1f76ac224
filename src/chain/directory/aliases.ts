/** The user's aliases by id in lower case. A blank alias would hide its id, so it is dropped. */
export function aliasesById(given: { readonly [id: string]: string } = {}): ReadonlyMap<string, string> {
  const words = Object.entries(given).map(([id, word]) => [id.trim().toLowerCase(), word.trim()] as const);
  return new Map(words.filter(([, word]) => word !== ''));
}
