import type { Section } from './section.ts';

/** Every section, loaded when it runs. What Node alone cannot load, a section loads when it tries. */
export const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  // It takes one processor its time: it begins first.
  pages: async () => (await import('./sections/pages.ts')).pages,
  archives: async () => (await import('./sections/archives.ts')).archives,
  keys: async () => (await import('./sections/keys.ts')).keys,
  typing: async () => (await import('./sections/typing.ts')).typing,
  strings: async () => (await import('./sections/strings.ts')).strings,
  faults: async () => (await import('./sections/faults.ts')).faults,
  kill: async () => (await import('./sections/kill.ts')).kill,
};
