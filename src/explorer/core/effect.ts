import type { EffectOn } from '../services/effect.ts';
import type { World } from '../services/world.ts';

/** Something that runs in the world for as long as the state asks for it. */
export type Effect<Event> = EffectOn<World, Event>;
