import {
  changeMine,
  type MineChange,
  type MineFileContent,
  type MineIds,
  mineIdsOnChain,
  minePath,
  normaliseMineId,
  readMine,
} from '../base/settings/mine-file.ts';
import { isHexDigits } from '../base/text/ids.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { formatTable } from '../base/text/text-table.ts';
import { isNotServed } from '../chain/api/errors.ts';
import { askChain } from '../chain/directory/ask-chain.ts';
import { type Directory, NO_NAMES, plainNameOf } from '../chain/directory/directory.ts';
import { findIds } from '../chain/directory/find-ids.ts';
import { isMineEntity, MINE_ENTITIES, MINE_LIST_NAMES, MINE_WORDS, type MineEntity } from '../chain/directory/mine.ts';
import { checksumAddress, isMixedCase } from '../chain/insight/address.ts';
import { loadKeccak } from '../chain/insight/keccak.ts';
import { readPasted } from '../chain/what/pasted-text.ts';
import { whatIs } from '../chain/what/what.ts';
import { readChainFlag } from './chain-flag.ts';
import type { Command } from './command.ts';
import { lazyConnection } from './connect-to-node.ts';
import type { Connection, Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { findAction } from './find-action.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { loadNames, userAliases } from './load-names.ts';
import { FORMATS, printAll, readFormat } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Kinds of ids, in the user's words. */
export const KIND_WORDS: readonly string[] = MINE_ENTITIES.map(entity => MINE_WORDS[entity]);

export const mine: Command = {
  group: 'Set up',
  form: 'add|list|remove [id]...',
  about:
    'mark ids of a chain as yours: parties, submitter addresses, validators and markets. Lists, records and the overview then show "you" for them. An id can also be an alias, or the name of a market or a validator. The node is contacted only to identify unclear ids; list contacts none without --node',
  examples: ['mine add --demo c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c', 'mine list'],
  formats: FORMATS,
  flags: [
    {
      name: 'kind',
      kind: 'text',
      value: 'KIND',
      check: text => parseKind(text),
      about: `kind of the id, if the node cannot tell: ${KIND_WORDS.join(', ')}`,
    },
    { name: 'chain', kind: 'text', value: 'ID', about: 'the chain, if not that of the node' },
  ],
  uses: [...CONNECTION_FLAGS, 'output'],
  run: async (given, context) => {
    const [action = '', ...words] = given.words;
    const run = findAction('mine', action, ACTIONS);
    refuseUnused(action, words, given);
    await run(words, new MineRequest(given, context));
    return EXIT.done;
  },
};

type MineAction = (words: readonly string[], asked: MineRequest) => Promise<void>;

const ACTIONS: { readonly [action: string]: MineAction } = { add, list, remove };

function refuseUnused(action: string, [word, ...others]: readonly string[], given: ParsedFlags): void {
  if (action === 'list' && word !== undefined)
    throw new UsageError(`unexpected argument "${word}". See blockglass mine --help.`);
  if (action === 'list' && given.has('kind'))
    throw new UsageError('mine list does not accept --kind. Only mine add and mine remove do.');
  if (action !== 'list' && word === undefined)
    throw new UsageError(`missing argument <id>. Usage: blockglass mine ${action} <id>...`);
  if (action !== 'list' && given.has('output'))
    throw new UsageError(`mine ${action} does not accept -o, --output. Only mine list does.`);
  if ([word, ...others].includes('')) throw new UsageError('an id is empty');
}

/** The arguments of the command, and data of the node, requested when needed. */
class MineRequest {
  readonly given: ParsedFlags;
  readonly context: Context;
  readonly path: string | undefined;
  readonly connection: () => Promise<Connection>;
  #chain: Promise<string> | undefined;
  #directory: Promise<Directory> | undefined;

  constructor(given: ParsedFlags, context: Context) {
    this.given = given;
    this.context = context;
    this.path = minePath(context.env);
    this.connection = lazyConnection(given, context);
  }

  /** The chain that was named, else that of the node. */
  chain = (): Promise<string> => {
    this.#chain ??= this.#askChain();
    return this.#chain;
  };

  /** Names of the node's chain. */
  directory = (): Promise<Directory> => {
    this.#directory ??= this.connection().then(connection => loadNames(connection, this.context));
    return this.#directory;
  };

  /** The user's own names. Unusable settings have none. */
  aliases = (): Promise<Directory['aliases']> => userAliases(this.context);

  async #askChain(): Promise<string> {
    const named = readChainFlag(this.given);
    if (named !== undefined) return named;
    const { client } = await this.connection();
    try {
      const { chainId } = await askChain(client, ['name'], this.context.signal);
      if (chainId !== null) return chainId;
    } catch (error) {
      if (!isNotServed(error)) throw error;
    }
    throw new UsageError('the node does not report a chain id. Set it with --chain ID.');
  }
}

/** An id with its kind. */
interface OwnId {
  readonly entity: MineEntity;
  readonly id: string;
}

async function add(words: readonly string[], asked: MineRequest): Promise<void> {
  refuseUnreadable(asked);
  const kind = readKind(asked.given);
  const known: OwnId[] = [];
  for (const word of words) known.push(await resolveOwnId(word, kind, asked));
  const chainId = await asked.chain();
  const made = await changeOwnIds(known, true, { chainId, asked });
  for (const [{ entity, id }, isNew] of made) {
    const what = `${MINE_WORDS[entity]} ${id}`;
    const line = isNew ? `added ${what} to mine on ${chainId}` : `${what} is in mine on ${chainId} already`;
    await asked.context.stdout.safe(safeLine(line));
  }
}

async function remove(words: readonly string[], asked: MineRequest): Promise<void> {
  refuseUnreadable(asked);
  const kind = readKind(asked.given);
  const chainId = await asked.chain();
  const stored = mineIdsOnChain(readMine(asked.path).chains, chainId);
  const known: OwnId[] = [];
  const missing: string[] = [];
  for (const word of words) {
    const found = await storedIds(word, { kind, stored, asked });
    known.push(...found);
    if (found.length === 0) missing.push(word);
  }
  const made = await changeOwnIds(known, false, { chainId, asked });
  const { stdout } = asked.context;
  for (const [{ entity, id }] of made)
    await stdout.safe(safeLine(`removed ${MINE_WORDS[entity]} ${id} from mine on ${chainId}`));
  for (const word of missing) await stdout.safe(safeLine(`${word} is not in mine on ${chainId}`));
}

/** Each id once, with whether that changed anything. */
async function changeOwnIds(
  known: readonly OwnId[],
  isMine: boolean,
  { chainId, asked }: { readonly chainId: string; readonly asked: MineRequest },
): Promise<readonly (readonly [OwnId, boolean])[]> {
  const once = [...new Map(known.map(one => [`${one.entity} ${one.id}`, one])).values()];
  if (once.length === 0) return [];
  const changes = once.map(({ entity, id }): MineChange => ({ list: MINE_LIST_NAMES[entity], id, isMine }));
  try {
    const { made } = await changeMine(asked.path, chainId, changes);
    return once.map(one => [one, made.some(({ list, id }) => id === one.id && list === MINE_LIST_NAMES[one.entity])]);
  } catch (error) {
    throw new UsageError(`mine cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The node is not contacted if the result could not be written afterwards. */
function refuseUnreadable({ path }: MineRequest): void {
  if (path === undefined) throw new UsageError('no home folder for the settings. Set HOME.');
}

function readKind(given: ParsedFlags): MineEntity | undefined {
  const wanted = given.text('kind');
  return wanted === undefined ? undefined : parseKind(wanted);
}

function parseKind(wanted: string): MineEntity {
  const entity = MINE_ENTITIES.find(one => MINE_WORDS[one] === wanted);
  if (entity === undefined)
    throw new UsageError(
      `--kind must be one of ${KIND_WORDS.join(', ')}, not "${wanted}"${didYouMean(wanted, KIND_WORDS)}`,
    );
  return entity;
}

/** What a word stands for: an id, an alias, or a name of the chain. Throws UsageError when that is not certain. */
async function resolveOwnId(word: string, kind: MineEntity | undefined, asked: MineRequest): Promise<OwnId> {
  const form = await parseIdForm(word, asked);
  if (form === undefined) return resolveName(word, kind, asked);
  const { id, shape } = form;
  if (shape === 'address') {
    if (kind === undefined || kind === 'submitter') return { entity: 'submitter', id };
    throw new UsageError(`a ${MINE_WORDS[kind]} has 64 hex digits, and ${id} is an Ethereum address`);
  }
  if (kind === 'submitter')
    throw new UsageError(`a submitter is an Ethereum address (0x and 40 hex digits), not ${id}`);
  return { entity: kind ?? (await findKind(id, asked)), id };
}

interface IdForm {
  readonly id: string;
  readonly shape: 'id' | 'address';
}

/** The id that a word is, or that an alias stands for; undefined for any other word. */
async function parseIdForm(word: string, asked: Pick<MineRequest, 'aliases'>): Promise<IdForm | undefined> {
  const { form, value } = readPasted(word);
  if (form.kind === 'id') return { id: form.id, shape: 'id' };
  if (form.kind === 'address') {
    await refuseMistyped(`0x${value.slice(-form.address.length + 2)}`);
    return { id: form.address, shape: 'address' };
  }
  const wanted = word.trim().replace(/^@/, '').toLowerCase();
  const ids = [...(await asked.aliases())].flatMap(([id, alias]) => (alias.toLowerCase() === wanted ? [id] : []));
  const [id, ...others] = ids;
  if (id === undefined) return undefined;
  if (others.length > 0) throw new UsageError(`${ids.length} ids have the alias "${word}". Give the id.`);
  if (normaliseMineId('submitters', id) !== undefined) return { id, shape: 'address' };
  if (normaliseMineId('parties', id) !== undefined) return { id, shape: 'id' };
  throw new UsageError(
    `alias "${word}" points to "${id}", which is neither an id nor an address. Change it in the settings (blockglass config path).`,
  );
}

async function refuseMistyped(address: string): Promise<void> {
  if (!isMixedCase(address)) return;
  if (checksumAddress(address, await loadKeccak()) !== address)
    throw new UsageError(`the checksum of ${address} does not match. Check the address, or write it in lower case.`);
}

const isPartOfId = (word: string): boolean => isHexDigits(word) && word.length >= MIN_PART_DIGITS;

const MIN_PART_DIGITS = 20;

/** The entity with this name on the chain: of the given kind, else a market or a validator. */
async function resolveName(word: string, kind: MineEntity | undefined, asked: MineRequest): Promise<OwnId> {
  const directory = await asked.directory();
  const kinds = kind === undefined ? (['market', 'node'] as const) : [kind];
  const found = kinds.flatMap(entity =>
    findIds(directory, entity, word, {
      isId: id => normaliseMineId(MINE_LIST_NAMES[entity], id) === id,
    }).map((id): OwnId => ({ entity, id })),
  );
  const [only, ...others] = found;
  if (only === undefined) {
    if (readPasted(word).form.kind !== 'name' || isPartOfId(word))
      throw new UsageError(
        `"${word}" is not an id (64 hex digits), an address (0x and 40 hex digits), a beginning of one known here, or one of your aliases`,
      );
    const { markets, validators } = directory;
    throw new UsageError(unknownNameText(word, { markets: markets.size, validators: validators.size }));
  }
  if (others.length === 0) return only;
  throw new UsageError(
    `${found.length} things are called "${word}". Give the id:`,
    found.slice(0, MAX_LISTED_IDS).map(({ entity, id }) => `${MINE_WORDS[entity]} ${id}`),
  );
}

/** A node may not serve a list that has the name. */
function unknownNameText(word: string, read: { readonly markets: number; readonly validators: number }): string {
  const [lists, missing] =
    read.markets > 0
      ? read.validators > 0
        ? ['alias, market or validator', '']
        : ['alias or market', 'validators']
      : read.validators > 0
        ? ['alias or validator', 'markets']
        : ['alias', 'markets or validators'];
  const unread = missing === '' ? '' : `, and this node gave no names of ${missing}. Give the id.`;
  return `no ${lists} is called "${word}"${unread}`;
}

const MAX_LISTED_IDS = 10;

/** Which kind of id it is, by the lists of the node. Throws UsageError if it is in none, or in several. */
async function findKind(id: string, asked: MineRequest): Promise<MineEntity> {
  const { client } = await asked.connection();
  const { roles, unchecked } = await whatIs(id, { client, directory: NO_NAMES, signal: asked.context.signal });
  const leads = roles.flatMap(({ role, lead }) =>
    lead?.id.toLowerCase() === id ? [{ role, entity: lead.entity }] : [],
  );
  const parties = roles.some(({ role }) => PARTY_ROLES.includes(role)) ? (['party'] as const) : [];
  const kinds = [...new Set([...leads.map(({ entity }) => entity).filter(isMineEntity), ...parties])];
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return only;
  const words = kinds.map(kind => MINE_WORDS[kind]);
  if (only !== undefined)
    throw new UsageError(`${id} is a ${words.join(' and a ')} here. Choose with --kind ${words.join(' or --kind ')}.`);
  const other = leads[0]?.role;
  const what =
    other === undefined
      ? 'no party, validator or market of this node has this id'
      : `this id is an ${other}`.replace(/\ban (?=[^aeiou])/, 'a ');
  throw new UsageError(
    `${what}: ${id}. If it is yours anyway, set --kind party, validator or market.`,
    unchecked.map(why => `not checked: ${why}`),
  );
}

/** Roles that only a party's key has, although they lead to a validator. */
const PARTY_ROLES = ['public key of a validator', 'party that delegates to a validator'];

/** The stored ids that a word stands for. */
async function storedIds(
  word: string,
  {
    kind,
    stored,
    asked,
  }: { readonly kind: MineEntity | undefined; readonly stored: MineIds; readonly asked: MineRequest },
): Promise<readonly OwnId[]> {
  const all = MINE_ENTITIES.filter(entity => kind === undefined || kind === entity).flatMap(entity =>
    stored[MINE_LIST_NAMES[entity]].map(id => ({ entity, id })),
  );
  const form = await parseIdForm(word, asked);
  if (form !== undefined) return all.filter(({ id }) => id === form.id);
  const { entity, id } = await resolveName(word, kind, asked);
  return all.filter(one => one.entity === entity && one.id === id);
}

async function list(_: readonly string[], asked: MineRequest): Promise<void> {
  const { given, context } = asked;
  const format = readFormat(given, FORMATS);
  const { chains, problem } = readMine(asked.path);
  const isNamed = given.has('node') || given.has('demo');
  const chainId = isNamed || given.has('chain') ? await asked.chain() : undefined;
  const directory = isNamed ? await asked.directory() : { ...NO_NAMES, aliases: await asked.aliases() };
  const records = mineRows(chains, chainId, directory);
  const forms = {
    records,
    head: () => FIELDS,
    cells: (row: MineRow) => [FIELDS.map(field => row[field] ?? '')],
    json: (row: MineRow) => JSON.stringify(row),
    table: () =>
      formatTable(
        ['CHAIN', 'KIND', 'ID', 'NAME'],
        records.map(({ chain, kind, id, name }) => [chain, kind, id, name ?? '']),
      ),
  };
  await printAll(format, forms, context.stdout);
  if (problem !== undefined) await context.stderr.safe(safeLine(`warning: ${problem}`));
  if (records.length > 0) return;
  const where = chainId === undefined ? '' : ` on ${chainId}`;
  await context.stderr.safe(safeLine(`nothing is yours yet${where}. Add something with blockglass mine add ID.`));
}

const FIELDS = ['chain', 'kind', 'id', 'name'] as const;

type MineRow = ReturnType<typeof mineRows>[number];

function mineRows(chains: MineFileContent['chains'], chainId: string | undefined, directory: Directory) {
  const shown = Object.keys(chains).filter(chain => chainId === undefined || chain === chainId);
  return shown.flatMap(chain =>
    MINE_ENTITIES.flatMap(entity =>
      mineIdsOnChain(chains, chain)[MINE_LIST_NAMES[entity]].map(id => ({
        chain,
        kind: MINE_WORDS[entity],
        id,
        name: plainNameOf(directory, entity, id) ?? null,
      })),
    ),
  );
}
