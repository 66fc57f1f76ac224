import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestVersions, type ProvisionVersion, supersedes } from '../../src/insight/provision-versions.ts';

const version = (number: number, status: string, time = number): ProvisionVersion => ({
  version: String(number),
  status: `STATUS_${status}`,
  updatedAt: String(time),
});

describe('a version of a provision', () => {
  it.each([
    ['a version in force by a later one in force', version(2, 'ACTIVE'), version(1, 'ACTIVE'), true],
    ['a version in force by none that is pending', version(2, 'PENDING'), version(1, 'ACTIVE'), false],
    ['a pending one by itself in force', version(2, 'ACTIVE', 5), version(2, 'PENDING', 4), true],
    ['a pending one by itself in force at the same time', version(2, 'ACTIVE', 4), version(2, 'PENDING', 4), true],
    ['a pending one by a later pending one', version(3, 'PENDING'), version(2, 'PENDING'), true],
    ['one in force by its end', version(1, 'CANCELLED', 9), version(1, 'ACTIVE', 1), true],
    ['one in force by none that was refused', version(2, 'REJECTED'), version(1, 'ACTIVE'), false],
    ['none by an earlier one', version(1, 'ACTIVE'), version(2, 'ACTIVE'), false],
    ['none where version and time disagree', version(2, 'ACTIVE', 1), version(1, 'ACTIVE', 2), false],
    ['none where time and version disagree', version(1, 'ACTIVE', 2), version(2, 'ACTIVE', 1), false],
    ['one in force by a later version of the same time', version(2, 'ACTIVE', 5), version(1, 'ACTIVE', 5), true],
    ['a pending one by a later version of the same time', version(3, 'PENDING', 5), version(2, 'PENDING', 5), true],
    ['a pending one by the same version at a later time', version(2, 'PENDING', 6), version(2, 'PENDING', 5), true],
    ['no pending one by its like', version(2, 'PENDING'), version(2, 'PENDING'), false],
    ['none by its like', version(1, 'ACTIVE'), version(1, 'ACTIVE'), false],
  ])('supersedes %s', (_, later, earlier, does) => expect(supersedes(later, earlier)).toBe(does));

  it('is the latest in force or the latest pending, in whatever order they come', () => {
    const life = [
      version(1, 'ACTIVE', 1),
      version(2, 'PENDING', 2),
      version(2, 'ACTIVE', 3),
      version(2, 'STOPPED', 4),
      version(3, 'PENDING', 5),
      version(10, 'PENDING', 5),
      version(11, 'REJECTED', 6),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(life, { minLength: life.length }), rows => {
        expect(latestVersions(rows)).toEqual([version(2, 'STOPPED', 4), version(10, 'PENDING', 5)]);
      }),
    );
    expect(latestVersions([])).toEqual([]);
    expect(latestVersions([version(1, 'REJECTED')])).toEqual([]);
  });

  it('is superseded in the whole life of a provision as soon as a later row took effect, and only then', () => {
    const statuses = fc.constantFrom('PENDING', 'ACTIVE', 'STOPPED', 'CANCELLED', 'UNDEPLOYED', 'REJECTED');
    fc.assert(
      fc.property(fc.array(statuses, { minLength: 1, maxLength: 8 }), fc.nat(8), (life, missing) => {
        // Each pending row begins a version.
        const rows = life.map((status, time) => {
          const begun = life.slice(1, time + 1).filter(earlier => earlier === 'PENDING').length;
          return version(begun + 1, status, time);
        });
        const seen = rows.filter((_, index) => index !== missing);
        for (const [index, row] of seen.entries()) {
          const after = seen.slice(index + 1);
          const isHistory =
            after.some(({ status }) => !['STATUS_PENDING', 'STATUS_REJECTED'].includes(status)) ||
            (row.status === 'STATUS_PENDING' && after.some(({ status }) => status === 'STATUS_PENDING'));
          expect(latestVersions(seen).some(latest => supersedes(latest, row))).toBe(isHistory);
        }
      }),
    );
  });
});
