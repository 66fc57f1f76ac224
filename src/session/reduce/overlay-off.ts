import type { SessionState } from '../model/state.ts';

// Why keys do nothing over one menu or prompt that do something over another.

/** Widths and places are changed in the list of columns; other menus leave these keys to what they show. */
export const inColumns = ({ overlay }: SessionState): boolean => overlay?.kind === 'menu' && overlay.id === 'columns';
