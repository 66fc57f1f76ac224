/** What the name of a CSV in an archive says. */
export interface EntryName {
  readonly chainId: string;
  readonly table: string;
  /** Deployed nodes always write it; by the published interface it may be absent from an only entry. */
  readonly schemaVersion: number | undefined;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** `<chainId>-<table>-[<version>-]<from>-<to>.csv`, from the right: chain ids contain hyphens. */
export function parseEntryName(name: string): EntryName | undefined {
  const match = /^(.+)-([a-z][a-z_]*)-(?:(\d{1,9})-)?(\d{1,19})-(\d{1,19})\.csv$/s.exec(name);
  if (!match) return undefined;
  const [, chainId = '', table = '', version, from = '', to = ''] = match;
  return {
    chainId,
    table,
    schemaVersion: version === undefined ? undefined : Number(version),
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
  };
}

/** As it stands in a sentence: names come from the node, and may be as long as 64 KiB. */
export const shownName = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}...` : name);

/** Why a name must never be used as a path, or undefined when it may. */
export function hazardOf(name: string): string | undefined {
  return HAZARDS.find(hazard => hazard.pattern.test(name))?.text;
}

const HAZARDS: readonly { readonly pattern: RegExp; readonly text: string }[] = [
  { pattern: /^$/, text: 'is empty' },
  { pattern: /[\u0000-\u001f\u007f-\u009f]/, text: 'holds control characters' },
  { pattern: /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, text: 'holds characters that reverse text' },
  { pattern: /\ufffd/, text: 'is not UTF-8' },
  { pattern: /^[A-Za-z]:/, text: 'names a drive' },
  { pattern: /[/\\]/, text: 'holds a path separator' },
  { pattern: /\.\./, text: 'climbs out of its folder' },
  { pattern: /^.{256}/su, text: 'is longer than 255 characters' },
];
