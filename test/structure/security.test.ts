import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('SECURITY.md', 'utf8');
const promises = page.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| promise'));

describe('SECURITY.md', () => {
  it('SECURITY.md lists a test for each promise', () => {
    expect(promises.length).toBeGreaterThan(15);
    expect(promises.filter(line => !/\| `test\/.*` \|$/.test(line))).toEqual([]);
  });

  it('SECURITY.md lists tests that exist', () => {
    const named = [...page.matchAll(/`(test\/[^`]+\.tsx?)`/g)].map(([, path = '']) => path);
    expect(named.filter(path => !existsSync(path))).toEqual([]);
  });
});
