import { shellWord } from '../../../base/text/shell-word.ts';
import { baseAddress, isAddress, requestUrl } from '../../../chain/api/request.ts';
import type { Sort } from '../../../chain/resources/arrangement.ts';
import { filterFlag } from '../../../chain/resources/filter.ts';
import { type PageRequest, pageRequest } from '../../../chain/resources/page-request.ts';
import { FIND_MINE, readSearch } from '../../../chain/resources/record-search.ts';
import type { Resource, Row } from '../../../chain/resources/resource.ts';
import { parquetFolderFor } from '../../../history/download/export-result.ts';
import { archiveNameEnding, type ExportPlan } from '../../../history/plan/export-plan.ts';
import type { NodeState } from '../node/node.ts';

/** The command that lists the same page. */
export function listCommandText(
  node: NodeState,
  resource: Resource,
  page: PageRequest,
  sort: Sort | null = null,
): string {
  const { position, size } = page;
  const place =
    position.kind === 'after' || position.kind === 'before'
      ? [`--page-size ${size}`, `--${position.kind} ${shellWord(position.cursor)}`]
      : [position.kind === 'last' ? `--last ${size}` : `--page-size ${size}`];
  return listWords(node, resource, page, [...place, ...orderFlags(page, sort)]);
}

/** Behind the command of a list, while something is searched for in it: it finds by the same search. Undefined for the rows of a value. */
export function findFlag(find: string): string | undefined {
  if (find === '') return '';
  if (readSearch(find).values.length > 0) return undefined;
  // Names for people use this word for the user's own records.
  return ` --find ${find === FIND_MINE ? 'you' : shellWord(find)}`;
}

/** The command that lists the whole list. */
export const wholeListCommandText = (
  node: NodeState,
  resource: Resource,
  page: PageRequest,
  sort: Sort | null = null,
): string => listWords(node, resource, page, ['--all', ...orderFlags(page, sort)]);

const orderFlags = ({ newestFirst }: PageRequest, sort: Sort | null): readonly string[] => [
  ...(newestFirst ? [] : ['--oldest-first']),
  ...(sort === null ? [] : [`--sort ${sort.column}${sort.isDescending ? ':desc' : ''}`]),
];

const listWords = (node: NodeState, resource: Resource, page: PageRequest, flags: readonly string[]): string =>
  ['blockglass list', resource.id, ...nodeFlags(node), ...filterFlags(resource, page), ...flags].join(' ');

/** The command that prints the overview. */
export const overviewCommandText = (node: NodeState): string => ['blockglass overview', ...nodeFlags(node)].join(' ');

/** The command that shows the same record. */
export function showCommandText(node: NodeState, resource: Resource, page: PageRequest, row: Row): string {
  return [
    'blockglass show',
    resource.id,
    shellWord(resource.keyOf(row)),
    ...nodeFlags(node),
    ...filterFlags(resource, page),
  ].join(' ');
}

/** The request itself, for curl. */
export function curlCommandText(node: NodeState, resource: Resource, page: PageRequest, path?: string): string {
  const request = pageRequest(resource, page);
  return curlForUrl(requestUrl(baseAddress(node.address), { ...request, path: path ?? request.path }), node);
}

/** The request for this address, for curl. Credentials from the node's address are not included. */
export function curlForUrl(url: string, { address, hasLogin }: NodeState): string {
  if (!hasLogin || !url.startsWith(`${address}/`)) return `curl -sS ${shellWord(url)}`;
  return `curl -sS "\${BLOCKGLASS_NODE%/}"${shellWord(url.slice(address.length))}`;
}

/** With the ends of the range as typed, so that the same range is recorded next to the files. */
export function exportCommandText(node: NodeState, plan: ExportPlan): string {
  const { from = null, to = null } = plan.asked ?? {};
  const [first, last] = [from?.name ?? `${plan.fromBlock}`, to?.name ?? `${plan.toBlock}`];
  const range = `--from ${shellWord(first)} --to ${shellWord(last)}`;
  const out = plan.destination === '.' ? [] : [`--out ${shellWord(plan.destination)}`];
  const slices = plan.slices === undefined ? [] : [`--slice ${plan.slices.segmentsPerSlice}`];
  const keeps = plan.keepsIncomplete ? ['--keep-incomplete'] : [];
  return ['blockglass export', ...nodeFlags(node), `--table ${plan.table.id}`, range, ...slices, ...keeps, ...out].join(
    ' ',
  );
}

/** The command that verifies the export again, with the details that the file name does not contain. */
export function verifyCommandText(plan: ExportPlan, path: string): string {
  const isNamed =
    path.endsWith(archiveNameEnding(plan)) || path.endsWith(archiveNameEnding(plan).replace(/\.zip$/, ''));
  const asked = `--table ${plan.table.id} --from ${plan.fromBlock} --to ${plan.toBlock}`;
  return ['blockglass verify', shellWord(path), ...(isNamed ? [] : [asked])].join(' ');
}

/** The command that makes typed files of an export that was saved. */
export const convertCommandText = (place: { readonly path: string; readonly isFolder: boolean }): string =>
  `blockglass convert ${shellWord(place.path)} --parquet --out ${shellWord(parquetFolderFor(place))}`;

/** A command that asks the same node. */
export const nodeCommandText = (node: NodeState, name: string, flags: readonly string[]): string =>
  [`blockglass ${name}`, ...nodeFlags(node), ...flags].join(' ');

/** The command that stores snapshots of the node; when one of its snapshots is shown, of the current node. */
export const recordCommandText = (node: NodeState): string =>
  ['blockglass record', ...(node.moment?.flags ?? nodeFlags(node))].join(' ');

/** Added to a copied command that runs once BLOCKGLASS_NODE holds the whole address. */
export const loginHint = ({ hasLogin }: NodeState, command: string): string =>
  hasLogin && command.includes('BLOCKGLASS_NODE') ? ' (no login)' : '';

/** The flags that identify the connected node in a command. */
export function nodeFlags({ label, address, hasLogin, moment }: NodeState): readonly string[] {
  if (moment !== null) return [...moment.flags, `--at ${moment.id}`];
  if (label === 'demo') return ['--demo'];
  if (!hasLogin) return [`--node ${shellWord(address)}`];
  return [`--node ${isFoundAgain(label) ? shellWord(label) : '"$BLOCKGLASS_NODE"'}`];
}

/** Whether `--node` takes this name for the profile that has it: the login stands in the settings, with its address. */
const isFoundAgain = (label: string): boolean => !isAddress(label) && /^[\p{L}\p{N}_][^\p{C}]*$/u.test(label);

function filterFlags(resource: Resource, page: PageRequest): readonly string[] {
  return resource.filters.flatMap(filter => (page.filters[filter.name] ?? []).map(value => filterFlag(filter, value)));
}
