import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/chain/api/proxy-choice.ts';

const named = (env: NodeJS.ProcessEnv, url: string): string | undefined => proxyFor(env, url)?.shown;

describe('Proxy choice', () => {
  it.each([
    [{ http_proxy: 'http://low:1', HTTP_PROXY: 'http://up:2' }, 'http://node', 'low:1'],
    [{ http_proxy: ' ', HTTP_PROXY: 'http://up:2' }, 'http://node', 'up:2'],
    [{ HTTPS_PROXY: 'http://up:2' }, 'https://node', 'up:2'],
    [{ https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:2' }, 'https://node', 'low:1'],
    [{ HTTP_PROXY: 'http://up:2' }, 'https://node', undefined],
    [{ HTTPS_PROXY: 'http://up:2' }, 'http://node', undefined],
    [{ ALL_PROXY: 'http://all:3' }, 'http://node', 'all:3'],
    [{ all_proxy: 'http://all:3' }, 'https://node', 'all:3'],
    [{ ALL_PROXY: 'http://all:3', HTTPS_PROXY: 'http://up:2' }, 'https://node', 'up:2'],
    [{ ALL_PROXY: 'http://all:3', HTTPS_PROXY: '' }, 'https://node', 'all:3'],
    [{}, 'http://node', undefined],
  ])('The proxy with %j for %s is %s', (env, url, shown) => expect(named(env, url)).toBe(shown));

  it.each([
    ['proxy.example', 'proxy.example:1080'],
    ['proxy.example:3128/', 'proxy.example:3128'],
    ['http://proxy.example:80', 'proxy.example:80'],
    ['HTTPS://proxy.example', 'proxy.example:443'],
    ['https://proxy.example:80', 'proxy.example:80'],
    ['socks5h://[::1]', '[::1]:1080'],
    ['user:word@proxy.example:3128', 'proxy.example:3128'],
  ])('The proxy address %s is read as %s', (typed, shown) =>
    expect(named({ http_proxy: typed }, 'http://node')).toBe(shown),
  );

  it('The proxy has the login from its address', () => {
    expect(proxyFor({ ALL_PROXY: 'socks5://us%20er:p%40:w@proxy' }, 'http://node')).toMatchObject({
      protocol: 'socks5:',
      user: 'us er',
      password: 'p@:w',
      authorization: `Basic ${btoa('us er:p@:w')}`,
    });
  });

  it.each([
    ['ftp://proxy', 'ALL_PROXY sets a proxy with the scheme ftp, which is not supported'],
    ['pac+http://proxy', 'ALL_PROXY sets a proxy with the scheme pac+http, which is not supported'],
    ['http://user:secret@:x', 'the proxy address in ALL_PROXY is not valid'],
    ['http://user:se#cret@proxy', 'the proxy address in ALL_PROXY is not valid'],
    ['socks5://', 'the proxy address in ALL_PROXY is not valid'],
  ])('The proxy address %s is refused with a clear message and never ignored', (typed, message) => {
    expect(() => proxyFor({ ALL_PROXY: typed }, 'http://node')).toThrow(message);
    expect(() => proxyFor({ ALL_PROXY: typed }, 'http://node')).not.toThrow(/secret|se#/);
    expect(proxyFor({ ALL_PROXY: typed, NO_PROXY: 'node' }, 'http://node')).toBeUndefined();
  });
});

describe('NO_PROXY', () => {
  const isDirect = (list: string, url: string, name = 'NO_PROXY'): boolean =>
    proxyFor({ ALL_PROXY: 'http://proxy', [name]: list }, url) === undefined;

  it.each([
    ['*', 'http://node.example'],
    ['other, *', 'http://node.example'],
    ['node.example', 'http://node.example'],
    ['NODE.Example', 'http://node.EXAMPLE'],
    ['example', 'http://node.example'],
    ['.example', 'http://node.example'],
    ['.node.example', 'http://node.example'],
    ['node.example.', 'http://node.example'],
    ['node.example', 'http://node.example.'],
    ['*.example', 'http://node.example'],
    ['a,b node.example', 'http://node.example'],
    [' a , node.example ,', 'http://node.example'],
    ['a\tnode.example', 'http://node.example'],
    ['node.example:3008', 'http://node.example:3008'],
    ['node.example:80', 'http://node.example'],
    ['.example:443', 'https://node.example'],
    ['bücher.example', 'http://node.bücher.example'],
    ['10.0.0.7', 'http://10.0.0.7:3008'],
    ['10.0.0.7:3008', 'http://10.0.0.7:3008'],
    ['10.0.0.0/8', 'http://10.1.2.3'],
    ['192.168.0.0/16,10.0.0.0/8', 'http://10.1.2.3'],
    ['0.0.0.0/0', 'http://10.1.2.3'],
    ['10.1.2.3/32', 'http://10.1.2.3'],
    ['10.0.0.1-10.0.0.9', 'http://10.0.0.5'],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]'],
    ['::1', 'http://[::1]:3008'],
    ['[::1]', 'http://[::1]:3008'],
    ['[::1]:3008', 'http://[::1]:3008'],
    ['0:0:0:0:0:0:0:1', 'http://[::1]'],
    ['fd00::/8', 'http://[fd12::7]'],
    ['[fd00::]/8', 'http://[fd12::7]'],
    ['FD12::7', 'http://[fd12::7]'],
  ])('The NO_PROXY list %j excludes %s', (list, url) => {
    expect(isDirect(list, url)).toBe(true);
    expect(isDirect(list, url, 'no_proxy')).toBe(true);
  });

  it.each([
    ['', 'http://node.example'],
    [',', 'http://node.example'],
    ['node.example', 'http://other-node.example'],
    ['node.example', 'http://mynode.example'],
    ['.node.example', 'http://mynode.example'],
    ['*.node.example', 'http://mynode.example'],
    ['node.example:3008', 'http://node.example'],
    ['node.example:3008', 'http://node.example:3009'],
    ['10.0.0.0/8', 'http://11.0.0.1'],
    ['10.0.0.0/33', 'http://10.0.0.1'],
    ['10.0.0.0/x', 'http://10.0.0.1'],
    ['10.0.0.0/8', 'http://10.example'],
    ['0.0.1', 'http://10.0.0.1'],
    ['::2', 'http://[::1]'],
    ['[::1]:3009', 'http://[::1]:3008'],
    ['fd00::/8', 'http://[fe80::1]'],
    ['a*e', 'http://abe'],
  ])('The NO_PROXY list %j does not exclude %s', (list, url) => expect(isDirect(list, url)).toBe(false));

  it('The lower-case `no_proxy` takes precedence over `NO_PROXY`', () => {
    const env = { ALL_PROXY: 'http://proxy', no_proxy: 'other', NO_PROXY: 'node' };
    expect(named(env, 'http://node')).toBe('proxy:1080');
    expect(named({ ...env, no_proxy: '' }, 'http://node')).toBeUndefined();
  });
});
