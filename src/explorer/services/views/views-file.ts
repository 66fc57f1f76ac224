import { join } from 'node:path';
import { readOrdinaryFile } from '../../../base/disk/ordinary-file.ts';
import {
  booleanDecoder,
  integerDecoder,
  isObject,
  listDecoder,
  objectDecoder,
  recordDecoder,
  textDecoder,
} from '../../../base/settings/decoders.ts';
import { PAGE_SIZES } from '../../../base/settings/preferences.ts';
import type { SavedList, SavedView } from '../../../base/settings/saved-view.ts';

/** The saved lists of a node, and the problem with their file. */
export interface ReadView {
  readonly view: SavedView;
  readonly problem?: string;
}

/**
 * The view saved under a node's name. A broken file results in a message, and an invalid member is only left out itself.
 */
export function readView(folder: string, name: string): ReadView {
  try {
    return { view: findView(readViews(folder), name) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { view: {}, problem: `${join(folder, VIEWS_FILE)} is not used: ${reason}` };
  }
}

/** The view of a node among those of all. */
export const findView = (views: Views, name: string): SavedView =>
  Object.hasOwn(views, name) ? decodeView(views[name]) : {};

export const VIEWS_FILE = 'views.json';
export const VIEWS_FORMAT = 1;
export const MAX_VIEWS_BYTES = 1024 * 1024;

type Views = { readonly [name: string]: unknown };

/** The saved views of all nodes. Throws if the file exists but contains none. */
export function readViews(folder: string): Views {
  const text = readOrdinaryFile(join(folder, VIEWS_FILE), MAX_VIEWS_BYTES);
  if (text === undefined) return {};
  const written = parseJson(text);
  if (!isObject(written) || written.format !== VIEWS_FORMAT || !isObject(written.views))
    throw new Error('it has no views that this program saved');
  return written.views;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
}

const word = textDecoder({ most: 4096 });
const flags = recordDecoder(booleanDecoder, { name: word });

const VIEW = objectDecoder<SavedView>({
  tab: word,
  lists: recordDecoder(
    objectDecoder<SavedList>({
      filters: recordDecoder(listDecoder(word), { name: word, most: 100 }),
      sort: (value, tell) => {
        const sort = objectDecoder<NonNullable<SavedList['sort']>>({ column: word, isDescending: booleanDecoder })(
          value,
          tell,
        );
        const { column, isDescending } = sort ?? {};
        return column === undefined || isDescending === undefined ? undefined : { column, isDescending };
      },
      newestFirst: booleanDecoder,
      pageSize: integerDecoder(PAGE_SIZES.least, PAGE_SIZES.most),
      columns: flags,
    }),
    { name: word, most: 100 },
  ),
});

const decodeView = (value: unknown): SavedView => VIEW(value, () => undefined) ?? {};
