import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../../src/base/settings/state-folder.ts';

describe('Folder for state between runs', () => {
  it.each([
    [{ XDG_STATE_HOME: '/state', HOME: '/home/me' }, '/state/blockglass'],
    [{ HOME: '/home/me' }, '/home/me/.local/state/blockglass'],
    [{ XDG_STATE_HOME: '', HOME: '/home/me' }, '/home/me/.local/state/blockglass'],
    // What is no absolute path is not meant for this (the XDG specification says so).
    [{ XDG_STATE_HOME: 'state', HOME: '/home/me' }, '/home/me/.local/state/blockglass'],
    [{ HOME: 'me' }, null],
    [{}, null],
  ])('The state folder for %j is %s', (env, folder) => {
    expect(stateFolder(env)).toBe(folder);
  });
});
