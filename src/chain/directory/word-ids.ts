/** Ids that are words, by the byte that a node stores for each (node-behaviour.md section 1.5). All other ids are hexadecimal. */
export const WORD_IDS: ReadonlyMap<string, string> = new Map([
  ['00', 'VOTE'],
  ['03', 'network'],
  ['04', 'XYZalpha'],
  ['05', 'XYZbeta'],
  ['06', 'XYZdelta'],
  ['07', 'XYZepsilon'],
  ['08', 'XYZgamma'],
  ['09', 'fBTC'],
  ['0a', 'fDAI'],
  ['0b', 'fEURO'],
  ['0c', 'fUSDC'],
]);
