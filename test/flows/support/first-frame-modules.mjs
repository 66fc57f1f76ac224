// Loaded before the program (--import): notes which of Node's modules are there when the first frame is written, and
// the files that were loaded and the scripts that were compiled by then.
import fs, { writeFileSync } from 'node:fs';
import module, { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

const write = fs.writeSync;
const files = [];
let scripts = 0;
module.registerHooks({
  load: (url, context, next) => {
    files.push(url);
    return next(url, context);
  },
});
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    scripts++;
  }
};
fs.writeSync = (file, text, ...rest) => {
  fs.writeSync = write;
  syncBuiltinESMExports();
  writeFileSync(process.env.FIRST_FRAME_MODULES, JSON.stringify({ builtins: process.moduleLoadList, files, scripts }));
  return write(file, text, ...rest);
};
