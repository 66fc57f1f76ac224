/** Bytes in the unit that reads best: `950 B`, `12.3 MB` (a megabyte is a million). */
export function formatByteCount(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A limit in the unit of which it is a whole number: `1 MiB`, `16 KiB`, `99 bytes`. */
export function formatByteLimit(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`;
}

const KIB = 1024;
const MIB = 1024 * KIB;
