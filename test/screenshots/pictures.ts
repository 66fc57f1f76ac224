import { readdir } from 'node:fs/promises';
import { animationOf, type Scene } from './animation.ts';
import { walkFilm } from './film.ts';
import { DARK, LIGHT } from './palette.ts';
import { pictureOf } from './picture.ts';
import { type Opening, openStage, type Size } from './stage.ts';
import { TOURS, type Tour } from './tours.ts';

/** Where they are kept. */
export const FOLDER = 'screenshots';

const SMALL: Size = { columns: 80, rows: 24 };
const LARGE: Size = { columns: 120, rows: 40 };

/** Every picture by the name of its file, taken from the built program. */
export async function takePictures(): Promise<ReadonlyMap<string, string>> {
  const walks = [takeAll(SMALL), takeAll(LARGE), takeFilm(SMALL).then(film => [film])];
  // One that fails waits for the others, which have programs running and folders to remove.
  await Promise.allSettled(walks);
  return new Map((await Promise.all(walks)).flat());
}

/** The names of the saved ones. The picture of the report is taken in a browser (npm run report-pictures), and not among them. */
export const savedPictures = async (): Promise<readonly string[]> =>
  (await readdir(FOLDER)).filter(file => file.endsWith('.svg'));

type Picture = readonly [file: string, svg: string];

async function takeAll(size: Size): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  for (const tour of TOURS) pictures.push(...(await takeTour(size, tour)));
  return pictures;
}

async function takeTour(size: Size, { opening, walk }: Tour): Promise<readonly Picture[]> {
  await using stage = await openStage(size, opening);
  const pictures: Picture[] = [];
  await walk(stage, (name, about) => {
    pictures.push([
      fileName(name, size),
      pictureOf(stage.shot(), { bar: typedFor(opening), about, palette: opening.isLight ? LIGHT : DARK }),
    ]);
  });
  return pictures;
}

async function takeFilm(size: Size): Promise<Picture> {
  await using stage = await openStage(size, {});
  const scenes: Scene[] = [];
  await walkFilm(stage, seconds => {
    scenes.push({ shot: stage.shot(), seconds });
  });
  const about = 'A walk: from the overview to an overdue oracle spec and back, to a provision and to a signer bundle';
  return [fileName('walk', size), animationOf(scenes, { bar: typedFor({}), about })];
}

const fileName = (name: string, { columns, rows }: Size): string => `${name}-${columns}x${rows}.svg`;

/** What somebody types in a shell who wants to see the same. */
const typedFor = ({ words = [], address }: Opening): string =>
  ['blockglass', ...words, ...(address === undefined ? [] : ['--node', address])].join(' ');
