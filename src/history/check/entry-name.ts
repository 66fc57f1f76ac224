/** The parts of the name of a CSV in an archive. */
export interface EntryName {
  readonly chainId: string;
  readonly table: string;
  /** Nodes always write it. The published interface allows a single entry without it. */
  readonly schemaVersion: number | undefined;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Parses `<chainId>-<table>-[<version>-]<from>-<to>.csv` from the right, as chain ids contain hyphens
 * (export-behaviour.md section 1.4). Undefined for any other name.
 */
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

/** A name shortened for messages. Names come from the node and can be 64 KiB long. */
export const shortenEntryName = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}...` : name);

/** Why a name is dangerous as a path, or undefined. */
export function pathHazard(name: string): string | undefined {
  return PATH_HAZARDS.find(hazard => hazard.pattern.test(name))?.text;
}

const PATH_HAZARDS: readonly { readonly pattern: RegExp; readonly text: string }[] = [
  { pattern: /^$/, text: 'is empty' },
  { pattern: /[\u0000-\u001f\u007f-\u009f]/, text: 'contains control characters' },
  { pattern: /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, text: 'contains characters that reverse text' },
  { pattern: /\ufffd/, text: 'is not UTF-8' },
  { pattern: /^[A-Za-z]:/, text: 'starts with a drive letter' },
  { pattern: /[/\\]/, text: 'contains a path separator' },
  { pattern: /\.\./, text: 'contains ..' },
  { pattern: /^.{256}/su, text: 'is longer than 255 characters' },
];
