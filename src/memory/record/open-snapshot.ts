import { shellWord } from '../../base/text/shell-word.ts';
import { momentText } from '../../base/text/time.ts';
import type { SnapshotFile, SnapshotInfo, Snapshots } from '../snapshots/index.ts';
import { MOMENT_FORMS, parseMomentText, SNAPSHOT_ID } from './parse-moment.ts';

/** A stored snapshot, and the file it is in, which must be closed. */
export interface OpenedSnapshot {
  readonly chainId: string;
  readonly info: SnapshotInfo;
  readonly snapshots: Snapshots;
}

/** No snapshot matches a name or a place, or several do. The message explains what to do. */
export class MomentError extends Error {
  override readonly name = 'MomentError';
}

/** Where to look. */
export interface SnapshotSource {
  /** The folder with the snapshots of all chains. */
  readonly folder: string;
  /** Which chain: by its id, or by the address it was recorded from, as `shownAddress` writes it. */
  readonly chain: { readonly id: string } | { readonly node: string } | undefined;
  /** How the command identifies a chain: by --node, or by --chain. */
  readonly namedBy: 'node' | 'chain';
  /** The flags that identify the node, for advice: `--node http://127.0.0.1:3008`. */
  readonly nodeFlags?: readonly string[];
  readonly nowMs: number;
}

/**
 * Opens the snapshot that `name` means: an id, or a time (`yesterday`, `2h`, `2026-10-01`) for the newest snapshot not
 * after it; without a name, the newest snapshot. The chain is the one given by the place, or the only one. No node is
 * contacted. Throws MomentError if no such snapshot exists, SnapshotError if a file cannot be read.
 */
export async function openSnapshot(place: SnapshotSource, name: string | undefined): Promise<OpenedSnapshot> {
  const snapshots = await openChain(place, parseSnapshotTime(name, place.nowMs));
  try {
    return { chainId: snapshots.chainId, info: findSnapshot(snapshots, name, place.nowMs), snapshots };
  } catch (error) {
    snapshots.close();
    throw error;
  }
}

/** Opens the snapshots of the chain that the place names, or of the only one. Throws MomentError or SnapshotError. */
export async function openChain(place: SnapshotSource, timeMs = Number.POSITIVE_INFINITY): Promise<Snapshots> {
  const { folder, chain } = place;
  const { listSnapshotFiles, openChainSnapshots, openSnapshots } = await import('../snapshots/index.ts');
  const named = chain !== undefined && 'id' in chain ? openChainSnapshots(folder, chain.id) : undefined;
  if (named !== undefined) return named;
  const files = listSnapshotFiles(folder);
  const chains = files.flatMap(file => (file.chainId === null ? [] : [readKnownChain(file, openSnapshots(file.path))]));
  return openSnapshots(chooseChainFile({ chains, files, place, timeMs }));
}

/** A snapshot by its id or a time; the newest without a name. Throws MomentError. */
export function findSnapshot(snapshots: Snapshots, name: string | undefined, nowMs: number): SnapshotInfo {
  const timeMs = parseSnapshotTime(name, nowMs);
  const found =
    name === undefined
      ? snapshots.newest()
      : timeMs === undefined
        ? snapshots.withId(Number(name))
        : snapshots.at(timeMs);
  if (found !== undefined) return found;
  const [oldest, newest] = [snapshots.after(0), snapshots.newest()];
  if (name === undefined || oldest === undefined || newest === undefined)
    throw new MomentError('no snapshots yet. Store one with blockglass record --once');
  const end = timeMs === undefined && Number(name) > newest.id ? newest : oldest;
  const range = `the ${end === oldest ? 'oldest' : 'newest'} is ${end.id}, of ${momentText(end.takenMs)}`;
  throw new MomentError(
    timeMs === undefined
      ? `snapshot ${name} not found; ${range}`
      : `no snapshot from ${momentText(timeMs)} or before; ${range}`,
  );
}

/** The time that a name means (Unix milliseconds); undefined for an id and without a name. Throws MomentError. */
function parseSnapshotTime(name: string | undefined, nowMs: number): number | undefined {
  if (name === undefined || SNAPSHOT_ID.test(name)) return undefined;
  const timeMs = parseMomentText(name, nowMs);
  if (timeMs === undefined) throw new MomentError(`a snapshot is an id, ${MOMENT_FORMS}; not "${name}"`);
  return timeMs;
}

/** A chain with snapshots. */
interface KnownChain {
  readonly id: string;
  readonly path: string;
  readonly all: readonly SnapshotInfo[];
}

function readKnownChain({ path }: SnapshotFile, snapshots: Snapshots): KnownChain {
  try {
    return { id: snapshots.chainId, path, all: snapshots.all() };
  } finally {
    snapshots.close();
  }
}

interface ChoiceContext {
  readonly chains: readonly KnownChain[];
  readonly files: readonly SnapshotFile[];
  readonly place: SnapshotSource;
  readonly timeMs: number;
}

function chooseChainFile({ chains, files, place, timeMs }: ChoiceContext): string {
  const { folder, chain, namedBy, nodeFlags = [] } = place;
  const fitting = chain === undefined ? chains : 'id' in chain ? [] : newestChainFrom(chains, chain.node, timeMs);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only.path;
  const [damaged] = files;
  // Opening it reports the problem.
  if (chains.length === 0 && damaged !== undefined) return damaged.path;
  const store = `Store one with ${['blockglass record --once', ...nodeFlags].join(' ')}`;
  if (chains.length === 0) throw new MomentError(`no snapshots in ${folder}. ${store}`);
  const unread = files.flatMap(({ problem }) => problem ?? []);
  const damage = unread.length === 0 ? '' : ` (${unread.join('; ')})`;
  if (chain === undefined)
    throw new MomentError(
      `found snapshots of ${chains.length} chains. Choose one with ${chainChoicesText(chains, place)}${damage}`,
    );
  if ('id' in chain && namedBy === 'node')
    throw new MomentError(`no snapshots of the chain "${chain.id}"${damage}. ${store}`);
  const what = 'id' in chain ? `of the chain "${chain.id}"` : `from ${chain.node}`;
  throw new MomentError(`no snapshots ${what}${damage}. Found some with ${chainChoicesText(chains, place)}`);
}

/** `--node http://127.0.0.1:3008 (demo-chain-1) or --node ...` */
const chainChoicesText = (chains: readonly KnownChain[], { namedBy }: SnapshotSource): string =>
  chains
    .map(({ id, all }) =>
      namedBy === 'chain' ? `--chain ${shellWord(id)}` : `--node ${all.at(-1)?.node ?? '?'} (${id})`,
    )
    .join(' or ');

/** An address may have been of one chain and then of another: the chain of the newest snapshot from it. */
function newestChainFrom(chains: readonly KnownChain[], node: string, timeMs: number): readonly KnownChain[] {
  const from = chains.flatMap(chain => {
    const own = chain.all.filter(info => info.node === node);
    const last = own.findLast(({ takenMs }) => takenMs <= timeMs);
    return own.length === 0 ? [] : [{ chain, lastMs: last?.takenMs ?? Number.NEGATIVE_INFINITY }];
  });
  const newest = from.toSorted((one, other) => other.lastMs - one.lastMs)[0];
  return newest === undefined ? [] : [newest.chain];
}
