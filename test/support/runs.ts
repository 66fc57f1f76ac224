/** How often a property is tried: by `npm test`, and by `npm run test:nightly` (`test/vitest.config.ts`). */
export const runs = (few: number, many: number): number => (process.env.PROPERTY_RUNS === 'many' ? many : few);
