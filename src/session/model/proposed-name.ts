import { isInForce } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Browser, SessionState } from './state.ts';
import { openTableOf } from './viewer.ts';
import { viewedName } from './viewer-takings.ts';

/** A name for a file of what is shown: `provisions-market-8a2f-20261122T134005Z.csv`. */
export function proposedName(state: SessionState, ending: string, what = ''): string {
  const browser = state.browsers[state.tab];
  const atMs = viewOver(state) === null ? browser?.page?.receivedAtMs : undefined;
  const parts = what === '' ? viewParts(state, browser) : [what];
  const time = new Date(atMs ?? state.node.nowMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  const name = [...parts.map(plain).filter(part => part !== ''), time].join('-').slice(-LONGEST);
  // Where it was cut it might begin as a flag or a hidden file does.
  return `${name.replace(/^[-._]+/, '')}.${ending}`;
}

const LONGEST = 100;

const viewOver = ({ requests, statement }: SessionState) => requests ?? statement;

function viewParts(
  { requests, statement, frequency, viewer, tab }: SessionState,
  browser: Browser | undefined,
): readonly string[] {
  if (requests !== null) return ['requests'];
  if (statement !== null) {
    const { question } = statement;
    return ['statement', ...(['party', 'market', 'asset'] as const).flatMap(name => named(name, question[name]))];
  }
  if (tab === 'export' && viewer !== null) return viewedName(openTableOf(viewer));
  const resource = resourceById(tab);
  if (resource === undefined || browser === undefined) return [tab];
  const { filters, inspector } = browser;
  if (frequency !== null) return [resource.id, frequency.shows, frequency.column];
  if (inspector !== null) return [resource.singular, short(resource.keyOf(inspector.row))];
  const narrowing = resource.filters.filter(
    ({ name }) => isInForce(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' '),
  );
  return [resource.id, ...narrowing.flatMap(({ name, title }) => named(title, filters[name]?.[0] ?? ''))];
}

const named = (name: string, value: string): readonly string[] => (value === '' ? [] : [name, short(value)]);

// Of an id its first digits tell it from the others of a day.
const short = (value: string): string =>
  /^(?:0x)?[0-9a-f]{16,}$/i.test(value) ? value.slice(0, 4) : value.slice(0, 24);

/** What every file system takes, and no shell for more than a name. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^[._]+|[._]+$/g, '');
