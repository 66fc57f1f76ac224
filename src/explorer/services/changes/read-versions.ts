import type { Client } from '../../../chain/api/client.ts';
import { readSnapshotSide } from '../../../memory/diff/chain-side.ts';
import { compareSides } from '../../../memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../../memory/diff/describe-change.ts';
import { recordKey } from '../../../memory/diff/list-rules.ts';
import type { Side } from '../../../memory/diff/side.ts';
import { createDemoSnapshots } from '../../../memory/record/demo-past.ts';
import { readChain } from '../../../memory/record/read-chain.ts';
import type { SnapshotInfo, Snapshots } from '../../../memory/snapshots/index.ts';
import type { FoundVersions, RecordName, RecordVersion, VersionsQuery } from './changes.ts';
import { openStoredChain, recordHint } from './stored-chain.ts';

/** Every version of a record in the stored snapshots of a chain. Throws SnapshotError. */
export async function readVersions(
  stateFolder: string | null,
  chainId: string,
  record: VersionsQuery,
  /** Of the demo, which has a past without a record. */
  demo?: () => Promise<Snapshots>,
): Promise<FoundVersions> {
  const { recordCommand } = record;
  const stored = await openStoredChain(stateFolder, { chainId, recordCommand });
  const opened = 'why' in stored && demo !== undefined ? await demo() : stored;
  if ('why' in opened) return { kind: 'none', why: opened.why };
  try {
    const all = opened.all();
    const versions = versionsOfRecord(opened, all, record);
    const newest = all.at(-1);
    const side = newest === undefined ? undefined : readSnapshotSide(opened, newest, () => false);
    if (versions.length === 0 || side === undefined)
      return { kind: 'none', why: `No stored snapshot has this record. ${recordHint(recordCommand)}` };
    return { kind: 'found', versions, shown: createDisplayContext(side, side), snapshots: all.length };
  } finally {
    opened.close();
  }
}

function versionsOfRecord(opened: Snapshots, all: readonly SnapshotInfo[], { resource, key, scope }: RecordName) {
  const name = { list: resource, scope };
  const own = opened.history(name).filter(({ record }) => recordKey(resource, record) === key);
  const ids = new Set(own.flatMap(({ since, until }) => [since, ...(until === null ? [] : [until])]));
  // A removed snapshot has the same content as the next one.
  const moments = [...new Set([...ids].flatMap(id => all.find(info => info.id >= id) ?? []))];
  const versions: RecordVersion[] = [];
  let before: Version = { records: [], blockHeight: null };
  for (const { id, takenMs, blockHeight } of moments.toSorted((one, other) => one.id - other.id)) {
    // A list that could not be read has not disappeared.
    if (opened.list(id, name)?.kind !== 'read') continue;
    const there = own.filter(({ since, until }) => since <= id && (until === null || until > id));
    const after = { records: there.map(one => one.record), blockHeight };
    for (const change of compareVersions(resource, before, after)) versions.push({ snapshot: id, takenMs, change });
    before = after;
  }
  return versions.toReversed();
}

interface Version {
  readonly records: readonly string[];
  readonly blockHeight: string | null;
}

const compareVersions = (list: string, before: Version, after: Version) => {
  const [a, b] = [before, after].map(
    ({ records, blockHeight }): Side => ({
      ...{ chainId: '', blockHeight },
      lists: [{ list, scope: '', kind: 'read', records }],
    }),
  );
  return a === undefined || b === undefined ? [] : compareSides(a, b, { wanted: name => name === list }).changes;
};

/** Snapshots of the demo, the last one of the present. */
export async function readDemo(client: Client): Promise<Snapshots> {
  const { signal } = new AbortController();
  const reading = await readChain(client, { signal, nowMs: Date.now });
  return createDemoSnapshots(client, reading, signal);
}
