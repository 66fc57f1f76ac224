import type { Verdict } from '../../src/history/check/verdict.ts';
import { judge, summary } from '../history/check/samples.ts';
import { byteMutations, modelMutations, stylesOf } from './archive-changes.ts';
import { archiveOf, piecesOf, settlePlaces } from './archive-model.ts';
import { randomOf } from './random.ts';
import { type ReadEntry, readFromEnd } from './second-reader.ts';

export interface MutationTrial {
  readonly kind: string;
  /** What must not be. */
  readonly finding?: string;
}

/**
 * Changes a good archive in one of the ways that a seed gives. What is called complete a reader that starts from the end
 * has to read without complaint, with the same names, lengths and CRCs in the same order; and nothing may throw.
 */
export async function tryMutation(seed: number, index: number): Promise<MutationTrial> {
  const { original, body, mutations } = mutatedArchive(seed, index);
  const { kind, difference } = await tried(body);
  return {
    kind: kind === 'complete' && !body.equals(original) ? 'complete though changed' : kind,
    ...(difference !== undefined && { finding: `${mutations.join(', ')}: ${difference}` }),
  };
}

interface MutatedArchive {
  readonly original: Buffer;
  readonly body: Buffer;
  readonly mutations: readonly string[];
}

function mutatedArchive(seed: number, index: number): MutatedArchive {
  const random = randomOf(seed, index);
  const styles = stylesOf(random);
  const isZip64End = random.chance(1 / 4);
  const archive = archiveOf(styles, isZip64End);
  const original = Buffer.concat(piecesOf(archive));
  const mutations = Array.from({ length: random.chance(1 / 4) ? 2 : 1 }, () => {
    const [name, mutate] = random.pick(Object.entries(modelMutations));
    mutate(archive, random);
    return name;
  });
  // A writer that knows what it does, and one that was bent afterwards.
  if (random.chance(1 / 2)) settlePlaces(archive);
  const pieces = piecesOf(archive);
  if (random.chance(1 / 3)) return { original, body: Buffer.concat(pieces), mutations };
  const [name, mutate] = random.pick(Object.entries(byteMutations));
  // Bytes are bent in a good archive as often as in one that was changed before.
  const isOnly = random.chance(1 / 2);
  const bent = mutate(isOnly ? piecesOf(archiveOf(styles, isZip64End)) : pieces, random);
  return { original, body: bent, mutations: isOnly ? [name] : [...mutations, name] };
}

async function tried(body: Buffer): Promise<{ readonly kind: string; readonly difference?: string }> {
  let verdict: Verdict;
  try {
    verdict = await judge(body, undefined);
  } catch (error) {
    return { kind: 'thrown', difference: `the check threw ${String(error)}` };
  }
  if (verdict.kind !== 'complete') return { kind: verdict.kind };
  const ours = verdict.entries.map(({ name, bytes, crc32 }) => ({ name, bytes, crc: Number.parseInt(crc32, 16) }));
  let theirs: readonly ReadEntry[];
  try {
    theirs = await readFromEnd(body);
  } catch (error) {
    return { kind: verdict.kind, difference: `${summary(verdict)} From the end: ${String(error)}` };
  }
  const difference = { difference: `checked ${JSON.stringify(ours)}, read from the end ${JSON.stringify(theirs)}` };
  return { kind: verdict.kind, ...(JSON.stringify(ours) !== JSON.stringify(theirs) && difference) };
}
