import type { Flag, ParsedFlags } from './flags.ts';

/** How long a download may be silent. */
export const DOWNLOAD_WAIT_FLAGS: readonly Flag[] = [
  {
    name: 'wait',
    kind: 'number',
    group: 'Connection',
    least: 1,
    most: 86_400,
    value: 'SECONDS',
    about: 'longest wait for the first byte (--timeout, or 600)',
  },
  {
    name: 'idle',
    kind: 'number',
    group: 'Connection',
    least: 1,
    most: 86_400,
    value: 'SECONDS',
    about: 'longest silence between two chunks (--timeout, or 300)',
  },
];

/** The longest silences in ms: before the first byte, and between two chunks. */
export function readDownloadWaits(given: ParsedFlags): { readonly firstByteMs: number; readonly idleMs: number } {
  const timeoutS = given.number('timeout');
  return {
    firstByteMs: (given.number('wait') ?? timeoutS ?? 600) * 1000,
    idleMs: (given.number('idle') ?? timeoutS ?? 300) * 1000,
  };
}
