// What a thread of the executable runs: there is no file of the program, but its text is an asset of the executable.
import { createRequire } from 'node:module';
import { getAsset } from 'node:sea';
import { compileFunction, constants } from 'node:vm';

const program = compileFunction(getAsset('blockglass.js', 'utf8'), ['require', 'module', 'exports', '__filename'], {
  filename: process.execPath,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
program(createRequire(process.execPath), { exports: {} }, {}, process.execPath);
