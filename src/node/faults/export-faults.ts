import { limiterFailure } from '../gateway/failure.ts';
import { outsideHistory } from '../history/export-plan.ts';
import { failAtOnce, failHalfWay, garbleRow, loseTail } from './broken-segment.ts';
import { cutBody, cutByDeadline, errorInstead, stall } from './broken-transfer.ts';
import type { ExportDamage, Fault } from './fault.ts';

/** What can go wrong with an export, by the name it is asked for. */
export const EXPORT_FAULTS = {
  'error-after-archive': strikes('a segment fails half-way: a short archive, and the error behind it', {
    segments: failHalfWay,
  }),
  'error-first-entry': strikes('the first segment fails: a CSV of 0 bytes, and the error behind the archive', {
    segments: failAtOnce,
  }),
  'error-instead': strikes('the error in place of the archive, with status 200', { messages: errorInstead }),
  'cut-body': strikes('the connection is dropped in mid-body', { messages: cutBody }),
  'cut-json': strikes('whole messages, then the error of a deadline, and no directory', { messages: cutByDeadline }),
  'lost-rows': strikes('the last rows of one segment are missing, and nothing says so', { segments: loseTail }),
  'garbled-row': strikes('a row broken off, and the next segment right behind it', { segments: garbleRow }),
  'bad-crc': strikes('a wrong CRC-32', { archive: { hasWrongChecksum: true } }),
  stall: strikes('half a message, then silence for ever', { messages: stall }),
  'slow-first-byte': {
    on: 'export',
    about: 'the first byte comes only after so many seconds',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'wait' },
  },
  gzip: strikes('gzip around the archive, whatever was accepted', { isGzipped: true }),
  zip64: strikes('sizes of 64 bits where 32 would do', { archive: { isZip64: true } }),
  'hostile-names': strikes('CSVs and a file named to break out of a folder and into a terminal', {
    entryName: name => `../../\u001b]0;${name}\u0007`,
    // Of all control characters only those of C1 pass in a header.
    fileName: name => `../../../tmp/\u009b31m${name}`,
  }),
  'rate-limited': strikes('429: too many streams from one address', {
    refusal: () => limiterFailure(8, 'client reached max subscription allowed'),
  }),
  'refused-range': strikes('400: not a range of the history', { refusal: outsideHistory }),
  'json-stream': strikes('JSON messages with the archive in base64, as in the contract', { framing: 'json' }),
} as const satisfies Readonly<Record<string, Fault>>;

function strikes(about: string, damage: ExportDamage): Fault {
  return { on: 'export', about, strike: { kind: 'export', damage } };
}
