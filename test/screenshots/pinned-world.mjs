// Loaded before the program (--import), so that a picture is the same on every run: the time of the day is what the
// file that CLOCK_FILE names says, there is always as much room on the disk, and a thread keeps nothing to itself because
// it told of its progress a moment ago.
import { readFileSync } from 'node:fs';
import disk from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const SystemDate = Date;
const now = () => Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));

globalThis.Date = class extends SystemDate {
  static now = now;

  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
};

const BLOCK_BYTES = 4096;
disk.statfs = async () => ({ bsize: BLOCK_BYTES, bavail: 128e9 / BLOCK_BYTES });
syncBuiltinESMExports();

if (!isMainThread) {
  let elapsedMs = 0;
  performance.now = () => {
    elapsedMs += 1000;
    return elapsedMs;
  };
}
