import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { formatByteLimit } from '../base/text/byte-count.ts';
import type { ExplainContext } from '../chain/explain/explanation.ts';
import { loadKeccak } from '../chain/insight/keccak.ts';
import { parseSignerFlag, parseSignerLines, readSigners } from '../chain/insight/signer-bundle/signer-list.ts';
import type { Resource } from '../chain/resources/resource.ts';
import { signerBundles } from '../chain/resources/signer-bundles.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** What only the multisig contract knows: how many signers it has, and how many have to sign. */
export const CONTRACT_FLAGS: readonly Flag[] = [
  {
    name: 'threshold',
    kind: 'number',
    group: 'Signers',
    least: 0,
    most: 1000,
    value: 'N',
    about: 'the threshold of the multisig contract, in thousandths (700 = 70 %)',
  },
  {
    name: 'signer-count',
    kind: 'number',
    group: 'Signers',
    least: 1,
    most: 100_000,
    value: 'N',
    about: 'how many signers the contract has',
  },
];

const SIGNERS: readonly Flag[] = [
  {
    name: 'signers',
    kind: 'text',
    group: 'Signers',
    value: 'FILE',
    about: 'file of signers, one per line: address and name; # comments',
  },
  {
    name: 'signer',
    kind: 'text',
    group: 'Signers',
    value: 'ADDRESS[=NAME]',
    about: 'a signer, in addition to the validators of the node',
    repeats: true,
  },
  ...CONTRACT_FLAGS,
];

/** What the user knows about the contract of the bundles. */
export const SIGNER_FLAGS: readonly Flag[] = SIGNERS.map(flag => ({
  ...flag,
  about: `${signerBundles.id}: ${flag.about}`,
  lists: { [signerBundles.id]: flag.about },
}));

/** The flags that name signers. */
export const NAMING_FLAGS: readonly Flag[] = SIGNER_FLAGS.filter(({ value = '' }) => value !== 'N');

/** The flags about how many have to sign. */
export const THRESHOLD_FLAGS: readonly Flag[] = SIGNER_FLAGS.filter(({ value = '' }) => value === 'N');

/** Throws if one of these flags was given, for output that does not depend on it. */
export function refuseFlags(given: ParsedFlags, flags: readonly Flag[], reason: string): void {
  const used = flags.find(({ name }) => given.has(name));
  if (used !== undefined) throw new UsageError(`--${used.name} ${reason}`);
}

/** Throws a usage error for each wrong line or flag, and for flags that this list does not use. */
export async function readSignerFlags(
  given: ParsedFlags,
  resource: Resource,
): Promise<Pick<ExplainContext, 'signers' | 'threshold' | 'signerCount'>> {
  const used = SIGNER_FLAGS.find(({ name }) => given.has(name));
  if (used === undefined) return {};
  if (resource.id !== signerBundles.id)
    throw new UsageError(`--${used.name} is for ${signerBundles.id}, not for ${resource.id}`);
  const threshold = given.number('threshold');
  const signerCount = given.number('signer-count');
  if (signerCount !== undefined && threshold === undefined) throw new UsageError('--signer-count needs --threshold');
  const entries = [...(await readSignerFile(given.text('signers'))), ...given.texts('signer').map(parseSignerFlag)];
  const { signers, problems } = readSigners(entries, await loadKeccak());
  const [problem, ...others] = problems;
  if (problem !== undefined) throw new UsageError(problem, limitProblems(others));
  return { signers, ...(threshold !== undefined && { threshold }), ...(signerCount !== undefined && { signerCount }) };
}

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_PROBLEMS = 20;

/** In a file that is not a list of signers, every line is wrong. */
const limitProblems = (problems: readonly string[]): readonly string[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [...problems.slice(0, MAX_PROBLEMS), `and ${problems.length - MAX_PROBLEMS} more like these`];

async function readSignerFile(file: string | undefined) {
  if (file === undefined) return [];
  try {
    // A pipe is welcome; a device may never end.
    const bytes = await buffer(createReadStream(file, { end: MAX_FILE_BYTES }));
    if (bytes.length > MAX_FILE_BYTES) throw new Error(`it is larger than ${formatByteLimit(MAX_FILE_BYTES)}`);
    return parseSignerLines(bytes.toString('utf8'), file);
  } catch (error) {
    throw new UsageError(`--signers ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
