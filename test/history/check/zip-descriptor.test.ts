import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDescriptor } from '../../../src/history/check/entry-reading.ts';

const lengths = fc.constantFrom(12, 16, 20, 24);
const figures = { crc: 0x12345678, compressedBytes: 70, bytes: 100 };
const behind = fc.constantFrom(Buffer.from('PK\u0003\u0004'), Buffer.from('PK\u0001\u0002'));

function written(length: number, { crc, compressedBytes, bytes }: typeof figures): Buffer {
  const descriptor = Buffer.alloc(length);
  const isSigned = length === 16 || length === 24;
  const at = isSigned ? descriptor.writeUInt32LE(0x08074b50) : 0;
  descriptor.writeUInt32LE(crc, at);
  if (length < 20) {
    descriptor.writeUInt32LE(compressedBytes, at + 4);
    descriptor.writeUInt32LE(bytes, at + 8);
  } else {
    descriptor.writeBigUInt64LE(BigInt(compressedBytes), at + 4);
    descriptor.writeBigUInt64LE(BigInt(bytes), at + 12);
  }
  return descriptor;
}

/** The longest descriptor, with the signature of what follows it. */
const DESCRIPTOR_WINDOW = 28;

const windowOf = (...parts: readonly Buffer[]) => Buffer.concat(parts).subarray(0, DESCRIPTOR_WINDOW);
const filler = Buffer.alloc(DESCRIPTOR_WINDOW, 0xee);

test('A ZIP descriptor is recognised in each of its forms when a record follows it', () => {
  fc.assert(
    fc.property(lengths, behind, (length, record) => {
      const window = windowOf(written(length, figures), record, filler);
      expect(readDescriptor(window, figures)).toMatchObject({ length, ...figures });
    }),
  );
});

test('A ZIP descriptor that contradicts the data is recognised by the record after it', () => {
  const wrong = fc.constantFrom({ crc: 1 }, { compressedBytes: 1 }, { bytes: 1 });
  fc.assert(
    fc.property(lengths, behind, wrong, (length, record, change) => {
      const stated = { ...figures, ...change };
      const window = windowOf(written(length, stated), record, filler);
      expect(readDescriptor(window, figures)).toMatchObject({ length, ...stated });
    }),
  );
});

test('A ZIP descriptor may lack the record after it at the end of a body, and only there', () => {
  fc.assert(
    fc.property(lengths, fc.nat(3), (length, cut) => {
      const descriptor = written(length, figures);
      const rest = Buffer.from('PK\u0001').subarray(0, cut);
      expect(readDescriptor(windowOf(descriptor, rest), figures)).toMatchObject({ length, ...figures });
      expect(readDescriptor(windowOf(descriptor, filler), figures)).toBeUndefined();
      expect(readDescriptor(windowOf(written(length, { ...figures, crc: 1 }), rest), figures)).toBeUndefined();
    }),
  );
});

test('A ZIP descriptor with two possible forms is read as the one that matches the data', () => {
  // The signature as a CRC-32, and sizes as in both widths: 12 bytes without it, or 16 with it.
  const figuresOf = (compressedBytes: number) => ({ crc: 0x08074b50, compressedBytes, bytes: 7 });
  const mark = Buffer.from('PK\u0003\u0004');
  const short = written(12, figuresOf(5));
  expect(readDescriptor(windowOf(short, mark, filler), figuresOf(5))).toMatchObject({ length: 12 });
  expect(readDescriptor(windowOf(short, filler), figuresOf(5))).toBeUndefined();
});

test('A ZIP descriptor that is truncated is not recognised', () => {
  fc.assert(
    fc.property(lengths, fc.nat(23), (length, cut) => {
      fc.pre(cut < length);
      expect(readDescriptor(written(length, figures).subarray(0, cut), figures)).toBeUndefined();
    }),
  );
});
