import { createHash } from 'node:crypto';
import { lineError, ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import type { ObjectReading, Store } from './store.ts';
import { timedBody } from './waiting.ts';

/** The size and hash that an object should have. */
export interface Expected {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

const MOST_ATTEMPTS = 4;

/**
 * Whether an object has these bytes. It is read to the end, because ETags and part checksums differ from store to store
 * and do not prove what a reader will get. Throws ObjectsError.
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
      await reading.reader.cancel().catch(() => {});
      return 'other';
    }
    try {
      return (await digestOf(reading, { store, attempt, mostBytes: expected.bytes }, onBytes)) === digest(expected)
        ? 'same'
        : 'other';
    } catch (error) {
      const broken = lineError(error, store.host, store.options.signal);
      if (attempt < MOST_ATTEMPTS) continue;
      throw new ObjectsError(
        `${addressOf(store.bucket, key)} could not be read to the end: ${broken.message.replace(/^the store at \S+: /, '')}`,
        broken.hint,
        'unreachable',
      );
    }
  }
}

const digest = ({ bytes, sha256 }: Expected): string => `${bytes} ${sha256}`;

async function digestOf(
  { reader }: ObjectReading,
  { store, attempt, mostBytes }: { readonly store: Store; readonly attempt: number; readonly mostBytes: number },
  onBytes: (bytes: number) => void,
): Promise<string> {
  const { host, options } = store;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of timedBody(reader, { host, options, attempt, attempts: MOST_ATTEMPTS })) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
    // It is already too long to match, and it may never end.
    if (bytes > mostBytes) break;
  }
  return digest({ bytes, sha256: hash.digest('hex') });
}
