import { expect } from 'vitest';

// What a program writes in place of a word that it has not; a node may have sent the same.
const SLIP = /\bNaN\b|\bundefined\b|\[object/;

/** What was made of the given has no word in it that a program writes when it has none, unless it was given. */
export function expectNoSlips(result: unknown, given: unknown): void {
  const [slip] = SLIP.exec(printed(result)) ?? [];
  if (slip !== undefined) expect(printed(given)).toContain(slip);
}

const printed = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (JSON.stringify(value, (_, part: unknown) =>
        typeof part === 'bigint' || typeof part === 'number' ? String(part) : part,
      ) ?? '');
