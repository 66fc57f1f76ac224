import { dirname, join } from 'node:path';
import { withLock } from '../disk/file-lock.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile, systemErrorReason } from '../disk/ordinary-file.ts';
import { removeAbandonedParts, replaceFileContent } from '../disk/replace-file-content.ts';
import { formatByteLimit } from '../text/byte-count.ts';
import { readTypedAddress, readTypedId } from '../text/ids.ts';
import { type Decoder, isObject, objectDecoder, type ReportProblem, recordDecoder, textDecoder } from './decoders.ts';
import { doubledMembers, JsonMistake } from './doubled-members.ts';
import {
  isDuplicate,
  isUnknownSetting,
  isWholeFileFault,
  type SettingsFault,
  settingsFaultText,
  unusableFile,
} from './settings-faults.ts';
import { BROKEN_LINK, isLink, resolveLink, settingsFolder } from './settings-file.ts';

/** The lists of the file: what a user can call theirs on a chain. */
const MINE_LISTS = ['parties', 'submitters', 'validators', 'markets'] as const;

type MineList = (typeof MINE_LISTS)[number];

/** The user's own ids on one chain: in lower case, in the order of the file. */
export type MineIds = { readonly [list in MineList]: readonly string[] };

export const NO_MINE_IDS: MineIds = { parties: [], submitters: [], validators: [], markets: [] };

export interface MineFileContent {
  /** By the id of the chain. */
  readonly chains: { readonly [chainId: string]: MineIds };
  /** The mistakes of the file in a sentence; undefined when there are none that matter. */
  readonly problem?: string;
}

/** An id to be added to a list of a chain, or removed from it. */
export interface MineChange {
  readonly list: MineList;
  readonly id: string;
  readonly isMine: boolean;
}

interface MineUpdate {
  /** The user's current ids on the chain, including those added by other processes. */
  readonly ids: MineIds;
  /** The changes that were not made before. */
  readonly made: readonly MineChange[];
}

/** The file with the user's own ids; undefined if the environment has no home folder. */
export function minePath(env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CONFIG_HOME = '', HOME = '' } = env;
  const folder = XDG_CONFIG_HOME === '' && HOME === '' ? undefined : settingsFolder(env);
  return folder === undefined ? undefined : join(folder, 'blockglass', 'mine.json');
}

/** Reads the file. A mistake costs the member it is in, never the start. */
export function readMine(path: string | undefined): MineFileContent {
  if (path === undefined) return { chains: {} };
  try {
    const { chains, faults } = decodeFile(readFileText(path));
    const [first, ...others] = faults.filter(fault => !isUnknownSetting(fault));
    if (first === undefined) return { chains };
    const more = others.length === 0 ? '' : `; ${others.length} more`;
    return {
      chains,
      problem: `${path}${isWholeFileFault(first) ? ' is not used' : ''}: ${settingsFaultText(first)}${more}`,
    };
  } catch (error) {
    return { chains: {}, problem: `${path} is not used: ${systemErrorReason(error)}` };
  }
}

/** The user's own ids on a chain, from a file that was read. */
export const mineIdsOnChain = (chains: MineFileContent['chains'], chainId: string): MineIds =>
  (Object.hasOwn(chains, chainId) ? chains[chainId] : undefined) ?? NO_MINE_IDS;

/** The form of an id that is written and compared; undefined if no list of this kind can hold it. */
export function normaliseMineId(list: MineList, text: string): string | undefined {
  return list === 'submitters' ? readTypedAddress(text) : readTypedId(text);
}

/**
 * Changes the user's own ids on a chain, in the current file: all changes or none, with access for its owner only.
 * Mistakes elsewhere in the file are left unchanged. Throws if the file cannot be written or something in it would be
 * lost.
 */
export async function changeMine(
  path: string | undefined,
  chainId: string,
  changes: readonly MineChange[],
): Promise<MineUpdate> {
  if (path === undefined) throw new Error('no home folder for the settings. Set HOME.');
  try {
    if (chainIdDecoder(chainId, () => undefined) === undefined)
      throw new Error('the id of the chain is empty or too long');
    makeFolder(dirname(path));
    const place = resolveLink(path);
    return await withLock(place, async () => {
      const before = decodeFile(readFileText(path));
      refuseAmbiguous(before, chainId);
      const wanted = [...new Map(changes.map(change => [`${change.list} ${change.id}`, change])).values()];
      const made = wanted.filter(change => has(before.chains, chainId, change) !== change.isMine);
      const ids = mineIdsOnChain(before.chains, chainId);
      if (made.length === 0) return { ids, made };
      const text = `${JSON.stringify(applyChanges(before.written, chainId, made), null, 2)}\n`;
      if (Buffer.byteLength(text) > MAX_FILE_BYTES)
        throw new Error(`it would be larger than the limit of ${formatByteLimit(MAX_FILE_BYTES)}`);
      const after = decodeFile(text);
      await replaceFileContent(place, text);
      await removeAbandonedParts(place);
      return { ids: mineIdsOnChain(after.chains, chainId), made };
    });
  } catch (error) {
    throw new Error(`${path}: ${systemErrorReason(error)}`);
  }
}

const MAX_FILE_BYTES = 1024 * 1024;

/** Throws for a link to a missing file: the link would be replaced. */
function readFileText(path: string): string {
  const text = readOrdinaryFile(path, MAX_FILE_BYTES);
  if (text === undefined && isLink(path)) throw new Error(BROKEN_LINK);
  return text ?? '{}';
}

interface DecodedFile {
  readonly written: FileContent;
  readonly chains: MineFileContent['chains'];
  readonly faults: readonly SettingsFault[];
}

type FileContent = { readonly [member: string]: unknown };

function decodeFile(text: string): DecodedFile {
  try {
    const faults: SettingsFault[] = [];
    const tell: ReportProblem = (problem, path = []) => {
      faults.push({ path, problem });
      return undefined;
    };
    for (const path of doubledMembers(text)) tell(DUPLICATE_PROBLEM, path);
    const written: unknown = JSON.parse(text);
    const chains = chainsDecoder(written, tell) ?? {};
    return { written: isObject(written) ? written : {}, chains: withEmptyLists(chains), faults };
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    const { faults } = unusableFile(`it is not valid JSON: ${error.message}`, error.path);
    return { written: {}, chains: {}, faults };
  }
}

const withEmptyLists = (chains: { readonly [chainId: string]: Partial<MineIds> }): MineFileContent['chains'] =>
  Object.fromEntries(Object.entries(chains).map(([chainId, ids]) => [chainId, { ...NO_MINE_IDS, ...ids }]));

const DUPLICATE_PROBLEM = 'appears twice';

/** The usable ids of a list; a repeated id counts once. */
const idListDecoder =
  (list: MineList): Decoder<readonly string[]> =>
  (value, tell) => {
    if (!Array.isArray(value)) return tell('must be a list');
    const ids = value.map((item: unknown, index) => {
      const id = typeof item === 'string' ? normaliseMineId(list, item) : undefined;
      return id ?? tell(list === 'submitters' ? 'must be 0x and 40 hex digits' : 'must be 64 hex digits', [index]);
    });
    return [...new Set(ids.filter(id => id !== undefined))];
  };

const chainIdDecoder = textDecoder({ most: 200 });

const chainsDecoder = recordDecoder(
  objectDecoder<MineIds>({
    parties: idListDecoder('parties'),
    submitters: idListDecoder('submitters'),
    validators: idListDecoder('validators'),
    markets: idListDecoder('markets'),
  }),
  { name: chainIdDecoder },
);

/** Throws if a change would lose text that a user has written. */
function refuseAmbiguous({ faults, written }: DecodedFile, chainId: string): void {
  const onWay = (fault: SettingsFault): boolean =>
    isWholeFileFault(fault) ||
    isDuplicate(fault) ||
    (fault.path[0] === chainId && fault.path.length < 3 && !isUnknownSetting(fault));
  const doubt = faults.find(onWay);
  if (doubt !== undefined) throw new Error(`${settingsFaultText(doubt)}; nothing is changed until it is fixed`);
  if (!Object.hasOwn(written, chainId) && Object.keys(written).length >= MAX_CHAINS)
    throw new Error(`it has ${MAX_CHAINS} chains, and no more are read. Remove one first`);
}

/** As many as the decoder takes. */
const MAX_CHAINS = 1000;

const has = (chains: MineFileContent['chains'], chainId: string, { list, id }: MineChange): boolean =>
  mineIdsOnChain(chains, chainId)[list].includes(id);

/** The content with the changes; everything else is kept as written, and empty lists are removed. */
function applyChanges(written: FileContent, chainId: string, changes: readonly MineChange[]): FileContent {
  const there = Object.hasOwn(written, chainId) ? written[chainId] : undefined;
  const before = isObject(there) ? there : {};
  const lists = MINE_LISTS.flatMap(list => {
    const own = changes.filter(change => change.list === list);
    const items = Object.hasOwn(before, list) ? before[list] : [];
    const removed = new Set(own.filter(({ isMine }) => !isMine).map(({ id }) => id));
    const kept = (Array.isArray(items) ? items : []).filter(
      (item: unknown) => typeof item !== 'string' || !removed.has(normaliseMineId(list, item) ?? ''),
    );
    const all: readonly unknown[] = [...kept, ...own.filter(({ isMine }) => isMine).map(({ id }) => id)];
    return all.length === 0 ? [] : [[list, all] as const];
  });
  const others = Object.entries(before).filter(([name]) => !MINE_LISTS.some(list => list === name));
  const chain = Object.fromEntries([...lists, ...others]);
  const { [chainId]: _, ...rest } = written;
  return Object.keys(chain).length === 0 ? rest : { ...written, [chainId]: chain };
}
