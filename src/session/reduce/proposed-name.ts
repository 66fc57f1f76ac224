import { type FileName, namedInFile, shortInFile } from '../../explorer/core/file-name.ts';
import { isInForce } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { topScreen } from './layers.ts';

/** A name for a file of what is shown: `provisions-market-8a2f-20261122T134005Z.csv`. */
export function proposedName(state: SessionState, ending: string, what = ''): string {
  const browser = state.browsers[state.tab];
  const top = topScreen(state);
  const file =
    top === undefined ? fileOfTab(state, browser) : (top.screen.fileName?.(top.layer.state) ?? { parts: [] });
  const { atMs } = file;
  const parts = what === '' ? file.parts : [what];
  const time = new Date(atMs ?? state.node.nowMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  const name = [...parts.map(plain).filter(part => part !== ''), time].join('-').slice(-LONGEST);
  // Where it was cut it might begin as a flag or a hidden file does.
  return `${name.replace(/^[-._]+/, '')}.${ending}`;
}

const LONGEST = 100;

function fileOfTab(state: SessionState, browser: Browser | undefined): FileName {
  const parts = viewParts(state, browser);
  const atMs = browser?.page?.receivedAtMs;
  return { parts, ...(atMs !== undefined && { atMs }) };
}

function viewParts({ tab }: SessionState, browser: Browser | undefined): readonly string[] {
  const resource = resourceById(tab);
  if (resource === undefined || browser === undefined) return [tab];
  const { filters, inspector } = browser;
  if (inspector !== null) return [resource.singular, shortInFile(resource.keyOf(inspector.row))];
  const narrowing = resource.filters.filter(
    ({ name }) => isInForce(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' '),
  );
  return [resource.id, ...narrowing.flatMap(({ name, title }) => namedInFile(title, filters[name]?.[0] ?? ''))];
}

/** What every file system takes, and no shell for more than a name. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^[._]+|[._]+$/g, '');
