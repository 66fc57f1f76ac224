/** How far one node is behind another: `229 blocks behind its core`, `in sync`. */
export function blocksApart(behind: bigint, from: string): string {
  if (behind === 0n) return `in sync`;
  const count = behind < 0n ? -behind : behind;
  return `${count} ${count === 1n ? 'block' : 'blocks'} ${behind < 0n ? 'ahead of' : 'behind'} ${from}`;
}
