import type { SpecUse } from '../../chain/directory/directory.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { listFewNames, nameOrId } from './name-texts.ts';
import { neededSpecs, readSpecOnce, USE_VERBS, USE_WORDS } from './oracle-use.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';

export const oracleDeactivated = defineRule({
  id: 'oracle-deactivated',
  about: 'deactivated oracle specs of markets',
  subject: 'Oracle specs',
  needs: ['markets', 'specs'],
  isPerRecord: true,
  find: (read, { directory }) => {
    const specs = read('specs').map(row => ({ row, spec: readSpecOnce(row) }));
    const byId = Map.groupBy(specs, ({ spec }) => spec.id.toLowerCase());
    let byDefinition: Map<string | undefined, typeof specs> | undefined;
    const matchingFor = ({ specId, definition }: SpecUse): typeof specs => {
      if (specId !== '') return byId.get(specId.toLowerCase()) ?? [];
      byDefinition ??= Map.groupBy(specs, ({ spec }) => spec.definition());
      return definition === undefined ? [] : (byDefinition.get(definition) ?? []);
    };
    const found: ListedFinding[] = [];
    const unfound: string[] = [];
    const unsaid: string[] = [];
    for (const [id, entry] of directory.markets) {
      for (const need of neededSpecs(entry)) {
        const matching = matchingFor(need);
        const [first] = matching;
        if (matching.some(({ spec: { status } }) => status === 'STATUS_ACTIVE')) continue;
        if (first === undefined) unfound.push(id);
        else if (first.spec.status !== 'STATUS_DEACTIVATED') unsaid.push(id);
        else
          found.push(
            deactivated(first.row, first.spec.id, { market: nameOrId(directory, 'market', id), use: need.use }),
          );
      }
    }
    return [
      ...found,
      ...statusUnknown(unfound, 'not in the list'),
      ...statusUnknown(unsaid, 'neither active nor deactivated'),
    ];

    function statusUnknown(users: readonly string[], why: string): readonly ListedFinding[] {
      if (users.length === 0) return [];
      const markets = [...new Set(users)].map(id => nameOrId(directory, 'market', id));
      return [
        listedUnknown(
          'Oracle specs',
          `status not known of ${countOf(users.length, 'oracle spec')} used by ${listFewNames(markets)}: ${why}`,
          `status of ${countText(users.length)} not known`,
        ),
      ];
    }

    function deactivated(row: Row, specId: string, { market, use }: MarketUse): ListedFinding {
      const name = nameOrId(directory, 'spec', specId);
      return {
        severity: 'critical',
        subject: `Oracle ${name}`,
        fact: `deactivated: ${USE_VERBS[use]} ${market}`,
        sentence: `oracle spec ${name} is deactivated: ${market} ${USE_WORDS[use]}`,
        resource: oracleSpecs.id,
        key: oracleSpecs.keyOf(row),
      };
    }
  },
});

interface MarketUse {
  readonly market: string;
  readonly use: SpecUse['use'];
}
