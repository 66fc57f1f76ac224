import type { Check } from '../check.ts';

/** The node numbers the ledger rows of a block from 0 and adds the number to their time, so one that is missing leaves a gap. */
export const ledgerNumbers: Check = {
  name: 'ledger-numbers',
  title: 'the ledger rows of a block are numbered without a gap',
  kind: 'differs',
  tables: ['ledger'],
  isOfWholeChain: true,
  blindSpots: ['the last ledger row of a block, and a block whose ledger rows are all missing'],
  start: ({ findings }) => {
    let numbers: number[] = [];
    return {
      row: row => {
        findings.read();
        if (row.table === 'ledger' && row.number !== undefined) numbers.push(row.number);
      },
      endBlock: block => {
        const rows = numbers.toSorted((one, other) => one - other);
        numbers = [];
        let next = 0;
        for (const number of rows) {
          findings.compared(block);
          if (number < 0 || number > MAX_LEDGER_NUMBER) {
            findings.differs({ what: 'a ledger row has another time than its block', block });
            continue;
          }
          if (number < next) findings.differs({ what: `ledger row ${number} of this block appears twice`, block });
          else if (number > next) {
            const missing = number === next + 1 ? `row ${next}` : `rows ${next} to ${number - 1}`;
            findings.differs({ what: `ledger ${missing} of this block: missing`, block });
          }
          next = Math.max(next, number + 1);
        }
      },
    };
  },
};

/** No block has as many ledger rows. */
const MAX_LEDGER_NUMBER = 10_000_000;
