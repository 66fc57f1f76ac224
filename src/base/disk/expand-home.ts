import { homedir } from 'node:os';

/** A path that was typed, with the home folder for a leading `~`. A user without a home may still name other paths. */
export const expandHome = (typed: string): string => typed.replace(/^~(?=\/|$)/, () => homedir());
