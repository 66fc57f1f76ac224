import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER, takePictures } from './pictures.ts';

// Takes every picture anew; one that is not taken any more goes.
const pictures = await takePictures();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER);
for (const [file, svg] of pictures) await writeFile(join(FOLDER, file), svg);
console.log(`${pictures.size} pictures in ${FOLDER}/`);
