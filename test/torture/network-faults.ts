import type { NetworkFault } from './faults/answer.ts';
import { bodyFaults } from './faults/body-faults.ts';
import { transportFaults } from './faults/transport-faults.ts';

/** Every way for an answer to go wrong. */
export const networkFaults: readonly NetworkFault[] = [...transportFaults, ...bodyFaults];
