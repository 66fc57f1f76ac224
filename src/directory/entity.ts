/** The thing an id names; lets an id seen in one list be offered as a filter of another, and a name stand for it. */
export type Entity = 'market' | 'party' | 'asset' | 'submitter' | 'epoch' | 'node' | 'spec' | 'parameter';
