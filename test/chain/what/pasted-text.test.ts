import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseTypedLine } from '../../../src/base/text/safe-text.ts';
import { isWorthLookingUp, readPasted } from '../../../src/chain/what/pasted-text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const ID = 'Ab'.repeat(32);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('Pasted value', () => {
  it.each([
    [ID, { kind: 'id', id: ID.toLowerCase() }],
    [`0x${ID}`, { kind: 'id', id: ID.toLowerCase() }],
    [`  "${ID}",\n`, { kind: 'id', id: ID.toLowerCase() }],
    [`'\`${ID}\`'`, { kind: 'id', id: ID.toLowerCase() }],
    [`0x${'aB'.repeat(20)}`, { kind: 'address', address: `0x${'ab'.repeat(20)}` }],
    ['aB'.repeat(20), { kind: 'address', address: `0x${'ab'.repeat(20)}` }],
    ['23 531', { kind: 'number', digits: '23531' }],
    ['1_000_000', { kind: 'number', digits: '1000000' }],
    ['007', { kind: 'number', digits: '7' }],
    ['0', { kind: 'number', digits: '0' }],
    ['2026-11-22', { kind: 'time', timeNs: BigInt(Date.UTC(2026, 10, 22)) * 1_000_000n }],
    [
      '2026-11-22T12:30:00.123456Z',
      { kind: 'time', timeNs: BigInt(Date.UTC(2026, 10, 22, 12, 30, 0, 123)) * 1_000_000n + 456_000n },
    ],
    ['2026-11-22 12:30 UTC', { kind: 'time', timeNs: BigInt(Date.UTC(2026, 10, 22, 12, 30)) * 1_000_000n }],
    ['2026-11-22T12:30:00+01:00', { kind: 'time', timeNs: BigInt(Date.UTC(2026, 10, 22, 11, 30)) * 1_000_000n }],
    ['2026-02-30', { kind: 'name' }],
    ['0000-01-01T00:00+10:00', { kind: 'name' }],
    ['9999-12-31T23:00-10:00', { kind: 'name' }],
    [String(2n ** 256n - 1n), { kind: 'number', digits: String(2n ** 256n - 1n) }],
    ['x'.repeat(4000 + 1), { kind: 'too-long' }],
    ['validators.epoch.length', { kind: 'name' }],
    ['HELDA/HUSD', { kind: 'name' }],
    ['', { kind: 'name' }],
  ])('The pasted value %j is recognised by its form', (text, form) => expect(readPasted(text).form).toEqual(form));

  it('A pasted value is a cursor if it is base64 of text, with the lists that have such cursors', () => {
    const { form, formNotes } = readPasted(base64('{"vega_time":"2026-01-01T00:00:00Z","id":"ab"}'));
    expect(form).toMatchObject({ kind: 'cursor', content: '{"vega_time":"2026-01-01T00:00:00Z","id":"ab"}' });
    expect(formNotes).toContain('looks like a cursor of signer bundles');
    expect(readPasted(base64('market.fee.factors.makerFee')).formNotes).toContain(
      'looks like a cursor of network parameters',
    );
    expect(readPasted(Buffer.alloc(32, 255).toString('base64')).form).toMatchObject({ kind: 'cursor', content: '' });
    expect(readPasted('settlement').form.kind).toBe('name');
  });

  it('A pasted number is shown as a time in Unix seconds, milliseconds and nanoseconds', () => {
    const time = new Date(1_789_382_398_000).toISOString();
    expect(readPasted('1789382398').formNotes).toContain(`Unix time in seconds: ${time}`);
    expect(readPasted('1789382398000').formNotes).toContain(`Unix time in milliseconds: ${time}`);
    expect(readPasted('1789382398000000000').formNotes).toContain(`Unix time in nanoseconds: ${time}`);
  });

  it.each([
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z', '1767225600123456789'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500Z', '1767225600500000000'],
    ['1969-12-31T23:59:59.9999999', '1969-12-31T23:59:59.9999999Z', '-100'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z', '0'],
  ])('A pasted time is read to its last digit: %s', (text, iso, ns) =>
    expect(readPasted(text).formNotes).toEqual([`a time: ${iso}, in Unix nanoseconds ${ns}`]),
  );

  it('A pasted number that is a time is read to the nanosecond', () =>
    expect(readPasted('1767225600123456789').formNotes).toContain(
      'Unix time in nanoseconds: 2026-01-01T00:00:00.123456789Z',
    ));

  it.each([
    'https://user:hunter2@node.example:3008/x',
    `"http://hunter2@n.example"`,
    `http://a:hunter2${'x'.repeat(9000)}@b`,
  ])('A pasted address is shown without its login: %s', text =>
    expect(JSON.stringify(readPasted(text))).not.toContain('hunter2'),
  );

  it('A pasted value has nothing that a terminal would interpret, and no more than the maximum length', () => {
    const { value } = readPasted(`\u001b[2J"\u202e${'x'.repeat(9000)}`);
    expect(value.length).toBeLessThanOrEqual(4000);
    expect(normaliseTypedLine(value)).toBe(value);
  });

  it('A pasted value can be anything', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter, maxLength: 300 }),
          fc.base64String(),
          fc.stringMatching(/^[\d:T. -]*$/),
        ),
        text => {
          const { value, formNotes } = readPasted(text);
          expect(normaliseTypedLine(value)).toBe(value);
          expect(formNotes.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it.each(['spam.protection.max', ID, '41', 'HELDA/HUSD', 'fUSDC', '2026-11-22'])(
    'A pasted value is looked up without a command before it: %s',
    text => expect(isWorthLookingUp(readPasted(text))).toBe(true),
  );

  it.each(['relaod', 'no such thing', 'Quit'])('A pasted value is taken for a mistyped command: %s', text =>
    expect(isWorthLookingUp(readPasted(text))).toBe(false),
  );
});
