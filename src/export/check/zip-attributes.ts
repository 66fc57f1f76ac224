/** Systems whose attributes are known to mean what is looked at here: FAT, Unix, Macintosh, NTFS (two numbers), OS X. */
const knownSystems: ReadonlySet<number> = new Set([0, 3, 7, 10, 11, 14, 19]);
/** Volume label, directory, device, reparse point. */
const otherThanFile = 0x0458;
const unixTypeShift = 28;
const unixRegular = 0x8;
const isText = 0x0001;

export interface Attributes {
  /** The system in the upper byte. */
  readonly madeBy: number;
  readonly internal: number;
  readonly external: number;
}

/** Why an entry is not, or not to every reader, a plain file; the end of a sentence. */
export function attributesFlaw({ madeBy, internal, external }: Attributes): string | undefined {
  if (!knownSystems.has(madeBy >>> 8)) return 'was made on a system whose attributes are unknown';
  const type = external >>> unixTypeShift;
  const isFile = (type === 0 || type === unixRegular) && (external & otherThanFile) === 0;
  if (!isFile) return 'is marked as a link, a directory or a device';
  return (internal & ~isText) === 0 ? undefined : 'is marked as having bytes between its lines';
}
