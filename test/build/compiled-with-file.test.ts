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

describe('Bundle with eagerly compiled modules', () => {
  it('An eagerly compiled bundle gives the same results', () => {
    expect(new Script(compiledWithFile(BUNDLE)).runInThisContext()).toEqual([2, 4, 6]);
  });

  it('An eagerly compiled bundle has only its modules in parentheses, and minifying keeps them', async () => {
    const { code } = await transform(compiledWithFile(BUNDLE), { minifyWhitespace: true });
    expect(code.match(/once\(\(\(/g)).toHaveLength(2);
    expect(code.match(/\}\)\)/g)).toHaveLength(2);
    expect(code).toContain('.map(one=>{');
  });

  it('The V8 compile cache of the bundle includes the code of its modules', () => {
    expect(cachedBytes(compiledWithFile(BUNDLE))).toBeGreaterThan(cachedBytes(BUNDLE) * 1.2);
  });

  it.each([
    ['another begins', 'var a = once(() => {\nvar b = once(() => {\n});'],
    ['the file ends', 'var a = once(() => {\n  one();'],
  ])('An eagerly compiled bundle is refused when %s inside a module', (_, bundle) => {
    expect(() => compiledWithFile(bundle)).toThrow('no end');
  });
});
