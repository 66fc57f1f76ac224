import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseAddress, requestUrl, shownAddress } from '../../../src/chain/api/request.ts';
import { anyText } from '../../support/any-text.ts';

describe('Node address', () => {
  it.each([
    ['node.example:3008', 'http://node.example:3008/'],
    [' localhost:3008\n', 'http://localhost:3008/'],
    ['HTTPS://Node.Example/Some/Path', 'https://node.example/Some/Path'],
    ['http://h/some/path//', 'http://h/some/path'],
    ['http://h/api/v2', 'http://h/'],
    ['http://h/some/api/v2/', 'http://h/some'],
    ['http://h/api/v2/more', 'http://h/api/v2/more'],
    ['http://h/x?query=1#part', 'http://h/x'],
    ['user:word@h:1', 'http://user:word@h:1/'],
    ['h/x?from=http://other', 'http://h/x'],
  ])('The node address %j is read as %s', (typed, href) => {
    expect(baseAddress(typed).href).toBe(href);
  });

  it.each([
    ['', '"" is not an address such as'],
    [' \t', 'is not an address such as'],
    ['no host', '"no host" is not an address'],
    ['http://', '"http://" is not an address'],
    ['http://h:99999', '"http://h:99999" is not an address'],
    ['::1:4501', '"::1:4501" is an IPv6 address without brackets: write [::1]:4501 or [::1:4501]'],
    ['http://::1:4501/some/api/v2', 'is an IPv6 address without brackets: write [::1]:4501 or [::1:4501]'],
    ['::1', '"::1" is an IPv6 address without brackets: write [::1]'],
    ['fd00::12ab', 'is an IPv6 address without brackets: write [fd00::12ab]'],
    ['https://2001:db8:0:0:0:0:0:1:3008', 'is an IPv6 address without brackets: write [2001:db8:0:0:0:0:0:1]:3008'],
    ['::ffff:10.0.0.1:3008', 'is an IPv6 address without brackets: write [::ffff:10.0.0.1]:3008'],
    ['me:word@::1:4501', '"http://***@::1:4501" is an IPv6 address without brackets: write [::1]:4501'],
    ['[fe80::1%eth0]:3008', 'has a network interface after %'],
    ['fe80::1%eth0', 'has a network interface after %'],
    ['a:b:c', 'is not an address such as'],
    ['1:2:3', 'is not an address such as'],
    ['ftp://node.example', '"ftp://node.example" is neither http nor https'],
    ['a+b.c-1://node', '"a+b.c-1://node" is neither http nor https'],
    ['ftp://user:word@h', '"ftp://***@h" is neither http nor https'],
    ['user:word@no host', '"http://***@no host" is not an address'],
    ['http://user/wo@h', '"http://***@h" has an @ after the host'],
    ['http://user?wo@h', '"http://***@h" has an @ after the host'],
    ['http://user#wo@h', '"http://***@h" has an @ after the host'],
  ])('The node address %j is refused: %s', (typed, sentence) => {
    expect(() => baseAddress(typed)).toThrow(TypeError);
    expect(() => baseAddress(typed)).toThrow(sentence);
  });

  it('The node address is shown without its login and without a trailing slash', () => {
    expect(shownAddress(baseAddress('http://user:word@h:1/'))).toBe('http://h:1');
    expect(shownAddress(baseAddress('http://h/some/path'))).toBe('http://h/some/path');
  });
});

it('A request URL has every value encoded, and no question mark without a query', () => {
  const base = baseAddress('http://h/some');
  expect(requestUrl(base, { path: 'api/v2/x', query: [] })).toBe('http://h/some/api/v2/x');
  expect(
    requestUrl(baseAddress('http://h'), {
      path: 'x',
      query: [
        ['a', 'b+c/='],
        ['a', '&é'],
      ],
    }),
  ).toBe('http://h/x?a=b%2Bc%2F%3D&a=%26%C3%A9');
});

it('A request URL is valid for any text from a node, including a lone surrogate', () => {
  const base = baseAddress('http://h');
  fc.assert(
    fc.property(anyText, value => {
      const url = requestUrl(base, { path: 'x', query: [['a', value]] });
      expect(new URL(url).searchParams.get('a')).toBe(value.toWellFormed());
    }),
  );
  expect(requestUrl(base, { path: 'x', query: [['a', '\ud800b']] })).toBe('http://h/x?a=%EF%BF%BDb');
});
