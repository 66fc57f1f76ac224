/** The user at the keyboard: on their own account, or a guest, who may only look at one node. */
export type AccessLevel = 'own' | 'guest';

/** What a screen, a key, a command or an action needs that guests do not have. */
export type Privilege = 'shell' | 'files' | 'other-node' | 'snapshots' | 'exports' | 'presets';

const NOT_FOR_GUESTS: { readonly [privilege in Privilege]: string } = {
  shell: 'not for guests: this session has no shell',
  files: 'not for guests: no file is read or written here; y copies',
  'other-node': 'not for guests: this session shows one node',
  snapshots: 'not for guests: snapshots are files; use a blockglass of your own',
  exports: 'not for guests: run the command below on your machine; y copies it',
  presets: 'not for guests: presets are saved in a file',
};

/** Why the user lacks this privilege; undefined if they have it. */
export const accessProblem = (access: AccessLevel, needs: Privilege | undefined): string | undefined =>
  access === 'own' || needs === undefined ? undefined : NOT_FOR_GUESTS[needs];
