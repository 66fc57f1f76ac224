import { createHash } from 'node:crypto';
import { lineError } from './line-error.ts';
import { ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import type { ObjectReading, Store } from './store.ts';
import { timedBody } from './timed-body.ts';

/** What bytes have to be. */
export interface Expected {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

const MOST_ATTEMPTS = 4;

/**
 * Whether an object holds these bytes, found by reading it to its end: what a store says of an object (an ETag, a
 * checksum of parts) is another thing with each store, and none of them has read what a reader will get.
 */
export async function compareObject(
  store: Store,
  key: string,
  expected: Expected,
  onBytes: (bytes: number) => void = () => {},
): Promise<'absent' | 'same' | 'other'> {
  for (let attempt = 1; ; attempt++) {
    const reading = await store.read(key);
    if (reading === undefined) return 'absent';
    if (reading.bytes !== null && reading.bytes !== expected.bytes) {
      await reading.body.cancel().catch(() => {});
      return 'other';
    }
    try {
      return (await digestOf(reading, { store, attempt, mostBytes: expected.bytes }, onBytes)) === digest(expected)
        ? 'same'
        : 'other';
    } catch (error) {
      const broken = lineError(error, store.host, store.manner.signal);
      if (attempt < MOST_ATTEMPTS) continue;
      throw new ObjectsError(
        `${addressOf(store.bucket, key)} cannot be read to its end: ${broken.message.replace(/^the store at \S+: /, '')}`,
        broken.hint,
        'unreachable',
      );
    }
  }
}

const digest = ({ bytes, sha256 }: Expected): string => `${bytes} ${sha256}`;

async function digestOf(
  { body }: ObjectReading,
  { store, attempt, mostBytes }: { readonly store: Store; readonly attempt: number; readonly mostBytes: number },
  onBytes: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of timedBody(body, { ...store, attempt, attempts: MOST_ATTEMPTS })) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
    // It is another one already; how long it is may never come out.
    if (bytes > mostBytes) break;
  }
  return digest({ bytes, sha256: hash.digest('hex') });
}
