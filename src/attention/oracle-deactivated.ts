import { definitionKey, usesOfSpec } from '../directory/market-specs.ts';
import { countOf } from '../insight/count-of.ts';
import { oracleSpecs, readOracleSpec } from '../resources/oracle-specs.ts';
import { few, nameOrId } from './names.ts';
import { neededBy, USE_WORDS } from './oracle-use.ts';
import { defineRule, type RuleFinding, unknown } from './rule.ts';

export const oracleDeactivated = defineRule({
  id: 'oracle-deactivated',
  about: 'deactivated oracle specs of markets',
  needs: ['markets', 'specs'],
  isPerRecord: true,
  find: (read, { directory }) => {
    const specs = read('specs').map(row => {
      const { id, data, status } = readOracleSpec(row);
      return { row, status, spec: { id, definition: definitionKey(data) } };
    });
    const found: RuleFinding[] = [];
    const unfound: string[] = [];
    for (const [id, entry] of directory.markets) {
      for (const need of neededBy(entry)) {
        const matching = specs.filter(({ spec }) => usesOfSpec([need], spec).length > 0);
        const [first] = matching;
        if (matching.some(({ status }) => status === 'STATUS_ACTIVE')) continue;
        if (first === undefined || first.status !== 'STATUS_DEACTIVATED') unfound.push(id);
        else
          found.push(
            deactivated(first.row, first.spec.id, `${nameOrId(directory, 'market', id)} ${USE_WORDS[need.use]}`),
          );
      }
    }
    const markets = [...new Set(unfound)].map(id => nameOrId(directory, 'market', id));
    return markets.length === 0
      ? found
      : [
          ...found,
          unknown(
            `status not known of ${countOf(unfound.length, 'oracle spec')} used by ${few(markets)}: not in the list`,
          ),
        ];

    function deactivated(row: (typeof specs)[number]['row'], specId: string, use: string): RuleFinding {
      const sentence = `oracle spec ${nameOrId(directory, 'spec', specId)} is deactivated: ${use}`;
      return { severity: 'critical', sentence, resource: oracleSpecs.id, key: oracleSpecs.keyOf(row) };
    }
  },
});
