import fc from 'fast-check';

/** Any code point. The unit `binary` of fast-check maps back all 1,112,064 of them first, which takes over a second. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map(code => String.fromCodePoint(code), codeOf);

function codeOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not one character');
  return code;
}

/** What no terminal is to be given, named here by category and property, one by one. */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb\ufffe]/u;
