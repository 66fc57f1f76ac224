import type { FileName } from '../core/file-name.ts';
import type { SessionState } from '../core/state.ts';
import { topScreen } from './layers.ts';

/** A name for a file of what is shown: `provisions-market-8a2f-20261122T134005Z.csv`. */
export function proposedName(state: SessionState, ending: string, what = ''): string {
  const top = topScreen(state);
  const file: FileName = top?.screen.fileName?.(top.layer.state) ?? { parts: [] };
  const { atMs } = file;
  const parts = what === '' ? file.parts : [what];
  const time = new Date(atMs ?? state.node.nowMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  const name = [...parts.map(plain).filter(part => part !== ''), time].join('-').slice(-LONGEST);
  // Where it was cut it might begin as a flag or a hidden file does.
  return `${name.replace(/^[-._]+/, '')}.${ending}`;
}

const LONGEST = 100;

/** What every file system takes, and no shell for more than a name. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^[._]+|[._]+$/g, '');
