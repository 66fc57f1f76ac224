import { Script } from 'node:vm';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { compiledWithFile } from '../../build/compiled-with-file.ts';

const BUNDLE = `var once = (fn) => () => fn();
var value, init_value = once(() => {
  value = [1, 2, 3].map((one) => {
    return one * 2;
  });
});
var deep = once((exports, module) => {
  module.exports = 'deep';
});
init_value();
value`;

const cachedBytes = (source: string): number => new Script(source).createCachedData().length;

describe('a bundle whose modules are compiled with the file', () => {
  it('does the same', () => {
    expect(new Script(compiledWithFile(BUNDLE)).runInThisContext()).toEqual([2, 4, 6]);
  });

  it('has its modules in parentheses, which minifying keeps, and nothing else', async () => {
    const { code } = await transform(compiledWithFile(BUNDLE), { minifyWhitespace: true });
    expect(code.match(/once\(\(\(/g)).toHaveLength(2);
    expect(code.match(/\}\)\)/g)).toHaveLength(2);
    expect(code).toContain('.map(one=>{');
  });

  it('is in the compile cache of V8 with the code of its modules', () => {
    expect(cachedBytes(compiledWithFile(BUNDLE))).toBeGreaterThan(cachedBytes(BUNDLE) * 1.2);
  });

  it.each([
    ['another begins', 'var a = once(() => {\nvar b = once(() => {\n});'],
    ['the file ends', 'var a = once(() => {\n  one();'],
  ])('cannot be made when %s inside of a module', (_, bundle) => {
    expect(() => compiledWithFile(bundle)).toThrow('no end');
  });
});
