import { longText } from '../insight/kind.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { isBranch, isScalar, nodeText, recordTree, type TreeNode } from '../resources/tree.ts';
import { sanitize } from '../text/safe-text.ts';
import { fitCells } from '../text/width.ts';
import type { Command } from './command.ts';
import { connect, targetOf } from './context.ts';
import { EXIT } from './exit-code.ts';
import { formatOf, printValue, rowWriter, writeText } from './output.ts';
import { FILTER_FLAGS, PAGE_FLAGS, pageFrom, resourceNamed } from './resource-flags.ts';
import { UsageError } from './usage-error.ts';
import { fetchPage, type WalkOptions, walkPages } from './walk.ts';

export const show: Command = {
  form: '<resource> <key>',
  about: 'one record whole, by its key, or by a number: the Nth row of the page, from 0',
  flags: [...PAGE_FLAGS, ...FILTER_FLAGS],
  run: async (given, context) => {
    const resource = resourceNamed(given.words[0]);
    const key = given.words[1];
    if (key === undefined) throw new UsageError(`which ${resource.singular}? its key, or the number of a row`);
    const format = formatOf(given);
    const isNumber = /^\d{1,4}$/.test(key);
    const request = pageFrom(
      given,
      resource,
      isNumber ? (resource.paging.pageSize ?? 50) : (resource.paging.pageSize ?? 1000),
    );
    const { client } = await connect(await targetOf(given, context), given, context);
    const options: WalkOptions = { client, resource, signal: context.signal, onWait: () => {} };
    const row = isNumber ? (await fetchPage(options, request)).rows[Number(key)] : await findRow(options, request, key);
    if (row === undefined) {
      context.stderr.write(
        `blockglass: there is no ${resource.singular} ${sanitize(key)}${isNumber ? ' on this page' : ''}\n`,
      );
      return EXIT.refused;
    }
    if (format === 'table') await writeText(context.stdout, recordText(resource, row, Date.now()));
    else if (format === 'csv') await writeCsv(resource, row, context.stdout);
    else await writeText(context.stdout, printValue(row, format));
    return EXIT.done;
  },
};

async function findRow(
  options: WalkOptions,
  request: Parameters<typeof walkPages>[1],
  key: string,
): Promise<Row | undefined> {
  for await (const page of walkPages(options, request)) {
    const row = page.rows.find(candidate => options.resource.keyOf(candidate) === key);
    if (row !== undefined) return row;
  }
  return undefined;
}

async function writeCsv(resource: Resource, row: Row, stdout: Parameters<typeof rowWriter>[2]): Promise<void> {
  const writer = rowWriter('csv', resource.columns, stdout);
  await writer.write([row], Date.now());
  await writer.end();
}

/** Every section of the inspector, unfolded, nothing cut. */
function recordText(resource: Resource, row: Row, nowMs: number): string {
  return recordTree(resource, row)
    .map(
      section =>
        `${sanitize(section.label)}\n${section
          .children()
          .map(node => nodeLines(node, 1, nowMs))
          .join('')}`,
    )
    .join('\n');
}

const DEEPEST = 64;

function nodeLines(node: TreeNode, depth: number, nowMs: number): string {
  const indent = '  '.repeat(depth);
  if (node.label === '') return `${indent}${sanitize(nodeText(node))}\n`;
  if (isBranch(node) && depth < DEEPEST) {
    const children = node.children().map(child => nodeLines(child, depth + 1, nowMs));
    return `${indent}${sanitize(node.label)}\n${children.join('')}`;
  }
  const text = isScalar(node.value) ? longText(node.kind, nodeText(node), nowMs) : sanitize(nodeText(node));
  return `${indent}${fitLabel(node.label)} ${text}\n`;
}

function fitLabel(label: string): string {
  const safe = sanitize(label);
  return safe.length > 22 ? safe : fitCells(safe, 22);
}
