import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type Archive,
  archiveOf,
  centralBytes,
  type EntryStyle,
  extraField,
  localBytes,
  numbered,
  piecesOf,
  settlePlaces,
} from '../../torture/archive-model.ts';
import { readFromEnd } from '../../torture/second-reader.ts';
import { balancesCsv, balancesName, judge, nodeError, summary } from './samples.ts';

const secondName = 'vega-mainnet-0011-balances-094-001001-002000.csv';
const style: EntryStyle = {
  name: balancesName,
  content: Buffer.from(balancesCsv),
  isStored: false,
  descriptorBytes: 16,
  isZip64: false,
};
const two: readonly EntryStyle[] = [style, { ...style, name: secondName }];

const bodyOf = (archive: Archive): Buffer => Buffer.concat(piecesOf(archive));

/** An archive of two entries, changed, with all places made right again. */
function changed(change: (archive: Archive) => void, styles = two, isZip64End = false): Buffer {
  const archive = archiveOf(styles, isZip64End);
  change(archive);
  settlePlaces(archive);
  return bodyOf(archive);
}

/** The same with places left as they were before. */
function bent(change: (archive: Archive) => void, styles = two, isZip64End = false): Buffer {
  const archive = archiveOf(styles, isZip64End);
  change(archive);
  return bodyOf(archive);
}

/** The records of the first entry, which every archive here has. */
function first(archive: Archive) {
  const [local] = archive.entries;
  const [central] = archive.directory;
  if (local === undefined || central === undefined) throw new Error('an archive without entries');
  return { local, central, both: [local, central] };
}

/** With the signature of its end record made that of none. */
function unknownAtEnd(body: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, -20), Buffer.from([0x07]), body.subarray(-19)]);
}

const error = Buffer.from(JSON.stringify({ error: nodeError }));
const otherName = Buffer.from(balancesName.replace('mainnet', 'testnet'));
const renaming = (name: Buffer) => Buffer.concat([Buffer.from([1]), numbered(crc32(name), 4), otherName]);

describe('Bit flips in archive records', () => {
  const archives: readonly [string, readonly EntryStyle[], boolean][] = [
    ['as nodes write it', two, false],
    [
      'with sizes in the header',
      [
        { ...style, descriptorBytes: 0, isStored: true },
        { ...style, descriptorBytes: 0 },
      ],
      false,
    ],
    ['with zip64 fields', [{ ...style, isZip64: true, descriptorBytes: 24 }], true],
    ['with zip64 fields in the header', [{ ...style, isZip64: true, descriptorBytes: 0 }], true],
  ];

  test.each(archives)('A flipped bit in any archive record is detected: %s', async (_title, styles, isZip64End) => {
    const named = styles.map((one, index) =>
      index === 0 ? one : { ...one, name: secondName, content: Buffer.from(`${balancesCsv}\\x05,,"",7\n`) },
    );
    const archive = archiveOf(named, isZip64End);
    const body = bodyOf(archive);
    const data = archive.entries.map(entry => ({ from: body.indexOf(entry.data), length: entry.data.length }));
    const unnoticed = new Set<string>();
    for (let at = 0; at < body.length; at++) {
      if (data.some(({ from, length }) => at >= from && at < from + length)) continue;
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(body);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        if ((await judge(flipped)).kind !== 'complete') continue;
        unnoticed.add(placeIn(body, at, bit));
      }
    }
    for (const place of unnoticed) expect(harmless).toContain(place);
  });

  /** What no reader looks at for what is in an entry: who made it with which version, and its permissions. */
  const harmless = [
    ...Array.from({ length: 8 }, (_, bit) => `directory record, byte 4, bit ${bit}`),
    ...[0, 1, 2, 3].map(bit => `directory record, byte 5, bit ${bit}`),
    'directory record, byte 36, bit 0',
    ...[38, 39, 40, 41].flatMap(byte =>
      [0, 1, 2, 3, 4, 5, 6, 7].map(bit => `directory record, byte ${byte}, bit ${bit}`),
    ),
    ...Array.from({ length: 16 }, (_, bit) => `zip64 end record, byte ${12 + (bit >> 3)}, bit ${bit % 8}`),
    ...[0, 1, 2, 3, 4, 5].map(bit => `zip64 end record, byte 14, bit ${bit}`),
  ];

  function placeIn(body: Buffer, at: number, bit: number): string {
    const records = { 'PK\u0001\u0002': 'directory record', 'PK\u0006\u0006': 'zip64 end record' };
    const found = Object.entries(records).map(([mark, name]) => {
      const from = body.lastIndexOf(mark, at, 'latin1');
      return { from, place: `${name}, byte ${at - from}, bit ${bit}` };
    });
    return found.toSorted((a, b) => b.from - a.from)[0]?.place ?? '';
  }
});

describe('Ambiguous archive', () => {
  const cases: readonly [string, Buffer, string][] = [
    [
      'a second archive in its comment',
      changed(archive => {
        archive.comment = bodyOf(archiveOf([{ ...style, content: Buffer.from('other') }], false));
      }),
      'The comment of the archive contains the signature of a record.',
    ],
    [
      'an end record in its comment that leads to other entries',
      changed(archive => {
        const other = archiveOf([style], false);
        other.end.offset = 7;
        archive.comment = bodyOf(other).subarray(-22);
      }),
      'The comment of the archive contains the signature of a record.',
    ],
    [
      'the error of a node as its comment',
      changed(archive => {
        archive.comment = error;
      }),
      'The comment of the archive contains an error, or the start of one.',
    ],
    [
      'the error of a node as the comment of an entry',
      changed(archive => {
        first(archive).central.comment = error;
      }),
      `In the directory ${balancesName} has a comment that contains an error, or the start of one.`,
    ],
    [
      'a directory record in the comment of another',
      changed(archive => {
        first(archive).central.comment = centralBytes(first(archive).central);
      }),
      'has a comment that contains the signature of a record.',
    ],
    [
      'a comment that is no UTF-8',
      changed(archive => {
        archive.comment = Buffer.from([0xe9]);
      }),
      'The comment of the archive is not UTF-8.',
    ],
    [
      'the signature of an end record in the figures of its own, with a comment behind',
      bent(archive => {
        archive.end.offset = 0x06054b50;
        archive.comment = Buffer.alloc(20, 'c');
      }),
      'The end record has a wrong offset',
    ],
    [
      'bytes before its first entry',
      changed(archive => {
        archive.before = Buffer.from('#!/bin/sh\n');
      }),
      'The body is not a ZIP archive',
    ],
    [
      'an entry before its first that nothing lists',
      bent(archive => {
        const hidden = first(archive).local;
        archive.before = localBytes(hidden);
        for (const { record } of archive.directory) record.offset += archive.before.length;
        archive.end.offset += archive.before.length;
      }),
      'Two entries have the name',
    ],
    [
      'a zip64 locator at the end of its directory',
      changed(archive => {
        const last = archive.directory.at(-1);
        const locator = [numbered(0x07064b50, 4), Buffer.alloc(12), numbered(1, 4)];
        if (last) last.extra = extraField(0x5455, Buffer.concat(locator));
      }),
      'The end of the directory looks like a zip64 locator.',
    ],
    [
      'a zip64 end record of another count',
      bent(archive => Object.assign(archive.zip64?.record ?? {}, { here: 1, entries: 1 }), two, true),
      'The end record counts 1 entries; the directory has 2.',
    ],
    [
      'a zip64 end record of another place',
      bent(archive => Object.assign(archive.zip64?.record ?? {}, { offset: 0 }), two, true),
      'The end record has a wrong offset or length for the directory.',
    ],
    [
      'a locator that leads elsewhere',
      bent(archive => Object.assign(archive.zip64?.locator ?? {}, { offset: 0 }), two, true),
      'The zip64 locator does not point to the zip64 end record.',
    ],
    [
      'a locator of several disks',
      bent(archive => Object.assign(archive.zip64?.locator ?? {}, { disks: 2 }), two, true),
      'The archive is spread over several disks.',
    ],
    [
      'an end record whose 32 bits say something else than its zip64 record',
      bent(archive => Object.assign(archive.end, { offset: 9 }), two, true),
      'The end record has a wrong offset or length for the directory.',
    ],
    [
      'another count of entries on this disk',
      bent(archive => Object.assign(archive.end, { here: 1 })),
      'The end record counts 1 entries; the directory has 2.',
    ],
    ...(
      [
        ['method', { method: 0 }, 'another compression method for X.'],
        ['flags', { flags: 0x000a }, 'other flags for X than its header.'],
        ['time', { modified: 1 }, 'another time for X than its header.'],
        ['CRC-32', { crc: 1 }, 'another CRC-32 for X than its bytes.'],
        ['size', { plain: 1 }, 'another size for X than its bytes.'],
        ['size of its data', { compressed: 1 }, 'another size for X than its bytes.'],
      ] as const
    ).map(([what, fields, text]): [string, Buffer, string] => [
      `a directory that gives another ${what}`,
      changed(archive => Object.assign(first(archive).central.record, fields)),
      `The directory has ${text.replace('X', balancesName)}`,
    ]),
    ...([10, 21, 45] as const).map((needed): [string, Buffer, string] => [
      `a directory that needs version ${needed} where the header does not`,
      changed(archive => Object.assign(first(archive).central.record, { needed })),
      `The directory and the header of ${balancesName} need different versions.`,
    ]),
    [
      'zip64 fields in the directory and a version that has none of both',
      changed(
        archive => {
          first(archive).local.record.needed = 21;
          first(archive).central.record.needed = 45;
        },
        [{ ...style, isZip64: true, descriptorBytes: 24 }],
        true,
      ),
      `The directory and the header of ${balancesName} need different versions.`,
    ],
    [
      'a directory that ends early',
      bent(({ directory, end }) => {
        const last = directory.pop();
        end.bytes -= last ? centralBytes(last).length : 0;
        end.entries--;
        end.here--;
      }),
      `The directory does not list ${secondName}.`,
    ],
    [
      'a zip64 end record of another length',
      bent(archive => Object.assign(archive.zip64?.record ?? {}, { length: 45 }), two, true),
      'The zip64 end record has an unusual length.',
    ],
    [
      'a zip64 end record of a version that no reader has',
      bent(archive => Object.assign(archive.zip64?.record ?? {}, { needed: 46 }), two, true),
      'The zip64 end record needs a version that not every reader supports.',
    ],
    ...(['disk', 'startDisk'] as const).flatMap((field): [string, Buffer, string][] => [
      [
        `an end record of another ${field}`,
        bent(archive => Object.assign(archive.end, { [field]: 1 })),
        'The archive is spread over several disks.',
      ],
      [
        `a zip64 end record of another ${field}`,
        bent(archive => Object.assign(archive.zip64?.record ?? {}, { [field]: 1 }), two, true),
        'The archive is spread over several disks.',
      ],
    ]),
    [
      'a locator on another disk',
      bent(archive => Object.assign(archive.zip64?.locator ?? {}, { disk: 1 }), two, true),
      'The archive is spread over several disks.',
    ],
    [
      'an end record that gives another length',
      bent(archive => Object.assign(archive.end, { bytes: 9 })),
      'The end record has a wrong offset or length for the directory.',
    ],
    [
      'an end record that ends as another begins',
      changed(archive => {
        archive.comment = Buffer.from('K\u0005\u0006'.padEnd(0x5001, 'c'));
      }),
      'The end record can be read as two.',
    ],
    [
      'a record that nobody knows in place of the end',
      unknownAtEnd(bodyOf(archiveOf(two, false))),
      'The archive contains an unknown record.',
    ],
    [
      'sizes in the header that its data does not have',
      changed(archive => Object.assign(first(archive).local.record, { plain: 7 }), [{ ...style, descriptorBytes: 0 }]),
      `bytes for 7; it takes `,
    ],
    [
      'a name longer than any file has',
      changed(archive => {
        for (const target of first(archive).both) target.name = Buffer.alloc(1025, 'n');
      }),
      'The name of an entry is longer than 1024 bytes.',
    ],
    [
      'no record behind its data',
      changed(archive => {
        first(archive).local.descriptor = Buffer.alloc(40, 0xee);
      }),
      'No record follows the compressed data.',
    ],
    [
      'half an extra field',
      changed(archive => {
        first(archive).central.extra = Buffer.from([0x55, 0x54, 0]);
      }),
      'has an extra field that is cut off.',
    ],
    [
      'a zip64 field too short for its sizes',
      changed(archive => {
        Object.assign(first(archive).central.record, { plain: 0xffffffff, compressed: 0xffffffff, needed: 45 });
        first(archive).central.extra = extraField(1, numbered(balancesCsv.length, 8));
      }),
      'The directory has',
    ],
    ['a directory in another order', changed(({ directory }) => directory.reverse()), 'The directory has another name'],
    [
      'a directory that leads to one entry twice',
      bent(({ directory, end }) => {
        directory.push(...directory.slice(0, 1));
        end.entries++;
        end.here++;
      }),
      'The directory lists more entries than there are.',
    ],
    [
      'a version that no reader has',
      changed(archive => {
        for (const { record } of first(archive).both) record.needed = 63;
      }),
      'needs a version that not every reader supports.',
    ],
    [
      'flags that readers interpret differently',
      changed(archive => {
        for (const { record } of first(archive).both) record.flags |= 0x2000;
      }),
      'has a flag that readers interpret differently.',
    ],
    [
      'sizes in the header that the data does not have',
      changed(archive => {
        first(archive).local.record.plain = 5;
      }),
      'has another CRC-32 or size than its data.',
    ],
    [
      'bytes over 127 in a name without the flag for them',
      changed(archive => {
        for (const target of first(archive).both) target.name = Buffer.from(`\u00e9-${balancesName}`);
      }),
      'has a name that readers decode differently.',
    ],
    [
      'names that differ in bytes that are no UTF-8',
      changed(archive => {
        const { local, central } = first(archive);
        for (const { record } of [local, central]) record.flags |= 0x0800;
        local.name = Buffer.concat([Buffer.from([0xfe]), local.name]);
        central.name = Buffer.concat([Buffer.from([0xff]), central.name]);
      }),
      'another name for',
    ],
    ...([0x7075, 0x6375, 0x9901, 0x000d, 0x756e, 0x6c78, 0x554e, 0xbeef] as const).flatMap(id =>
      (['local', 'central'] as const).map((side): [string, Buffer, string] => [
        `the extra field 0x${id.toString(16)} (${side})`,
        changed(archive => {
          first(archive)[side].extra = extraField(id, renaming(first(archive)[side].name));
        }),
        'which can give it another name or content.',
      ]),
    ),
    [
      'an extra field that is cut off',
      changed(archive => {
        first(archive).central.extra = extraField(0x5455, Buffer.alloc(9)).subarray(0, -1);
      }),
      'has an extra field that is cut off.',
    ],
    [
      'the same extra field twice',
      changed(archive => {
        const field = extraField(1, Buffer.concat([numbered(5, 8), numbered(5, 8)]));
        first(archive).central.extra = Buffer.concat([field, field]);
      }),
      'has the extra field 0x0001 twice.',
    ],
    [
      'a zip64 field for sizes that need none',
      changed(archive => {
        first(archive).central.extra = extraField(1, numbered(5, 8));
      }),
      'has a zip64 field that does not match its sizes.',
    ],
    ...(
      [
        ['a symbolic link', { madeBy: 0x031e, external: 0xa1ff0000 }],
        ['a directory of Unix', { madeBy: 0x031e, external: 0x41ed0000 }],
        ['a device', { madeBy: 0x031e, external: 0x61a40000 }],
        ['a link under FAT', { madeBy: 20, external: 0xa1ff0000 }],
        ['a directory of DOS', { madeBy: 20, external: 0x10 }],
        ['a volume label', { madeBy: 20, external: 0x08 }],
        ['a reparse point', { madeBy: 0x0a14, external: 0x400 }],
        ['made on a system nobody knows', { madeBy: 0x0214 }],
        ['records of variable length', { internal: 2 }],
        ['on another disk', { disk: 1 }],
      ] as const
    ).map(([what, fields]): [string, Buffer, string] => [
      `an entry that is marked as ${what}`,
      changed(archive => Object.assign(first(archive).central.record, fields)),
      `In the directory ${balancesName} `,
    ]),
  ];

  test.each(cases)(
    'An archive that a reader from the end may read differently is damaged: %s',
    async (_title, body, expected) => {
      const verdict = await judge(body);
      expect(summary(verdict)).toMatch(/^damaged /);
      expect(verdict.findings.map(({ reason }) => reason).join('\n')).toContain(expected);
      for (const { at } of verdict.findings) expect(at?.byteOffset).toBeGreaterThanOrEqual(0);
    },
  );
});

describe('Archive from another tool', () => {
  const times = (bytes: number) => extraField(0x5455, Buffer.alloc(bytes));
  const owner = extraField(0x7875, Buffer.from([1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0]));
  const cases: readonly [string, Buffer, readonly string[]][] = [
    [
      'times, owners and permissions',
      changed(archive => {
        const { local, central } = first(archive);
        local.extra = Buffer.concat([extraField(0xcafe, Buffer.alloc(0)), times(9), owner]);
        central.extra = Buffer.concat([times(5), owner]);
        Object.assign(central.record, { madeBy: 0x031e, external: 0x81a40000, internal: 1 });
      }),
      [],
    ],
    [
      'a name in UTF-8 that says so',
      changed(
        archive => {
          for (const target of first(archive).both) {
            target.name = Buffer.from(`v\u00e9ga-${balancesName}`);
            target.record.flags |= 0x0800;
          }
        },
        [style],
      ),
      [],
    ],
    ['zip64 fields that repeat what fits in 32 bits', changed(wideDirectory, two, true), []],
    [
      'end records of both kinds with the same figures',
      bent(archive => Object.assign(archive.end, { ...archive.zip64?.record, disk: 0, startDisk: 0 }), two, true),
      [],
    ],
    [
      'a comment',
      changed(archive => {
        archive.comment = Buffer.from('made by hand');
        first(archive).central.comment = Buffer.from('the first');
      }),
      ['The archive has a comment of 12 bytes; nodes write none.', 'Entries with a comment: 1; nodes write none.'],
    ],
  ];

  /** As Go does it: all three fields, though the offset would fit. */
  function wideDirectory(archive: Archive): void {
    let offset = 0;
    for (const [index, { record, data, ...local }] of archive.entries.entries()) {
      const central = archive.directory[index];
      if (!central) continue;
      const sizes = [numbered(balancesCsv.length, 8), numbered(data.length, 8), numbered(offset, 8)];
      central.extra = extraField(1, Buffer.concat(sizes));
      Object.assign(central.record, { plain: 0xffffffff, compressed: 0xffffffff, needed: 45 });
      offset += localBytes({ record, data, ...local }).length;
    }
  }

  test.each(cases)(
    'An archive from another tool with %s is complete when every reader reads it alike',
    async (_title, body, notes) => {
      const verdict = await judge(body);
      expect(summary(verdict)).toMatch(/^complete/);
      expect(verdict.notes).toEqual(notes);
      expect((await readFromEnd(body)).map(({ name }) => name)).toEqual(verdict.entries.map(({ name }) => name));
    },
  );
});

test('An entry that contradicts the directory is not good, but the one next to it is', async () => {
  const verdict = await judge(changed(archive => Object.assign(first(archive).central.record, { modified: 5 })));
  expect(verdict.entries.map(({ findings }) => findings.map(({ fault }) => fault))).toEqual([['directory'], []]);
});
