// Preloaded by the program: a wait of half a minute or more takes a tenth of it.
const LONG_MS = 30_000;
const { setTimeout: setRealTimeout } = globalThis;

globalThis.setTimeout = Object.assign(
  (callback, delayMs, ...args) => setRealTimeout(callback, delayMs >= LONG_MS ? delayMs / 10 : delayMs, ...args),
  setRealTimeout,
);
