import { readdirSync, readlinkSync } from 'node:fs';

/** What this process has open of a file, also of one that lost its name. */
export function openFiles(path: string): readonly string[] {
  const targets = readdirSync('/proc/self/fd').map(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return targets.filter(target => target.startsWith(path));
}
