const TRUE_SPELLINGS: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE_SPELLINGS: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

export function isGoBool(text: string): boolean {
  return TRUE_SPELLINGS.includes(text) || FALSE_SPELLINGS.includes(text);
}

export function parseGoBool(text: string): boolean {
  return TRUE_SPELLINGS.includes(text);
}

/** The integer, or the error text of Go's strconv.ParseInt. */
export function parseGoInt(text: string, bits: 32 | 64): bigint | string {
  if (!/^[+-]?\d+$/.test(text)) return `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(bits, value) === value) return value;
  return `strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`;
}

/** The integer, or the error text of Go's strconv.ParseUint, which takes no sign at all. */
export function parseGoUint(text: string, bits: 64): bigint | string {
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  const value = BigInt(text);
  if (BigInt.asUintN(bits, value) === value) return value;
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`;
}
