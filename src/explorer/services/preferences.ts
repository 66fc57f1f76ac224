import type { Settings } from '../../settings/settings.ts';

/** What a person prefers: by flag, else by the environment, else by the settings file. What is not said is left out. */
export type Preferences = Omit<Settings, 'node' | 'profiles' | 'exportWaitSeconds' | 'exportIdleSeconds'>;
