import type { Flag } from './flags.ts';

export const ARCHIVE_ONLY_FLAG: Flag = {
  name: 'archive-only',
  kind: 'switch',
  about: 'check structure, checksums and headers, but not the rows',
};
