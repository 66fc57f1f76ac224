import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLogins, hideLogin, splitLogin } from '../../../src/chain/api/login.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';

const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => text.isWellFormed());

describe('Login in an address', () => {
  it('A login is split from the address, whatever characters it has, and sent as intended', () => {
    fc.assert(
      fc.property(part, fc.option(part), (user, password) => {
        const login = encodeURIComponent(user) + (password === null ? '' : `:${encodeURIComponent(password)}`);
        const { base, authorization = '' } = splitLogin(baseAddress(`https://${login}@node.example/path/`));
        expect(base.href).toBe('https://node.example/path');
        const sent = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
        expect(sent).toBe(`${user}:${password ?? ''}`);
      }),
    );
  });

  it('An address without a login gives no login', () => {
    expect(splitLogin(new URL('http://n'))).toEqual({ base: new URL('http://n'), authorization: undefined });
  });

  it.each(['http://user:s3cret', 'user:s3cret', 'https://user:s3cret/x', 'http://user:12s3cret', 'ftp://user:s3cret'])(
    'A refusal of an address that was cut off before its @ does not show the login: %s',
    address => {
      const refused = () => baseAddress(address);
      expect(refused).toThrow(/is not an address|is neither/);
      expect(refused).not.toThrow('s3cret');
    },
  );

  it('A login can be only a password, and an unescaped percent sign stands for itself', () => {
    const sent = (address: string) => atob(splitLogin(new URL(address)).authorization?.replace('Basic ', '') ?? '');
    expect(sent('http://:word@h')).toBe(':word');
    expect(sent('http://100%:5%25@h')).toBe('100%:5%');
  });

  it('A refusal of an address does not show the login, whether it is escaped correctly or not', () => {
    fc.assert(
      fc.property(
        part,
        fc.constantFrom('http://', 'ftp://', ''),
        fc.constantFrom('h', 'h:x', 'h:99999', ''),
        (word, scheme, host) => {
          const secret = `Se${word}cret`;
          try {
            const shown = splitLogin(baseAddress(`${scheme}user:${secret}@${host}`)).base.href;
            expect(shown).not.toContain(secret);
          } catch (error) {
            expect(String(error)).not.toContain(secret);
          }
        },
      ),
    );
  });

  it('A login is found in a command-line argument, with or without its flag, and hidden in a sentence', () => {
    expect(
      findLogins([
        '--node=http://u:p@h',
        '-n=u:p@h',
        'u:p@h',
        '--node',
        'http://h',
        '@',
        'http://t@h/@',
        '/http://u:p@h',
      ]),
    ).toEqual(['u:p@', 'u:p@', 'u:p@', 't@h/@', '/http://u:p@']);
    expect(hideLogin('no way to http://u:p@h')).toBe('no way to http://***@h');
    expect(hideLogin('mail@example')).toBe('mail@example');
  });
});
