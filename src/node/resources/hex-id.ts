/** Ids that are accepted although they are not hex (node-behaviour.md section 1.5). */
const WELL_KNOWN_IDS: readonly string[] = [
  'VOTE',
  'network',
  'XYZalpha',
  'XYZbeta',
  'XYZdelta',
  'XYZepsilon',
  'XYZgamma',
  'fBTC',
  'fDAI',
  'fEURO',
  'fUSDC',
];

/** Filters accept any hex of even length in either case; rows have lower case. */
export function isHexFilterId(text: string): boolean {
  return WELL_KNOWN_IDS.includes(text) || (/^[0-9a-f]*$/i.test(text) && text.length % 2 === 0);
}

/** The id as the rows hold it. */
export function normaliseId(text: string): string {
  return WELL_KNOWN_IDS.includes(text) ? text : text.toLowerCase();
}

export function invalidIdMessage(text: string): string {
  return `decoding '${text}': not a valid hex id (or well known exception)`;
}

/** A look-up by id accepts only all 64 digits, in either case. */
export function isFullHexId(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}
