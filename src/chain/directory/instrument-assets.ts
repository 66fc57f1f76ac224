/** Bonds and liquidity fees of a spot market are in its quote asset. */
const ASSETS: readonly string[] = ['settlementAsset', 'quoteAsset', 'baseAsset'];

/** The settlement or quote asset in the text of a `tradable_instrument`, and the others that it names; in lower case. */
export function assetsOfInstrument(text: string): readonly string[] {
  const found = new Map<string, string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === 'string' && ASSETS.includes(name)) found.set(name, inner.toLowerCase());
      else look(inner);
  };
  try {
    look(JSON.parse(text));
  } catch {
    return [];
  }
  return ASSETS.flatMap(name => found.get(name) ?? []);
}
