import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProvisionVersion, successionOf, supersedes } from '../../../src/chain/insight/provision.ts';

const version = (number: number, status: string, time = number, commitmentAmount = '5'): ProvisionVersion => ({
  version: String(number),
  status: `STATUS_${status}`,
  commitmentAmount,
  updatedAt: String(time),
});

describe('Version of a provision', () => {
  it.each([
    ['a version in force by a later one in force', version(2, 'ACTIVE'), version(1, 'ACTIVE'), true],
    ['a version in force by none that is pending', version(2, 'PENDING'), version(1, 'ACTIVE'), false],
    ['a pending one by itself in force', version(2, 'ACTIVE', 5), version(2, 'PENDING', 4), true],
    ['a pending one by itself in force at the same time', version(2, 'ACTIVE', 4), version(2, 'PENDING', 4), true],
    ['a pending one by a later pending one', version(3, 'PENDING'), version(2, 'PENDING'), true],
    ['no waiting change by a fee-only amendment', version(2, 'ACTIVE', 5, '6'), version(2, 'PENDING', 4), false],
    ['no waiting change by a second one either', version(3, 'ACTIVE', 6, '6'), version(2, 'PENDING', 4), false],
    ['a waiting change by the end of the provision', version(2, 'STOPPED', 6, '6'), version(3, 'PENDING', 4), true],
    ['one in force by its end', version(1, 'CANCELLED', 9), version(1, 'ACTIVE', 1), true],
    ['one in force by none that was refused', version(2, 'REJECTED'), version(1, 'ACTIVE'), false],
    ['none by an earlier one', version(1, 'ACTIVE'), version(2, 'ACTIVE'), false],
    ['none by a higher number of an earlier time', version(2, 'ACTIVE', 1), version(1, 'ACTIVE', 2), false],
    ['a higher number by a change that had waited', version(1, 'ACTIVE', 2), version(2, 'ACTIVE', 1), true],
    ['one in force by a later version of the same time', version(2, 'ACTIVE', 5), version(1, 'ACTIVE', 5), true],
    ['a pending one by a later version of the same time', version(3, 'PENDING', 5), version(2, 'PENDING', 5), true],
    ['a pending one by the same version at a later time', version(2, 'PENDING', 6), version(2, 'PENDING', 5), true],
    ['no pending one by its like', version(2, 'PENDING'), version(2, 'PENDING'), false],
    ['none by its like', version(1, 'ACTIVE'), version(1, 'ACTIVE'), false],
  ])('A provision version supersedes %s', (_, later, earlier, does) => expect(supersedes(later, earlier)).toBe(does));
});

const STATUSES = ['PENDING', 'ACTIVE', 'STOPPED', 'CANCELLED', 'UNDEPLOYED', 'REJECTED'];
const anyRow = fc.record({
  ...{ number: fc.nat(4), status: fc.constantFrom(...STATUSES), time: fc.nat(6), amount: fc.nat(3) },
});

describe('Versions of a provision', () => {
  it('The provision versions have a successor if any of them says so, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 12 }), seeds => {
        const rows = seeds.map(({ number, status, time, amount }) => version(number, status, time, `0${amount}`));
        const { successorOf } = successionOf(rows);
        for (const row of rows) {
          const successor = successorOf(row);
          expect(successor !== undefined).toBe(rows.some(later => supersedes(later, row)));
          if (successor !== undefined) expect(supersedes(successor, row)).toBe(true);
        }
      }),
    );
    expect(successionOf([]).waiting).toBe(undefined);
  });

  it('The provision versions show at every moment what applies and what waits, as the core does', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20 }), steps => {
        const core = new Core();
        for (const step of steps) {
          core.take(step);
          const { inEffect, waiting, successorOf } = successionOf(core.rows);
          const inForce = inEffect?.status === 'STATUS_ACTIVE' ? inEffect : undefined;
          expect([inForce?.commitmentAmount, inForce?.version]).toEqual([
            core.active?.commitment,
            core.active?.version,
          ]);
          expect([waiting?.commitmentAmount, waiting?.version]).toEqual([
            core.waiting?.commitment,
            core.waiting?.version,
          ]);
          const standing = core.rows.filter(row => successorOf(row) === undefined);
          expect(new Set(standing)).toEqual(new Set([inEffect, waiting].filter(row => row !== undefined)));
        }
      }),
    );
  });
});

type Step = { readonly kind: 'amend'; readonly commitment: number } | { readonly kind: 'epoch' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('amend' as const), commitment: fc.integer({ min: 0, max: 3 }) }),
  fc.constant({ kind: 'epoch' as const }),
);

interface Held {
  readonly commitment: string;
  readonly version: string;
}

/** Amends and applies as the core does (protocol.md section 2.3); a row is what it tells the data node. */
class Core {
  readonly rows: ProvisionVersion[] = [];
  active: Held | undefined;
  #pending: Held | undefined;

  /** What an amendment to the commitment in force leaves behind changes nothing. */
  get waiting(): Held | undefined {
    return this.#pending?.commitment === this.active?.commitment ? undefined : this.#pending;
  }

  take(step: Step): void {
    if (step.kind === 'epoch') this.#begin();
    else this.#amend(String(step.commitment));
  }

  #amend(commitment: string): void {
    const before = this.active ?? this.#pending;
    // Nothing is provided any more, or yet.
    if (before === undefined && (commitment === '0' || this.rows.length > 0)) return;
    const held = { commitment, version: String(Number(before?.version ?? '0') + 1) };
    if (before?.commitment === commitment) {
      this.active = held;
      this.#tell(held, 'ACTIVE');
    } else {
      this.#pending = held;
      this.#tell(held, 'PENDING');
    }
  }

  #begin(): void {
    const held = this.#pending;
    this.#pending = undefined;
    if (held === undefined) return;
    this.active = held.commitment === '0' ? undefined : held;
    this.#tell(held, held.commitment === '0' ? 'CANCELLED' : 'ACTIVE');
  }

  #tell({ commitment, version: number }: Held, status: string): void {
    this.rows.push(version(Number(number), status, this.rows.length + 1, commitment));
  }
}
