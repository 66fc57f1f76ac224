/** The thing an id names; lets an id seen in one list be offered as a filter of another. */
export type Entity = 'market' | 'party' | 'asset' | 'submitter' | 'epoch' | 'node';
