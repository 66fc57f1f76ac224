import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadKeccak } from '../../../../src/chain/insight/keccak.ts';
import {
  parseSignerFlag,
  parseSignerLines,
  readSigners,
} from '../../../../src/chain/insight/signer-bundle/signer-list.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const keccak = await loadKeccak();
const A = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const B = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const ofFile = (text: string) => readSigners(parseSignerLines(text, 'signers.txt'), keccak);

it('A signer file has an address and a name on each line, and may have comments and empty lines', () => {
  const text = `\ufeff# ours\r\n${A} Validator 0\r\n\r\n  # theirs\n  ${B.toLowerCase()}\t two words  \n0x${'11'.repeat(20)}`;
  const { signers, problems } = ofFile(text);
  expect(problems).toEqual([]);
  expect([...signers]).toEqual([
    [A.toLowerCase(), 'Validator 0'],
    [B.toLowerCase(), 'two words'],
    [`0x${'11'.repeat(20)}`, ''],
  ]);
});

it('A line of a signer file without a valid address, or with a repeated one, is reported by its number', () => {
  const mistyped = A.replace('5aA', '5aa');
  const { signers, problems } = ofFile(`${A} one\nValidator 0x12\n${mistyped}\n\n${A.toLowerCase()} two\n0x1234 short`);
  expect([...signers]).toEqual([[A.toLowerCase(), 'one']]);
  expect(problems).toEqual([
    'line 2 of signers.txt: "Validator" is not an Ethereum address (0x and 40 hex digits)',
    `line 3 of signers.txt: ${mistyped} is mistyped: its checksum does not match (EIP-55)`,
    `line 5 of signers.txt: ${A.toLowerCase()} is already in line 1 of signers.txt`,
    'line 6 of signers.txt: "0x1234" is not an Ethereum address (0x and 40 hex digits)',
  ]);
});

it('A signer flag has an address, and a name after the first =', () => {
  const { signers, problems } = readSigners([A, `${B}= a=b `].map(parseSignerFlag), keccak);
  expect([...signers]).toEqual([
    [A.toLowerCase(), ''],
    [B.toLowerCase(), 'a=b'],
  ]);
  expect(problems).toEqual([]);
  expect(readSigners([parseSignerFlag('=')], keccak).problems).toHaveLength(1);
});

it('Signer files and flags with any content are read without an error', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(A, B, '#', '='))), parts => {
      const text = parts.join('\n');
      const { signers, problems } = readSigners([...parseSignerLines(text, 'f'), parseSignerFlag(text)], keccak);
      expect([...signers.keys()].every(address => /^0x[0-9a-f]{40}$/.test(address))).toBe(true);
      expect(problems.every(problem => /^(?:line \d+ of f|--signer): /.test(problem))).toBe(true);
    }),
  );
});
