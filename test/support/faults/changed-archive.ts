/** An entry of an archive as the embedded node writes it: deflated, with a descriptor of 16 bytes behind its data. */
interface Entry {
  readonly at: number;
  /** Where its descriptor ends. */
  readonly end: number;
  /** Its record in the directory. */
  readonly record: Buffer;
}

const END_RECORD_BYTES = 22;
const DESCRIPTOR_BYTES = 16;
const RECORD_BYTES = 46;

/** The same archive with another CRC-32 in every descriptor and in the directory. */
export function withWrongChecksums(archive: Buffer): Buffer {
  const changed = Buffer.from(archive);
  for (const { end, record } of entriesOf(changed)) {
    const wrong = (record.readUInt32LE(16) ^ 1) >>> 0;
    record.writeUInt32LE(wrong, 16);
    changed.writeUInt32LE(wrong, end - DESCRIPTOR_BYTES + 4);
  }
  return changed;
}

/** The same archive with its sizes in 64 bits, as Go's writer frames them; nothing needs a zip64 end record. */
export function withWideSizes(archive: Buffer): Buffer {
  const files: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const { at, end, record } of entriesOf(archive)) {
    const file = Buffer.concat([archive.subarray(at, end - DESCRIPTOR_BYTES), wideDescriptor(record)]);
    files.push(file);
    records.push(wideRecord(record, offset));
    offset += file.length;
  }
  const directory = Buffer.concat(records);
  const endRecord = Buffer.from(archive.subarray(-END_RECORD_BYTES));
  endRecord.writeUInt32LE(directory.length, 12);
  endRecord.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, endRecord]);
}

function entriesOf(archive: Buffer): readonly Entry[] {
  const endRecord = archive.length - END_RECORD_BYTES;
  const directory = archive.readUInt32LE(endRecord + 16);
  const records: Buffer[] = [];
  for (let at = directory; at < endRecord; ) {
    const record = archive.subarray(at, at + RECORD_BYTES + archive.readUInt16LE(at + 28));
    records.push(record);
    at += record.length;
  }
  const offsets = [...records.map(record => record.readUInt32LE(42)), directory];
  return records.map((record, index) => ({ record, at: offsets[index] ?? 0, end: offsets[index + 1] ?? 0 }));
}

function wideDescriptor(record: Buffer): Buffer {
  const descriptor = Buffer.alloc(24);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(record.readUInt32LE(16), 4);
  descriptor.writeBigUInt64LE(BigInt(record.readUInt32LE(20)), 8);
  descriptor.writeBigUInt64LE(BigInt(record.readUInt32LE(24)), 16);
  return descriptor;
}

function wideRecord(record: Buffer, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(record.readUInt32LE(24)), 4);
  extra.writeBigUInt64LE(BigInt(record.readUInt32LE(20)), 12);
  extra.writeBigUInt64LE(BigInt(offset), 20);
  const changed = Buffer.concat([record, extra]);
  changed.writeUInt16LE(45, 6);
  changed.writeUInt32LE(0xffffffff, 20);
  changed.writeUInt32LE(0xffffffff, 24);
  changed.writeUInt16LE(extra.length, 30);
  changed.writeUInt32LE(offset, 42);
  return changed;
}
