import { SIGNATURES } from './zip-records.ts';

/** The forms of a data descriptor: 64-bit sizes are announced nowhere before the data (Go's archive/zip). */
const DESCRIPTOR_FORMS = [
  { length: 16, hasSignature: true, is64: false },
  { length: 24, hasSignature: true, is64: true },
  { length: 12, hasSignature: false, is64: false },
  { length: 20, hasSignature: false, is64: true },
] as const;

export interface Descriptor {
  readonly length: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** Longest descriptor and the signature of the record behind it. */
export const DESCRIPTOR_WINDOW = 28;

/**
 * The descriptor at the start of `window`: the form that agrees with what was streamed and is followed by a
 * record; failing that, the form that is at least followed by a record. At the end of a body the record may be missing.
 */
export function readDescriptor(window: Buffer, streamed: Omit<Descriptor, 'length'>): Descriptor | undefined {
  const found = DESCRIPTOR_FORMS.flatMap(form => {
    if (window.length < form.length) return [];
    if (form.hasSignature && window.readUInt32LE(0) !== SIGNATURES.descriptor) return [];
    return [{ ...readForm(window, form), isFollowed: isRecordAt(window, form.length) }];
  });
  const agreeing = found.filter(({ crc, compressedBytes, bytes }) => {
    return crc === streamed.crc && compressedBytes === streamed.compressedBytes && bytes === streamed.bytes;
  });
  return (
    agreeing.find(form => form.isFollowed) ??
    agreeing.find(form => window.length < form.length + 4) ??
    found.find(form => form.isFollowed)
  );
}

function readForm(window: Buffer, form: (typeof DESCRIPTOR_FORMS)[number]): Descriptor {
  const from = form.hasSignature ? 4 : 0;
  const sizes = form.is64
    ? {
        compressedBytes: Number(window.readBigUInt64LE(from + 4)),
        bytes: Number(window.readBigUInt64LE(from + 12)),
      }
    : { compressedBytes: window.readUInt32LE(from + 4), bytes: window.readUInt32LE(from + 8) };
  return { length: form.length, crc: window.readUInt32LE(from), ...sizes };
}

function isRecordAt(window: Buffer, offset: number): boolean {
  if (window.length < offset + 4) return false;
  const signature = window.readUInt32LE(offset);
  return signature === SIGNATURES.localHeader || signature === SIGNATURES.centralRecord;
}
