import { limiterFailure } from '../gateway/failure.ts';
import { outsideHistory } from '../history/export-plan.ts';
import { failAtOnce, failHalfWay, garbleRow, loseTail } from './broken-segment.ts';
import { cutBody, cutByDeadline, errorInstead, stall } from './broken-transfer.ts';
import type { ExportDamage, Fault } from './fault.ts';

/** Faults of an export, by name. */
export const EXPORT_FAULTS = {
  'error-after-archive': strikes('a segment fails half-way: a short archive, then the error', {
    segments: failHalfWay,
  }),
  'error-first-entry': strikes('the first segment fails: a CSV of 0 bytes, then the error', {
    segments: failAtOnce,
  }),
  'error-instead': strikes('the error instead of the archive, with status 200', { messages: errorInstead }),
  'cut-body': strikes('drops the connection in the middle of the body', { messages: cutBody }),
  'cut-json': strikes('whole messages, then a deadline error, without a directory', { messages: cutByDeadline }),
  'lost-rows': strikes('silently leaves out the last rows of a segment', { segments: loseTail }),
  'garbled-row': strikes('cuts a row in the middle and goes on with the next segment', { segments: garbleRow }),
  'bad-crc': strikes('a wrong CRC-32', { archive: { hasWrongChecksum: true } }),
  stall: strikes('half a message, then nothing more', { messages: stall }),
  'slow-first-byte': {
    on: 'export',
    about: 'sends the first byte after so many seconds',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'wait' },
  },
  gzip: strikes('gzips the archive even if the client does not accept that', { isGzipped: true }),
  zip64: strikes('64-bit sizes where 32 bits are enough', { archive: { isZip64: true } }),
  'hostile-names': strikes('file names that try to leave the folder and to control the terminal', {
    entryName: name => `../../\u001b]0;${name}\u0007`,
    // C1 control characters are the only ones allowed in a header.
    fileName: name => `../../../tmp/\u009b31m${name}`,
  }),
  'rate-limited': strikes('429: too many streams from one address', {
    refusal: () => limiterFailure(8, 'client reached max subscription allowed'),
  }),
  'refused-range': strikes('400: not a range of the history', { refusal: outsideHistory }),
  'json-stream': strikes('JSON messages with the archive in base64', { framing: 'json' }),
} as const satisfies Readonly<Record<string, Fault>>;

function strikes(about: string, damage: ExportDamage): Fault {
  return { on: 'export', about, strike: { kind: 'export', damage } };
}
