import { readAddress } from '../../../base/text/ids.ts';
import { isChecksumWrong } from '../address.ts';
import type { Keccak } from '../keccak.ts';

/** Signers named by the user: addresses in lower case, with a name or ''. */
type NamedSigners = ReadonlyMap<string, string>;

/** A signer as given, and where: `line 3 of signers.txt`. */
interface Entry {
  readonly where: string;
  readonly address: string;
  readonly name: string;
}

/** The lines of a file: an address followed by a name; skips empty lines and lines that begin with `#`. */
export const parseSignerLines = (text: string, file: string): readonly Entry[] =>
  text.split('\n').flatMap((line, index) => {
    const content = line.replace(/^\ufeff/, '').trim();
    if (content === '' || content.startsWith('#')) return [];
    const [, address = '', name = ''] = /^(\S+)\s*(.*)$/.exec(content) ?? [];
    return [{ where: `line ${index + 1} of ${file}`, address, name }];
  });

/** `ADDRESS` or `ADDRESS=NAME`. */
export function parseSignerFlag(value: string): Entry {
  const [, address = '', name = ''] = /^([^=]*)=?(.*)$/s.exec(value) ?? [];
  return { where: '--signer', address: address.trim(), name: name.trim() };
}

const MAX_QUOTED_LENGTH = 80;

const shortened = (text: string): string =>
  text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}\u2026` : text;

/** The signers in the entries; each problem is a sentence with its position. */
export function readSigners(
  entries: readonly Entry[],
  keccak: Keccak,
): { readonly signers: NamedSigners; readonly problems: readonly string[] } {
  const signers = new Map<string, string>();
  const places = new Map<string, string>();
  const problems: string[] = [];
  for (const { where, address, name } of entries) {
    const read = readAddress(address);
    const before = read === undefined ? undefined : places.get(read);
    if (read === undefined)
      problems.push(`${where}: "${shortened(address)}" is not an Ethereum address (0x and 40 hex digits)`);
    else if (isChecksumWrong(address, keccak))
      problems.push(`${where}: ${address} is mistyped: its checksum does not match (EIP-55)`);
    else if (before !== undefined) problems.push(`${where}: ${address} is already in ${before}`);
    else {
      signers.set(read, name);
      places.set(read, where);
    }
  }
  return { signers, problems };
}
