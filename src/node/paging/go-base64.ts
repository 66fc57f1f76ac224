export type Decoded =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'illegal'; readonly at: number };

/** Standard base64 as Go decodes it: padding is required, line ends are skipped, errors give the offset of the bad byte. */
export function decodeBase64(text: string): Decoded {
  const at = illegalByte(text);
  return at === undefined ? { kind: 'bytes', bytes: Buffer.from(text, 'base64') } : { kind: 'illegal', at };
}

function illegalByte(text: string): number | undefined {
  let inQuantum = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\r' || letter === '\n') continue;
    if (letter === '=') return illegalPadding(text, at, inQuantum);
    if (!/[A-Za-z0-9+/]/.test(letter)) return at;
    inQuantum = (inQuantum + 1) % 4;
  }
  return inQuantum === 0 ? undefined : text.length - inQuantum;
}

function illegalPadding(text: string, at: number, inQuantum: number): number | undefined {
  if (inQuantum < 2) return at;
  const end = inQuantum === 2 ? at + 2 : at + 1;
  if (inQuantum === 2 && text.charAt(at + 1) !== '=') return Math.min(at + 1, text.length);
  return text.length > end ? end : undefined;
}
