// What others may know of the proxy, loaded only when one is started.
export { startProxy } from './proxy.ts';
