// Loaded before the program (--import): notes which of Node's modules are there when the first frame is written, and
// the files that were loaded by then.
import fs, { writeFileSync } from 'node:fs';
import module, { syncBuiltinESMExports } from 'node:module';

const write = fs.writeSync;
const files = [];
module.registerHooks({
  load: (url, context, next) => {
    files.push(url);
    return next(url, context);
  },
});
fs.writeSync = (file, text, ...rest) => {
  fs.writeSync = write;
  syncBuiltinESMExports();
  writeFileSync(process.env.FIRST_FRAME_MODULES, JSON.stringify({ builtins: process.moduleLoadList, files }));
  return write(file, text, ...rest);
};
