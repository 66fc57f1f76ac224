import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../../../base/disk/file-lock.ts';
import { makeFolder } from '../../../base/disk/make-folder.ts';
import { systemErrorReason } from '../../../base/disk/ordinary-file.ts';
import { removeAbandonedParts, replaceFileContent } from '../../../base/disk/replace-file-content.ts';
import { mergeView } from '../../../base/settings/merge-view.ts';
import type { ViewToSave } from '../../../base/settings/saved-view.ts';
import { formatByteLimit } from '../../../base/text/byte-count.ts';
import { findView, MAX_VIEWS_BYTES, readViews, VIEWS_FILE, VIEWS_FORMAT } from './views-file.ts';

/**
 * Saves a view next to the current views of other nodes; for the same node, merged with the views that another explorer
 * has saved since this one was opened. Throws when it cannot.
 */
export async function saveView(folder: string, saved: ViewToSave): Promise<void> {
  const path = join(folder, VIEWS_FILE);
  try {
    makeFolder(folder);
    await withLock(path, () => putView(folder, saved));
  } catch (error) {
    throw new Error(`${path}: ${systemErrorReason(error)}`);
  }
}

async function putView(folder: string, { name, view, before }: ViewToSave): Promise<void> {
  const views = await readOrSetAsideViews(folder);
  const { [name]: _, ...others } = views;
  const merged = before === undefined ? view : mergeView(view, before, findView(views, name));
  // The last one is the newest: views that are no longer opened are dropped first. A numeric name comes first in any
  // object, so this one is appended explicitly.
  await write(folder, [...Object.entries(others).slice(1 - MAX_VIEWS), [name, merged]]);
  await removeAbandonedParts(join(folder, VIEWS_FILE));
}

const MAX_VIEWS = 100;

/**
 * A file that cannot be read here may be from another release, or from the user: it is renamed before another one takes
 * its place.
 */
async function readOrSetAsideViews(folder: string): Promise<ReturnType<typeof readViews>> {
  try {
    return readViews(folder);
  } catch {
    const path = join(folder, VIEWS_FILE);
    if (!(await lstat(path)).isDirectory()) await rename(path, `${path}.old`);
    return {};
  }
}

async function write(folder: string, views: readonly (readonly [string, unknown])[]): Promise<void> {
  const text = `${JSON.stringify({ format: VIEWS_FORMAT, views: Object.fromEntries(views) }, null, 1)}\n`;
  if (Buffer.byteLength(text) > MAX_VIEWS_BYTES) {
    if (views.length < 2) throw new Error(`it is larger than ${formatByteLimit(MAX_VIEWS_BYTES)}`);
    return write(folder, views.slice(1));
  }
  await replaceFileContent(join(folder, VIEWS_FILE), text);
}
