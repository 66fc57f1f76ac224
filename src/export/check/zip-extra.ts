/** What the extra fields of a record leave to say, and what is wrong with them, as the end of a sentence. */
export interface Extra {
  /** Content of the zip64 field; empty when there is none. */
  readonly zip64: Buffer;
  readonly flaw: string | undefined;
}

const ZIP64 = 0x0001;
/** Times and owners (NTFS, extended timestamp, the three of Info-ZIP), the mark of `jar`: no other name or content. */
const HARMLESS: ReadonlySet<number> = new Set([0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe]);
const HEAD_BYTES = 4;
const MAX32 = 0xffffffff;

/** Fields must fill the room exactly and each stand once; one that may give another name or content is a flaw. */
export function readExtra(extra: Buffer): Extra {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < extra.length; ) {
    if (at + HEAD_BYTES > extra.length) return flawed('has an extra field that is cut');
    const id = extra.readUInt16LE(at);
    const end = at + HEAD_BYTES + extra.readUInt16LE(at + 2);
    if (end > extra.length) return flawed('has an extra field that is cut');
    if (fields.has(id)) return flawed(`has the extra field ${shown(id)} twice`);
    if (id !== ZIP64 && !HARMLESS.has(id)) {
      return flawed(`has the extra field ${shown(id)}, by which a reader may find another name or content`);
    }
    fields.set(id, extra.subarray(at + HEAD_BYTES, end));
    at = end;
  }
  return { zip64: fields.get(ZIP64) ?? Buffer.alloc(0), flaw: undefined };
}

export interface Widened {
  readonly values: readonly number[];
  readonly isZip64: boolean;
  readonly flaw: string | undefined;
}

/**
 * 32-bit fields at their maximum are replaced, in order, by those of the zip64 extra field. It holds no others, or it
 * holds all, as Go writes it, and each where a reader finds it that counts and a reader that does not.
 */
export function widened(narrow: readonly number[], wide: Buffer): Widened {
  let next = 0;
  const values = narrow.map(value => {
    if (value !== MAX32) return value;
    next += 8;
    return next > wide.length ? value : Number(wide.readBigUInt64LE(next - 8));
  });
  const isAll = wide.length === values.length * 8;
  const isRight = isAll
    ? values.every((value, index) => value === Number(wide.readBigUInt64LE(index * 8)))
    : next === wide.length;
  const flaw = isRight ? undefined : 'has a zip64 field that does not go with its sizes';
  return { values, isZip64: wide.length > 0, flaw };
}

function flawed(flaw: string): Extra {
  return { zip64: Buffer.alloc(0), flaw };
}

function shown(id: number): string {
  return `0x${id.toString(16).padStart(4, '0')}`;
}
