import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER, savedPictures, takePictures } from './pictures.ts';

// Takes every picture anew, and deletes those that are no longer taken.
const pictures = await takePictures();
for (const file of await savedPictures()) await rm(join(FOLDER, file));
for (const [file, svg] of pictures) await writeFile(join(FOLDER, file), svg);
console.log(`${pictures.size} pictures in ${FOLDER}/`);
