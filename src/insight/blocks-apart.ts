/** `229 blocks behind its core`. */
export function blocksApart(behind: bigint, from: string): string {
  if (behind === 0n) return `level with ${from}`;
  const count = behind < 0n ? -behind : behind;
  return `${count} ${count === 1n ? 'block' : 'blocks'} ${behind < 0n ? 'ahead of' : 'behind'} ${from}`;
}
