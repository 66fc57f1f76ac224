import { expect, it } from 'vitest';
import { HeldBodies } from '../../src/proxy/held-bodies.ts';

const MIB = 1024 * 1024;

it('keeps 128 MiB of bodies for slow clients, and counts one that many clients get once', () => {
  const held = new HeldBodies();
  const [one, other] = [new Uint8Array(100 * MIB), new Uint8Array(28 * MIB)];
  expect([held.hold(one), held.hold(one), held.hold(other)]).toEqual([true, true, true]);
  const more = new Uint8Array(1);
  expect(held.hold(more)).toBe(false);
  // Another client still gets the first.
  held.release(one);
  expect(held.hold(more)).toBe(false);
  held.release(one);
  expect(held.hold(more)).toBe(true);
});
