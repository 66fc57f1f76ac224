import type { BalanceStep } from '../balance-book.ts';
import type { Check, CheckInput } from '../check.ts';
import type { RunningCheck } from '../check-interface.ts';

/** Balances change by the amounts in the ledger, within a file and a month. */
export const balanceSteps: Check = {
  name: 'balance-steps',
  title: 'balances move as in the ledger',
  kind: 'differs',
  isMoney: true,
  tables: ['ledger', 'balances'],
  blindSpots: [
    'a ledger row that is missing between two accounts whose balance rows are missing too',
    'the first balance row of an account, unless the range begins at block 1',
    'the account EXTERNAL: money outside of the chain',
  ],
  start: ground => compareSteps(ground, step => !step.isOverBoundary),
};

/** Balances at the end of a file or a month are those that the next one begins with. */
export const boundaries: Check = {
  name: 'boundaries',
  title: 'balances carry over from one file or month to the next',
  kind: 'differs',
  isMoney: true,
  tables: ['ledger', 'balances'],
  blindSpots: [
    'accounts that have no balance row on one side of a boundary',
    'balances on both sides of blocks that are in none of the files',
  ],
  start: ground => compareSteps(ground, step => step.isOverBoundary),
};

/** The checks listen to one book; their own rows are those of the book. */
function compareSteps({ book, findings, isWanted }: CheckInput, isMine: (step: BalanceStep) => boolean): RunningCheck {
  book.listen({
    onBlock: (block, steps) => {
      for (const step of steps) {
        if (!isMine(step) || isWanted?.(step.account) === false) continue;
        // Two rows are wrong whatever the balance was.
        if (step.before === undefined && step.rows < 2) continue;
        findings.compared(block, step.account);
        const found = stepProblem(step);
        if (found !== undefined) findings.differs({ ...found, account: step.account, block });
      }
    },
  });
  return { row: () => findings.read(), endBlock: () => {} };
}

function stepProblem({ before = 0n, net, after, rows }: BalanceStep) {
  if (rows > 1) return { what: `balances has ${rows} rows for this account in one block` };
  if (after === undefined) return { what: 'the ledger moved money, but balances has no row', amount: net };
  const moved = after - before;
  if (moved === net) return undefined;
  const [how, amounts] =
    net === 0n
      ? ['without ledger rows', undefined]
      : ['by another amount than in the ledger', { balances: moved, ledger: net }];
  return {
    what: `the balance moved ${how}: an error path of the node, or rows missing, doubled or changed`,
    amount: moved,
    amounts,
  };
}
