import { crc32 } from 'node:zlib';
import { balances, balancesHeader, csv, nodeError } from '../history/check/samples.ts';
import {
  type Archive,
  archiveOf,
  centralBytes,
  type EntryStyle,
  extraField,
  localBytes,
  numbered,
  piecesOf,
} from './archive-model.ts';
import type { Random } from './random.ts';

const TIME = '2023-01-18 01:12:09+00';

/** Entries as a node or another tool may write them, one to five. */
export function stylesOf(random: Random): readonly EntryStyle[] {
  return Array.from({ length: 1 + random.below(5) }, (_, index) => {
    const range = [index * 1000 + 1, index * 1000 + 1000].map(height => String(height).padStart(6, '0'));
    const rows = Array.from({ length: 1 + random.below(20) }, () => `\\x0${random.below(9)},${TIME},\\x02,1`);
    const isStored = random.chance(1 / 4);
    return {
      name: `vega-mainnet-0011-${balances.table}-093-${range.join('-')}.csv`,
      content: Buffer.from(csv(balancesHeader, ...rows)),
      isStored,
      descriptorBytes: isStored ? 0 : random.pick([0, 12, 16, 16, 16, 20, 24]),
      isZip64: random.chance(1 / 4),
    };
  });
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

const oddNumbers = [0, 1, 2, 4, 8, 10, 20, 45, 46, 63, 99, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0xffffffff];
const oddIds = [0x0001, 0x000a, 0x000d, 0x0017, 0x5455, 0x6375, 0x7075, 0x756e, 0x7875, 0x9901, 0x4b50];

export type Mutations<Target, Result> = { readonly [name: string]: (target: Target, random: Random) => Result };

/** Changes to an archive that is still records. */
export const modelMutations: Mutations<Archive, void> = {
  'a field set': (archive, random) => setField(random.pick(recordsOf(archive)), random),
  'a bit of a field': (archive, random) => {
    const record = random.pick(recordsOf(archive));
    const name = random.pick(Object.keys(record));
    record[name] = Number(BigInt(record[name] ?? 0) ^ (1n << BigInt(random.below(32))));
  },
  'a field in header and directory': (archive, random) => {
    const index = random.below(archive.entries.length);
    const local: { [name: string]: number } | undefined = archive.entries[index]?.record;
    const central: { [name: string]: number } | undefined = archive.directory[index]?.record;
    if (!local || !central) return;
    const name = random.pick(Object.keys(local));
    const value = random.pick(oddNumbers);
    local[name] = value;
    central[name] = value;
  },
  'fields swapped': (archive, random) => {
    const [one, other] = [random.pick(recordsOf(archive)), random.pick(recordsOf(archive))];
    const name = random.pick(Object.keys(one));
    const value = one[name] ?? 0;
    if (other[name] === undefined) return;
    one[name] = other[name];
    other[name] = value;
  },
  'the directory reordered': ({ directory }, random) => {
    directory.splice(random.below(directory.length + 1), 0, ...directory.splice(random.below(directory.length), 1));
  },
  'a directory record twice': ({ directory }, random) => {
    const record = random.pick(directory);
    directory.push({ ...record, record: { ...record.record } });
  },
  'a directory record left out': ({ directory }, random) => {
    if (directory.length > 1) directory.splice(random.below(directory.length), 1);
  },
  'an entry hidden': ({ entries }, random) => {
    const entry = random.pick(entries);
    entries.splice(random.below(entries.length + 1), 0, { ...entry, record: { ...entry.record } });
  },
  'a name': (archive, random) => {
    const target = random.pick<{ name: Buffer }>([...archive.entries, ...archive.directory]);
    target.name = random.pick([
      Buffer.from(`vega-mainnet-0011-balances-093-${random.below(9)}00001-900000.csv`),
      Buffer.concat([target.name.subarray(0, -4), randomBytes(random, 1), target.name.subarray(-4)]),
      Buffer.from('../a.csv'),
      target.name.subarray(1),
    ]);
  },
  'a byte over 127 in both names': (archive, random) => {
    const index = random.below(archive.entries.length);
    for (const target of [archive.entries[index], archive.directory[index]]) {
      if (target) target.name = Buffer.concat([Buffer.from('vega\u00e9-'), target.name]);
    }
  },
  'an extra field': (archive, random) => {
    const target = random.pick<{ extra: Buffer; name: Buffer }>([...archive.entries, ...archive.directory]);
    const id = random.pick(oddIds);
    const other = Buffer.from('other-balances-093-1-1000.csv');
    const renamed = Buffer.concat([Buffer.from([1]), numbered(crc32(target.name), 4), other]);
    const content = random.pick([renamed, randomBytes(random, random.below(30)), Buffer.alloc(8), Buffer.alloc(24)]);
    target.extra = Buffer.concat([target.extra, extraField(id, content)]);
    if (random.chance(1 / 5)) target.extra = target.extra.subarray(0, -1 - random.below(4));
  },
  'an extra field in header and directory': (archive, random) => {
    const index = random.below(archive.entries.length);
    const field = extraField(random.pick(oddIds), randomBytes(random, random.below(20)));
    for (const target of [archive.entries[index], archive.directory[index]]) {
      if (target) target.extra = Buffer.concat([target.extra, field]);
    }
  },
  'a comment of an entry': ({ directory }, random) => {
    random.pick(directory).comment = random.pick(commentsFor(directory, random));
  },
  'a comment of the archive': (archive, random) => {
    archive.comment = random.pick(commentsFor(archive.directory, random));
  },
  'a second archive in the comment': (archive, random) => {
    const other = archiveOf(stylesOf(random), false);
    const { end } = other;
    const bytes = Buffer.concat(piecesOf(archive)).length;
    if (random.chance(1 / 2)) end.offset += bytes;
    archive.comment = Buffer.concat(piecesOf(other));
  },
  'a second directory before the end record': (archive, random) => {
    const last = archive.directory.at(-1);
    if (last) last.comment = Buffer.concat(archive.directory.map(centralBytes)).subarray(0, 60_000 - random.below(9));
  },
  'bytes in front': (archive, random) => {
    archive.before = random.pick([randomBytes(random, 1 + random.below(40)), ...archive.entries.map(localBytes)]);
  },
  'bytes behind': (archive, random) => {
    const whole = Buffer.concat(piecesOf(archive));
    const text = Buffer.from(JSON.stringify({ error: nodeError }));
    archive.after = random.pick([randomBytes(random, 1 + random.below(40)), whole, whole.subarray(-22), text]);
  },
  'bytes behind an entry': ({ entries }, random) => {
    const entry = random.pick(entries);
    entry.descriptor = random.pick([
      Buffer.concat([entry.descriptor, randomBytes(random, 1 + random.below(20))]),
      entry.descriptor.subarray(0, -4),
      Buffer.concat([entry.descriptor, entry.descriptor]),
    ]);
  },
  'a zip64 end record': (archive, random) => {
    const { directory } = archive;
    const here = directory.length;
    const offset = random.below(2000);
    archive.zip64 = archive.zip64 && {
      record: { length: 44, madeBy: 45, needed: 45, disk: 0, startDisk: 0, here, entries: here, bytes: 99, offset },
      locator: { disk: 0, offset: random.below(2000), disks: 1 },
    };
    if (archive.zip64) setField(random.pick([archive.zip64.record, archive.zip64.locator]), random);
  },
};

function recordsOf({ entries, directory, zip64, end }: Archive): readonly { [name: string]: number }[] {
  const wide = zip64 ? [zip64.record, zip64.locator] : [];
  return [...[...entries, ...directory].map(({ record }) => record), ...wide, end];
}

function setField(record: { [name: string]: number }, random: Random): void {
  record[random.pick(Object.keys(record))] = random.pick(oddNumbers);
}

function commentsFor(directory: Archive['directory'], random: Random): readonly Buffer[] {
  const locator = Buffer.concat([numbered(0x07064b50, 4), numbered(0, 4), numbered(random.below(500), 8)]);
  return [
    Buffer.from('made by hand'),
    Buffer.from(JSON.stringify({ error: nodeError })),
    Buffer.from(JSON.stringify({ error: nodeError }).slice(0, 30)),
    Buffer.concat([locator, numbered(1, 4)]),
    Buffer.concat(directory.map(centralBytes)).subarray(0, 60_000),
    Buffer.concat([numbered(0x06054b50, 4), Buffer.alloc(18)]),
    randomBytes(random, 1 + random.below(60)),
  ];
}

/** Changes to an archive in the pieces in which it is written. */
export const byteMutations: Mutations<readonly Buffer[], Buffer> = {
  'a bit': (pieces, random) => {
    const body = Buffer.concat(pieces);
    const at = random.below(body.length);
    body[at] = (body[at] ?? 0) ^ (1 << random.below(8));
    return body;
  },
  'a bit of a record': (pieces, random) => {
    const bent = pieces.map(piece => Buffer.from(piece));
    const piece = random.pick(bent.filter(({ length }) => length > 0));
    const at = random.below(Math.min(46, piece.length));
    piece[at] = (piece[at] ?? 0) ^ (1 << random.below(8));
    return Buffer.concat(bent);
  },
  'a byte': (pieces, random) => {
    const body = Buffer.concat(pieces);
    body[random.below(body.length)] = random.below(256);
    return body;
  },
  'the end cut off': (pieces, random) => {
    const body = Buffer.concat(pieces);
    return body.subarray(0, random.below(body.length));
  },
  'bytes left out': (pieces, random) => {
    const body = Buffer.concat(pieces);
    const from = random.below(body.length);
    return Buffer.concat([body.subarray(0, from), body.subarray(from + 1 + random.below(30))]);
  },
  'bytes put in': (pieces, random) => {
    const body = Buffer.concat(pieces);
    const at = random.below(body.length);
    const from = random.below(body.length);
    const more = random.pick([randomBytes(random, 1 + random.below(30)), body.subarray(from, from + 60)]);
    return Buffer.concat([body.subarray(0, at), more, body.subarray(at)]);
  },
  'a piece twice': (pieces, random) => {
    const index = random.below(pieces.length);
    return Buffer.concat([...pieces.slice(0, index + 1), ...pieces.slice(index)]);
  },
  'a piece left out': (pieces, random) => {
    const index = random.below(pieces.length);
    return Buffer.concat([...pieces.slice(0, index), ...pieces.slice(index + 1)]);
  },
  'two pieces swapped': (pieces, random) => {
    const bent = [...pieces];
    const index = random.below(bent.length);
    bent.splice(random.below(bent.length), 0, ...bent.splice(index, 1));
    return Buffer.concat(bent);
  },
};
