import { longText } from '../insight/kind.ts';
import type { PageRequest } from '../resources/page-request.ts';
import type { Around, Resource, Row, RowPage } from '../resources/resource.ts';
import { isBranch, isScalar, nodeText, recordTree, type TreeNode } from '../resources/tree.ts';
import { joinSafe, repeatSafe, type SafeText, safeJson, safeLine, safeText, sanitize } from '../text/safe-text.ts';
import { fitCells } from '../text/width.ts';
import type { Command } from './command.ts';
import { connect, targetOf } from './context.ts';
import { EXIT } from './exit-code.ts';
import { ASKING } from './options.ts';
import { formatOf, printValue, writeCsv } from './output.ts';
import { FILTER_FLAGS, PAGE_FLAGS, PAGE_SIZE, pageFrom, resourceNamed, WALK_PAGE_SIZE } from './resource-flags.ts';
import { UsageError } from './usage-error.ts';
import { fetchSoundPage, type WalkOptions } from './walk.ts';
import { progressOn } from './walk-progress.ts';
import { walkRows } from './walk-rows.ts';

export const show: Command = {
  form: '<resource> <key>',
  about: 'one record whole, by its key, or by a number: the Nth row of the page, from 0',
  flags: [...PAGE_FLAGS, ...FILTER_FLAGS],
  uses: [...ASKING, 'output'],
  run: async (given, context) => {
    const resource = resourceNamed(given.words[0]);
    const key = given.words[1];
    if (key === undefined) throw new UsageError(`which ${resource.singular}? its key, or the number of a row`);
    const format = formatOf(given);
    const isNumber = /^\d{1,4}$/.test(key);
    const usualSize = resource.paging.pageSize ?? (isNumber ? PAGE_SIZE : WALK_PAGE_SIZE);
    const request = pageFrom(given, resource, usualSize);
    const { client } = await connect(await targetOf(given, context), given, context);
    const options: WalkOptions = { client, resource, signal: context.signal, ...progressOn(context) };
    const found = isNumber
      ? nthRow(await fetchSoundPage(options, request), Number(key))
      : await findRow(options, request, key);
    if (found === undefined) {
      await context.stderr.safe(
        safeLine(`blockglass: there is no ${resource.singular} ${key}${whereLooked(request, isNumber)}`),
      );
      for (const caveat of resource.caveats?.(request.filters) ?? [])
        await context.stderr.safe(safeLine(`  ${caveat}`));
      return EXIT.refused;
    }
    const { row, rows } = found;
    const around = { filters: request.filters, rows };
    if (format === 'table') await context.stdout.safe(recordText(resource, row, around));
    else if (format === 'csv') {
      const values = resource.columns.map(column => column.value(row));
      await writeCsv([resource.columns.map(({ id }) => id), values], context.stdout);
    } else await context.stdout.data(printValue(row, format), safeJson);
    return EXIT.done;
  },
};

/** What was looked at, where that is not the whole list. */
function whereLooked({ position, filters }: PageRequest, isOnePage: boolean): string {
  const matching = Object.keys(filters).length > 0 ? ' that matches the filters' : '';
  if (isOnePage) return `${matching} on this page`;
  switch (position.kind) {
    case 'first':
      return matching;
    case 'after':
      return `${matching} after this cursor`;
    case 'before':
      return `${matching} on the page before this cursor or after it`;
    case 'last':
      return `${matching} on the last page`;
  }
}

async function findRow(options: WalkOptions, request: PageRequest, key: string): Promise<Found | undefined> {
  for await (const { rows } of walkRows(options, request)) {
    const row = rows.find(candidate => options.resource.keyOf(candidate) === key);
    if (row !== undefined) return { row, rows };
  }
  return undefined;
}

/** A row, and those it came with. */
interface Found {
  readonly row: Row;
  readonly rows: readonly Row[];
}

function nthRow({ rows }: RowPage, index: number): Found | undefined {
  const row = rows[index];
  return row === undefined ? undefined : { row, rows };
}

/** Every section of the inspector, unfolded, nothing cut. */
function recordText(resource: Resource, row: Row, around: Around): SafeText {
  const nowMs = Date.now();
  const sections = recordTree(resource, row, around).map(section =>
    joinSafe([safeLine(section.label), ...section.children().map(node => nodeLines(node, 1, nowMs))]),
  );
  return joinSafe(sections, safeText`\n`);
}

const DEEPEST = 64;

function nodeLines(node: TreeNode, depth: number, nowMs: number): SafeText {
  const indent = repeatSafe(safeText`  `, depth);
  if (node.label === '') return safeText`${indent}${safeLine(nodeText(node))}`;
  if (isBranch(node) && depth < DEEPEST) {
    const children = node.children().map(child => nodeLines(child, depth + 1, nowMs));
    return safeText`${indent}${safeLine(node.label)}${joinSafe(children)}`;
  }
  const text = isScalar(node.value) ? longText(node.kind, nodeText(node), nowMs) : sanitize(nodeText(node));
  return safeText`${indent}${fitLabel(node.label)} ${text}\n`;
}

function fitLabel(label: string): SafeText {
  const safe = sanitize(label);
  return safe.length > 22 ? safe : fitCells(safe, 22);
}
