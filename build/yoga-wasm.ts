import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const LOADER = /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/;
const DATA_URL = /(data:application\/octet-stream;base64,)([A-Za-z0-9+/=]+)/;

/** Takes the WebAssembly out of yoga-layout's loader: it stands in the bundle as bytes of its own, once. */
export const yogaWasm: Plugin = {
  name: 'yoga-wasm',
  setup(build) {
    build.onResolve({ filter: /\/yoga\.wasm$/ }, ({ resolveDir }) => ({
      path: join(dirname(resolveDir), 'binaries', 'yoga-wasm-base64-esm.js'),
      namespace: 'yoga-wasm',
    }));
    build.onLoad({ filter: LOADER, namespace: 'yoga-wasm' }, async ({ path }) => {
      const base64 = DATA_URL.exec(await readFile(path, 'utf8'))?.[2];
      if (base64 === undefined) throw new Error('yoga-layout has changed: its loader holds no WebAssembly');
      return { contents: `export default Buffer.from('${base64}', 'base64');`, loader: 'js' };
    });
    build.onLoad({ filter: LOADER, namespace: 'file' }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(DATA_URL, '$1'),
      loader: 'js',
    }));
  },
};
