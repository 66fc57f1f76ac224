import { expect, test } from 'vitest';
import { mutationsOf } from './mutations.ts';
import { testsNear } from './tests-near.ts';

const after = (source: string): readonly string[] => mutationsOf(source).map(mutation => mutation.after);

test('A mutation inverts a guard, removes it or shifts it by one', () => {
  expect(after('if (a(b) && c) throw x;')).toEqual([
    'if (!(a(b) && c)) throw x;',
    'if (false && (a(b) && c)) throw x;',
    'if (a(b) || c) throw x;',
  ]);
  expect(after('  if (a) b();')).toEqual(['  if (!(a)) b();']);
  expect(after('const a = b <= c;')).toEqual(['const a = b < c;']);
  expect(after('export const MAX_A = 4 * 1_024;')).toEqual([
    'export const MAX_A = 4 * 1_024 + 1;',
    'export const MAX_A = 2 * 4 * 1_024;',
  ]);
});

test.each(['// if (a) return;', ' * a && b', "const a = 'b && c';", 'const a = () => 1;', "import { a } from 'b';"])(
  'A mutation leaves code without a guard as it is: %s',
  source => {
    expect(after(source)).toEqual([]);
  },
);

test('A mutation reports its position and the original code', () => {
  expect(mutationsOf('\n  if (a) b();')).toEqual([{ line: 2, before: 'if (a) b();', after: '  if (!(a)) b();' }]);
});

test('The tests chosen for a source file are those that import it, the one with its name first', () => {
  expect(testsNear('src/history/manifest/folder-lock.ts')[0]).toBe('test/history/manifest/folder-lock.test.ts');
  expect(testsNear('src/base/disk/replace-file-content.ts')).toContain('test/base/disk/replace-file-content.test.ts');
});
