/** Systems whose attributes are known to mean what is looked at here: FAT, Unix, Macintosh, NTFS (two numbers), OS X. */
const KNOWN_SYSTEMS: ReadonlySet<number> = new Set([0, 3, 7, 10, 11, 14, 19]);
/** Volume label, directory, device, reparse point. */
const OTHER_THAN_FILE = 0x0458;
const UNIX_TYPE_SHIFT = 28;
const UNIX_REGULAR = 0x8;
const IS_TEXT = 0x0001;

export interface Attributes {
  /** The system in the upper byte. */
  readonly madeBy: number;
  readonly internal: number;
  readonly external: number;
}

/** Why an entry is not, or not to every reader, a plain file; the end of a sentence. */
export function attributesFlaw({ madeBy, internal, external }: Attributes): string | undefined {
  if (!KNOWN_SYSTEMS.has(madeBy >>> 8)) return 'was made on a system whose attributes are unknown';
  const type = external >>> UNIX_TYPE_SHIFT;
  const isFile = (type === 0 || type === UNIX_REGULAR) && (external & OTHER_THAN_FILE) === 0;
  if (!isFile) return 'is marked as a link, a directory or a device';
  return (internal & ~IS_TEXT) === 0 ? undefined : 'is marked as having bytes between its lines';
}
