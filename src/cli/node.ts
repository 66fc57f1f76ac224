import { LAG_SECONDS } from '../base/settings/preferences.ts';
import { PROFILE_COLOURS, type Profile, type ProfileColour } from '../base/settings/settings.ts';
import { nodeAmbiguity, settingsFaultTextWithFile } from '../base/settings/settings-faults.ts';
import { openSettings, type SettingsFile, settingsWithFaults } from '../base/settings/settings-file.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { formatTable } from '../base/text/text-table.ts';
import { addressWithoutLogin, baseAddress, isAddress } from '../chain/api/request.ts';
import type { Command } from './command.ts';
import { type Context, EMBEDDED } from './context.ts';
import { EXIT } from './exit-code.ts';
import { findAction } from './find-action.ts';
import type { ParsedFlags } from './flags.ts';
import { printAll, readFormat } from './output.ts';
import { UsageError } from './usage-error.ts';

const NODE_FORMATS = ['table', 'json', 'csv'] as const;

export const node: Command = {
  group: 'Set up',
  form: 'add|use|list|remove [name] [url]',
  about:
    'manage the nodes saved in the settings: add a node, set the default node, list or remove nodes. It contacts no node. Logins in addresses are saved and never shown',
  examples: ['node add main https://node.example:3008 --colour green', 'node list'],
  formats: NODE_FORMATS,
  flags: [
    {
      name: 'colour',
      kind: 'text',
      value: 'COLOUR',
      about: `add: its colour in the header, one of ${PROFILE_COLOURS.join(', ')}`,
    },
    {
      name: 'max-lag',
      kind: 'number',
      least: LAG_SECONDS.least,
      most: LAG_SECONDS.most,
      value: 'SECONDS',
      about: 'add: the node is live, and behind when its newest block is older than this',
    },
    {
      name: 'replace',
      kind: 'switch',
      about: 'add: change the address of a saved node; its colour, --max-lag and presets stay',
    },
  ],
  uses: ['output'],
  run: async (given, context) => {
    const [action = '', ...words] = given.words;
    const run = findAction('node', action, ACTIONS);
    refuseUnused(action, words, given);
    await run(words, { given, context, file: openChangeableSettings(context) });
    return EXIT.done;
  },
};

interface NodeRequest {
  readonly given: ParsedFlags;
  readonly context: Context;
  readonly file: SettingsFile;
}

type NodeAction = (words: readonly string[], asked: NodeRequest) => Promise<void>;

const ACTIONS: { readonly [action: string]: NodeAction } = { add, use, list, remove };

const WORDS: { readonly [action: string]: readonly string[] } = {
  add: ['name', 'address'],
  use: ['name'],
  list: [],
  remove: ['name'],
};

function refuseUnused(action: string, words: readonly string[], given: ParsedFlags): void {
  const wanted = WORDS[action] ?? [];
  const missing = wanted[words.length];
  if (missing !== undefined)
    throw new UsageError(
      `missing argument <${missing}>. Usage: blockglass node ${action} ${wanted.map(word => `<${word}>`).join(' ')}`,
    );
  if (words.length > wanted.length)
    throw new UsageError(`unexpected argument "${words[wanted.length]}". See blockglass node --help.`);
  for (const flag of ['colour', 'max-lag', 'replace'])
    if (action !== 'add' && given.has(flag))
      throw new UsageError(`node ${action} does not accept --${flag}. Only node add does.`);
  if (action !== 'list' && given.has('output'))
    throw new UsageError(`node ${action} does not accept -o, --output. Only node list does.`);
}

/** The settings. Throws if changing their nodes could lose something. */
function openChangeableSettings({ env }: Context): SettingsFile {
  const file = openSettings(env);
  if (file.path === '') throw new UsageError('no home folder for the settings. Set HOME.');
  const doubt = file.faults.find(
    ({ path: [member, ...rest] }) => member === undefined || (member === 'profiles' && rest.length === 0),
  );
  if (doubt !== undefined)
    throw new UsageError(`${settingsFaultTextWithFile(file.path, doubt)}; fix it first, nothing was changed`);
  return file;
}

async function add([name = '', typed = '']: readonly string[], { given, context, file }: NodeRequest): Promise<void> {
  refuseName(name);
  const url = checkedAddress(typed);
  const colour = readColour(given);
  const known = findProfile(file, name);
  if (hasProfile(file, name) && !given.has('replace'))
    throw new UsageError(`node ${name} exists already. Use --replace to change its address.`);
  const { presets, history } = known ?? {};
  const newColour = colour ?? known?.colour;
  const maxLagSeconds = given.number('max-lag') ?? known?.maxLagSeconds;
  const profile: Profile = {
    url,
    ...(newColour !== undefined && { colour: newColour }),
    ...(maxLagSeconds !== undefined && { maxLagSeconds }),
    ...(history !== undefined && { history }),
    ...(presets !== undefined && { presets }),
  };
  await change(file, written => withProfile(written, name, profile));
  await context.stdout.safe(safeLine(`${name} is ${addressWithoutLogin(url)}`));
  if (file.settings.node === undefined)
    await context.stderr.safe(safeLine(`to make it the default node: blockglass node use ${shellWord(name)}`));
}

async function use([name = '']: readonly string[], { context, file }: NodeRequest): Promise<void> {
  if (name === EMBEDDED.label && !hasProfile(file, name)) {
    await change(file, ({ node: _, ...rest }) => rest);
    await context.stdout.safe(safeLine('the default node is now the embedded demo node'));
    return;
  }
  refuseUnknown(file, name);
  const doubt = nodeAmbiguity({ ...settingsWithFaults(file) }, name);
  if (doubt !== undefined) throw new UsageError(settingsFaultTextWithFile(file.path, doubt));
  await change(file, written => ({ ...written, node: name }));
  await context.stdout.safe(safeLine(`the default node is now ${name}`));
  if (context.env.BLOCKGLASS_NODE)
    await context.stderr.safe(safeLine('note: BLOCKGLASS_NODE is set and overrides the default node'));
}

async function list(_: readonly string[], { given, context, file }: NodeRequest): Promise<void> {
  await listProfiles(file, given, context);
}

async function remove([name = '']: readonly string[], { context, file }: NodeRequest): Promise<void> {
  refuseUnknown(file, name);
  const wasUsed = file.settings.node === name;
  await change(file, written => {
    const { node: used, ...rest } = withProfile(written, name, undefined);
    return wasUsed ? rest : { ...rest, ...(used !== undefined && { node: used }) };
  });
  const end = wasUsed ? '. It was the default node; the default is now the embedded demo node.' : '';
  await context.stdout.safe(safeLine(`removed ${name}${end}`));
}

async function change(file: SettingsFile, edit: Parameters<SettingsFile['edit']>[0]): Promise<void> {
  try {
    await file.edit(edit);
  } catch (error) {
    throw new UsageError(`the settings cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// A word that looks like an address is used as one, and `demo` is the embedded node.
function refuseName(name: string): void {
  const why = isAddress(name)
    ? 'it looks like an address'
    : name === EMBEDDED.label
      ? 'the embedded node has this name'
      : /^[\p{L}\p{N}][\p{L}\p{N}_ -]{0,39}$/u.test(name)
        ? undefined
        : 'use letters, digits, - and _, at most 40';
  if (why !== undefined) throw new UsageError(`a node cannot have that name: ${why}`);
}

function checkedAddress(typed: string): string {
  try {
    return baseAddress(typed).href.replace(/\/$/, '');
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readColour(given: ParsedFlags): ProfileColour | undefined {
  const wanted = given.text('colour');
  const colour = PROFILE_COLOURS.find(name => name === wanted);
  if (wanted !== undefined && colour === undefined)
    throw new UsageError(
      `--colour must be one of ${PROFILE_COLOURS.join(', ')}, not "${wanted}"${didYouMean(wanted, PROFILE_COLOURS)}`,
    );
  return colour;
}

function refuseUnknown(file: SettingsFile, name: string): void {
  if (hasProfile(file, name)) return;
  const names = profileNames(file).map(safeProfileName);
  const there =
    names.length === 0
      ? 'No nodes saved yet. Add one with blockglass node add NAME URL.'
      : `Saved nodes: ${names.join(', ')}`;
  throw new UsageError(`no node with that name. ${there}${didYouMean(name, names)}`);
}

function findProfile({ settings }: SettingsFile, name: string): Profile | undefined {
  const { profiles = {} } = settings;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return typeof profile === 'string' ? { url: profile } : profile;
}

const profileNames = ({ settings }: SettingsFile): readonly string[] => Object.keys(settings.profiles ?? {});

/** Also true if the entry with this name is invalid. */
const hasProfile = (file: SettingsFile, name: string): boolean =>
  profileNames(file).includes(name) || file.faults.some(({ path }) => path[0] === 'profiles' && path[1] === name);

/** Leaves other profiles exactly as written. */
function withProfile(
  written: { readonly [member: string]: unknown },
  name: string,
  profile: Profile | undefined,
): { readonly [member: string]: unknown } {
  const { profiles: before, ...rest } = written;
  const others = Object.entries(typeof before === 'object' && before !== null ? before : {}).filter(
    ([other]) => other !== name,
  );
  const profiles = Object.fromEntries(profile === undefined ? others : [...others, [name, profile]]);
  return Object.keys(profiles).length === 0 ? rest : { ...rest, profiles };
}

/** Prints the saved nodes, without the logins of their addresses. */
async function listProfiles(file: SettingsFile, given: ParsedFlags, { stdout, stderr }: Context): Promise<void> {
  const format = readFormat(given, NODE_FORMATS);
  const rows = profileRows(file);
  const forms = {
    records: rows,
    head: () => FIELDS,
    cells: (row: ProfileRow) => [FIELDS.map(field => String(row[field] ?? ''))],
    json: (row: ProfileRow) => JSON.stringify(row),
    table: () =>
      formatTable(
        ['', 'NAME', 'ADDRESS', 'COLOUR'],
        rows.map(({ isDefault, name, address, colour }) => [isDefault ? '*' : '', name, address, colour ?? '']),
      ),
  };
  await printAll(format, forms, stdout);
  for (const note of profileNotes(file, rows)) await stderr.safe(safeLine(note));
}

const FIELDS = ['name', 'address', 'hasLogin', 'colour', 'isDefault'] as const;

type ProfileRow = ReturnType<typeof profileRows>[number];

function profileRows({ settings }: SettingsFile) {
  return Object.entries(settings.profiles ?? {}).map(([name, profile]) => {
    const { url, colour = null } = typeof profile === 'string' ? { url: profile } : profile;
    const address = addressWithoutLogin(url);
    return {
      name: safeProfileName(name),
      address,
      hasLogin: address.includes('***@'),
      colour,
      isDefault: name === settings.node,
    };
  });
}

/** A user may have written an address with a password in place of the name. */
const safeProfileName = (name: string): string => (/[@/:]/.test(name) ? '***' : name);

function profileNotes(file: SettingsFile, rows: readonly ProfileRow[]): readonly string[] {
  const { faults, path } = file;
  const broken = faults.filter(({ path: [member] }) => member === 'profiles' || member === 'node');
  const none =
    rows.length === 0 && broken.length === 0 ? ['no nodes saved yet. Add one with blockglass node add NAME URL.'] : [];
  return [...none, ...defaultNodeNote(file, rows), ...broken.map(fault => settingsFaultTextWithFile(path, fault))];
}

/** The default node, if no row is marked as such. */
function defaultNodeNote(file: SettingsFile, rows: readonly ProfileRow[]): readonly string[] {
  const { node } = file.settings;
  if (nodeAmbiguity(settingsWithFaults(file), undefined) !== undefined)
    return ['the default node is unknown, so give --node URL or --demo'];
  if (node === undefined)
    return ['the default node is the embedded demo node. Change it with blockglass node use NAME.'];
  if (rows.some(({ isDefault }) => isDefault)) return [];
  return [`the default node is ${addressWithoutLogin(node)}, which has no name here`];
}
