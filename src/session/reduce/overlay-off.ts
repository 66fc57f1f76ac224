import type { SessionState } from '../model/state.ts';

// Why keys do nothing over one menu or prompt that do something over another.

export function notColumns({ overlay }: SessionState): string | undefined {
  return overlay?.kind === 'menu' && overlay.id === 'columns' ? undefined : 'this is for the list of columns';
}

export function nothingOffered({ overlay }: SessionState): string | undefined {
  return overlay?.kind === 'prompt' && overlay.offered.length > 0 ? undefined : 'nothing is offered here';
}
