import { UNSAFE } from '../frame-rules.ts';
import type { PrintedStatus } from './answer.ts';
import type { CommandRun } from './sound-run.ts';

/** Done, refused, not reached, not to be trusted: what a node can bring a command to. */
const ENDS: readonly (number | null)[] = [0, 3, 4, 5];
const INTERRUPTED = 130;

/**
 * What is false in the way that a command ended, held against the way it ends with a sound node. Without `isSame` the
 * node has said something else, which may be printed: in full, or up to where the time was over.
 */
export function falseInRun(ran: CommandRun, sound: CommandRun, isSame = true): readonly string[] {
  const { code, stdout, stderr } = ran;
  const found: string[] = [];
  const isWaiting = code === INTERRUPTED && /wait/i.test(stderr);
  if (!ENDS.includes(code) && !isWaiting)
    found.push(
      `it ends with ${code} after ${(ran.elapsedMs / 1000).toFixed(1)} s: ${JSON.stringify(stderr.slice(0, 300))}`,
    );
  if (code === 0 && isSame && (ran.files !== sound.files || (sound.files === '' && stdout !== sound.stdout)))
    found.push(
      `it ends with 0 and ${stdout.length} characters of ${sound.stdout.length}: ${JSON.stringify(stderr.slice(0, 200))}`,
    );
  if (code !== 0 && ran.files !== '') found.push(`it ends with ${code} and leaves a file with a final name`);
  if (
    code !== 0 &&
    isSame &&
    !sound.stdout.startsWith(stdout) &&
    !(code === UNTRUSTED && isPartOf(stdout, sound.stdout))
  )
    found.push(`it ends with ${code} and prints what no node said`);
  if (code !== 0 && stderr.trim() === '') found.push(`it ends with ${code} and says nothing`);
  return [...found, ...falseInWords(stderr)];
}

/**
 * What is false in what `status` says: it prints its judgement however that ends, and nothing of it is what the node said
 * alone.
 */
export function falseInStatus({ code, stdout, stderr }: CommandRun): readonly string[] {
  const ends = [...ENDS, BEHIND];
  const found = ends.includes(code) ? [] : [`it ends with ${code}: ${JSON.stringify(stderr.slice(0, 300))}`];
  try {
    const { exitCode, nodes }: { exitCode: unknown; nodes: readonly { problems: readonly unknown[] }[] } =
      JSON.parse(stdout);
    if (exitCode !== code) found.push(`it ends with ${code} and prints ${exitCode}`);
    if ((code === 0) !== nodes.every(({ problems }) => problems.length === 0))
      found.push(`it ends with ${code} and these problems: ${JSON.stringify(nodes[0]?.problems).slice(0, 300)}`);
  } catch {
    found.push(`it ends with ${code} and prints no JSON: ${JSON.stringify(stdout.slice(0, 200))}`);
  }
  // A pipe is given the node's own texts to the byte.
  return [...found, ...falseInWords(stderr)];
}

const BEHIND = 6;
/** Of a doubtful page the certain rows are printed. */
export const UNTRUSTED = 5;

/** Whether every line of one text is a line of the other. */
function isPartOf(text: string, whole: string): boolean {
  const lines = new Set(whole.split('\n'));
  return text.split('\n').every(line => lines.has(line));
}

/** What `status -o json` prints of each node; none where it prints no JSON. */
export function printedNodes(stdout: string): readonly PrintedStatus[] {
  try {
    const { nodes }: { readonly nodes: readonly PrintedStatus[] } = JSON.parse(stdout);
    return nodes;
  } catch {
    return [];
  }
}

/** What no person should ever read. */
export function falseInWords(text: string): readonly string[] {
  if (/\n\s+at .+:\d+:\d+|node:internal|Unhandled|\bundefined\b|\bNaN\b|\[object/.test(text))
    return [`it speaks of its own code: ${JSON.stringify(text.slice(0, 300))}`];
  const unsafe = UNSAFE.exec(text.replaceAll('\n', ''));
  return unsafe === null ? [] : [`its words hold ${JSON.stringify(unsafe[0])}`];
}
