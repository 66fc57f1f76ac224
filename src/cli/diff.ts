import { didYouMean } from '../base/text/nearest-word.ts';
import { joinSafe, safeLine } from '../base/text/safe-text.ts';
import { shortenName } from '../base/text/shorten-name.ts';
import { momentText } from '../base/text/time.ts';
import type { Client } from '../chain/api/client.ts';
import { isAddress } from '../chain/api/request.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { type ChainSide, describeSide } from '../memory/diff/chain-side.ts';
import { compareSides } from '../memory/diff/compare-sides.ts';
import { comparisonNotes, earlierBlockNotes } from '../memory/diff/comparison-notes.ts';
import { createDisplayContext } from '../memory/diff/describe-change.ts';
import { LIST_RULES } from '../memory/diff/list-rules.ts';
import type { Differences, RecordChange } from '../memory/diff/side.ts';
import { findSnapshot, openChain } from '../memory/record/open-snapshot.ts';
import { isSnapshotName, MOMENT_FORMS, parseMomentText } from '../memory/record/parse-moment.ts';
import type * as store from '../memory/snapshots/index.ts';
import type { Command } from './command.ts';
import { warnAboutDemoData } from './connect-to-node.ts';
import { type Context, chooseTarget, connect, EMBEDDED, profileTarget, type Target, targetByName } from './context.ts';
import { diffForms } from './diff/diff-forms.ts';
import { readNode, readSnapshot } from './diff/read-side.ts';
import { EXIT } from './exit-code.ts';
import { CONNECTION_FLAGS, type ParsedFlags } from './flags.ts';
import { type Format, printAll, readFormat } from './output.ts';
import { chainPlace } from './record/snapshot-folder.ts';
import { UsageError } from './usage-error.ts';

const FORMATS_OF_DIFF = ['table', 'json', 'ndjson', 'markdown'] as const;

export const diff: Command = {
  group: 'Watch nodes',
  form: '<a> [b]',
  about: `compare two moments or two nodes of a chain. A side is a snapshot of blockglass record, a profile, or an address. A snapshot is given by its id, ${MOMENT_FORMS}. The second side is the node now by default. The exit code is 0 if nothing differs, 1 if something does`,
  examples: ['diff yesterday --resource parameters', 'diff mainnet http://other:3008'],
  formats: FORMATS_OF_DIFF,
  flags: [
    {
      name: 'resource',
      kind: 'text',
      value: 'LIST',
      about: 'compare only this list, such as parameters; repeat it for several',
      repeats: true,
    },
    { name: 'all', kind: 'switch', about: 'also compare what changes all the time, such as scores and heights' },
    {
      name: 'at',
      kind: 'text',
      value: 'TIME',
      about: 'compare with the chain at that time, not with the node; times such as yesterday count back from it',
    },
    { name: 'chain', kind: 'text', value: 'ID', about: 'the chain of the snapshots, if there are several' },
  ],
  uses: [...CONNECTION_FLAGS, 'output'],
  run: async (given, context) => {
    const format = readFormat(given, FORMATS_OF_DIFF);
    const isWanted = wantedLists(given);
    const operands = await readOperands(given, context);
    const [a, b] = await readSides(operands, { given, isWanted, context });
    const compared = compareSides(a, b, { wanted: isWanted, isAll: given.has('all') });
    await printChanges({ a, b, compared, format }, context);
    return diffExitCode(compared);
  },
};

const ALL_HINT = ' (--all compares them)';

/** Whether a list is compared. Throws UsageError for an unknown list. */
function wantedLists(given: ParsedFlags): (list: string) => boolean {
  const names = given.texts('resource');
  const lists = LIST_RULES.map(({ id }) => id);
  const unknown = names.find(name => !lists.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--resource must be one of ${lists.join(', ')}, not "${unknown}"${didYouMean(unknown, lists)}`,
    );
  return list => names.length === 0 || names.includes(list);
}

type Operands = readonly [Operand, Operand];

async function readOperands(given: ParsedFlags, context: Context): Promise<Operands> {
  const [first, second] = given.words;
  if (first === undefined)
    throw new UsageError(`missing argument. Usage: blockglass diff ${diff.form}, such as blockglass diff yesterday`);
  const a = await readOperand(first, given, context);
  const at = given.text('at');
  const named = second === undefined ? (at === undefined ? undefined : '--at') : `"${second}"`;
  for (const flag of ['node', 'demo', 'at'])
    if (named !== undefined && named !== `--${flag}` && given.has(flag))
      throw new UsageError(`--${flag} sets the second side, and so does ${named}. Use only one.`);
  if (at !== undefined) return [a, { kind: 'snapshot', name: at }];
  const b = second === undefined ? await chosenNode(given, context) : await readOperand(second, given, context);
  if (a.kind === 'node' && b.kind === 'node' && a.target.address !== '' && a.target.address === b.target.address)
    throw new UsageError('both sides are the same node. Choose another node, or a time such as yesterday.');
  return [a, b];
}

interface ReadContext {
  readonly given: ParsedFlags;
  readonly isWanted: (list: string) => boolean;
  readonly context: Context;
}

/** Reads snapshots first where their chain is known, since nodes are slow. */
async function readSides(operands: Operands, reading: ReadContext): Promise<readonly [ChainSide, ChainSide]> {
  const [a, b] = operands;
  const { given, context } = reading;
  if (a.kind === 'snapshot' && b.kind === 'snapshot') {
    const opened = await openChain(chainPlace(given, context));
    try {
      const nowMs = context.nowMs();
      const other = readStoredSide(opened, findSnapshot(opened, b.name, nowMs), reading);
      // What --at names is the present of the other side.
      const one = findSnapshot(opened, a.name, given.has('at') ? other.takenMs : nowMs);
      return [readStoredSide(opened, one, reading), other];
    } finally {
      opened.close();
    }
  }
  if (a.kind === 'node' && b.kind === 'node') {
    const one = await readNodeSide(a, reading);
    const other = await readNodeSide(b, reading, one.chainId);
    return [one, other];
  }
  const [stored, node] = a.kind === 'snapshot' ? [a, b] : [b, a];
  if (stored.kind !== 'snapshot' || node.kind !== 'node') throw new Error('one side is a snapshot, one a node');
  const { now, earlier } = await readBoth(stored.name, node, reading);
  return a.kind === 'snapshot' ? [earlier, now] : [now, earlier];
}

async function readBoth(name: string, node: Operand & { readonly kind: 'node' }, reading: ReadContext) {
  const { given, context } = reading;
  const { openChainSnapshots } = await import('../memory/snapshots/index.ts');
  const { folder, nowMs } = chainPlace(given, context);
  let then: ChainSide | undefined;
  let demo: Client | undefined;
  const now = await readNodeSide(node, reading, given.text('chain'), (chainId, client) => {
    const opened = openChainSnapshots(folder, chainId);
    const timeMs = parseMomentText(name, nowMs);
    const isStored = opened !== undefined && (timeMs === undefined || opened.at(timeMs) !== undefined);
    if (!isStored && node.target.kind === 'demo') {
      opened?.close();
      demo = client;
      return;
    }
    if (opened === undefined)
      throw new UsageError(
        `no snapshots of the chain ${shortenName(chainId)}. Store one with blockglass record --once, or see blockglass record list.`,
      );
    try {
      then = readStoredSide(opened, findSnapshot(opened, name, nowMs), reading);
    } finally {
      opened.close();
    }
  });
  const earlier = demo === undefined ? then : await readDemoPast(name, now, { client: demo, reading });
  if (earlier === undefined) throw new Error('the node was read, and its chain not known');
  return { now, earlier };
}

/** The demo has a past without recordings: its state at that time, or at its oldest moment. */
async function readDemoPast(
  name: string,
  now: ChainSide,
  { client, reading }: { readonly client: Client; readonly reading: ReadContext },
): Promise<ChainSide> {
  const { context } = reading;
  const { createDemoSnapshots } = await import('../memory/record/demo-past.ts');
  const opened = await createDemoSnapshots(client, now, context.signal);
  try {
    const oldest = opened.after(0);
    const timeMs = parseMomentText(name, now.takenMs);
    if (oldest === undefined || timeMs === undefined || timeMs >= oldest.takenMs)
      return readStoredSide(opened, findSnapshot(opened, name, now.takenMs), reading);
    await context.stderr.safe(
      safeLine(
        `note: the demo chain began at ${now.genesisTime}; this is its oldest moment, of ${momentText(oldest.takenMs)}`,
      ),
    );
    return readStoredSide(opened, oldest, reading);
  } finally {
    opened.close();
  }
}

/** Reads a node. Throws UsageError if it is of another chain than this one. */
async function readNodeSide(
  { target }: Operand & { readonly kind: 'node' },
  { given, isWanted, context }: ReadContext,
  wantedChain?: string,
  onChain: (chainId: string, client: Client) => void = () => {},
): Promise<ChainSide> {
  await warnAboutDemoData(target, context);
  const { client, isEmbedded } = await connect(target, given, context);
  const side = await readNode(
    client,
    {
      isWanted,
      onChain: chainId => {
        if (wantedChain !== undefined && chainId !== wantedChain)
          throw new UsageError(
            `the two sides are of different chains, ${shortenName(wantedChain)} and ${shortenName(chainId)}: nothing to compare`,
          );
        onChain(chainId, client);
      },
    },
    context,
  );
  // The address of the embedded node is another one each time.
  return isEmbedded ? { ...side, node: EMBEDDED.label } : side;
}

const readStoredSide = (opened: store.Snapshots, info: store.SnapshotInfo, { isWanted }: ReadContext): ChainSide =>
  readSnapshot(opened, info, isWanted);

interface PrintInput {
  readonly a: ChainSide;
  readonly b: ChainSide;
  readonly compared: Differences;
  readonly format: Format;
}

async function printChanges({ a, b, compared, format }: PrintInput, { stdout, stderr }: Context): Promise<void> {
  const { changes } = compared;
  const shown = createDisplayContext(a, b);
  if (format === 'table')
    await stdout.safe(joinSafe([safeLine(`a  ${describeSide(a)}`), safeLine(`b  ${describeSide(b)}`)]));
  if (format !== 'table' || changes.length > 0)
    await printAll(format, { records: changes, ...diffForms({ a, b, changes, shown }, stdout) }, stdout);
  if (format === 'table') await stdout.safe(safeLine(summary(compared)));
  for (const note of [...sideNotes(a, b), ...comparisonNotes(compared, ALL_HINT)])
    await stderr.safe(safeLine(`note: ${note}`));
}

/** Warnings for a reader who compares the two. */
function sideNotes(a: ChainSide, b: ChainSide): readonly string[] {
  if (a.snapshot !== null && a.snapshot === b.snapshot) return [`both sides are snapshot ${a.snapshot}`];
  if (a.genesisTime === null || b.genesisTime === null || a.genesisTime === b.genesisTime)
    return earlierBlockNotes(a, b);
  return [`the chain was started again: its genesis is ${a.genesisTime} in a and ${b.genesisTime} in b`];
}

/** `3 changes: 2 in parameters, 1 in fees` */
function summary({ changes, compared }: Differences): string {
  if (changes.length === 0 && compared === 0) return 'no list could be compared';
  if (changes.length === 0) return `no differences in ${countOf(compared, 'list')}`;
  const byList = Map.groupBy(changes, ({ resource }: RecordChange) => resource);
  const counts = [...byList].map(([list, some]) => `${some.length} in ${list}`);
  return `${countOf(changes.length, 'record')} differ${changes.length === 1 ? 's' : ''}: ${counts.join(', ')}`;
}

/** A list that could not be read may differ, so it must not look like equal. */
function diffExitCode({ changes, compared, notCompared }: Differences): number {
  if (changes.length > 0) return EXIT.different;
  return compared === 0 || notCompared.some(({ isFailure }) => isFailure) ? EXIT.untrusted : EXIT.done;
}

/** What one side of a comparison is to be. */
type Operand =
  | { readonly kind: 'snapshot'; readonly name: string }
  | { readonly kind: 'node'; readonly name: string; readonly target: Target };

/**
 * Reads an operand: a number is the id of a snapshot; a time is the last snapshot until then; anything else is a node.
 * Throws UsageError.
 */
async function readOperand(name: string, given: ParsedFlags, context: Context): Promise<Operand> {
  return isSnapshotName(name, context.nowMs()) ? { kind: 'snapshot', name } : readNodeOperand(name, given, context);
}

/** A profile, an address, or `demo`. Throws UsageError. */
async function readNodeOperand(name: string, given: ParsedFlags, context: Context) {
  // A word that is neither would be taken for a host, and a mistyped time is likelier.
  if (!isAddress(name) && name !== EMBEDDED.label && profileTarget(await context.settings(), name) === undefined)
    throw new UsageError(
      `"${name}" is not a snapshot, time, profile or address. A side is a snapshot id, ${MOMENT_FORMS}, a profile, or an address such as http://node:3008.`,
    );
  return { kind: 'node', name, target: await targetByName(name, given, context) } as const;
}

/** The node of --node, --demo or the settings. */
async function chosenNode(given: ParsedFlags, context: Context): Promise<Operand & { readonly kind: 'node' }> {
  return { kind: 'node', name: '', target: await chooseTarget(given, context) };
}
