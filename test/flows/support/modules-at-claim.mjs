// Loaded before the program (--import): notes which of Node's modules are there when raw mode is first turned on, which
// files were loaded by then, and whether anything was written.
import { writeFileSync } from 'node:fs';
import module from 'node:module';
import { ReadStream, WriteStream } from 'node:tty';

const { setRawMode } = ReadStream.prototype;
const { write } = WriteStream.prototype;
const files = [];
let hasWritten = false;
module.registerHooks({
  load: (url, context, next) => {
    files.push(url);
    return next(url, context);
  },
});
WriteStream.prototype.write = function (...chunk) {
  hasWritten = true;
  return write.apply(this, chunk);
};
ReadStream.prototype.setRawMode = function (isRaw) {
  ReadStream.prototype.setRawMode = setRawMode;
  const noted = { isRaw, hasWritten, builtins: process.moduleLoadList, files };
  writeFileSync(process.env.MODULES_AT_CLAIM, JSON.stringify(noted));
  return setRawMode.call(this, isRaw);
};
