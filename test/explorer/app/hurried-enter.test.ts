import { describe, expect, it } from 'vitest';
import { press } from '../support/fake-world.ts';
import { renderFrame } from '../support/frame.ts';
import { KEY_SCENES } from '../support/key-scenes.ts';
import { overlayOf } from '../support/layers.ts';

describe('Hurried Enter', () => {
  it('A hurried Enter answers no to every yes-or-no question, and the screen says so', async () => {
    const asked = new Set<string>();
    for (const [name, enter] of Object.entries(KEY_SCENES)) {
      const hurried = await enter();
      const overlay = overlayOf(hurried.session.state());
      if (overlay?.kind !== 'confirm') continue;
      const [refused, agreed] = [await enter(), await enter()];
      asked.add(overlay.id);
      expect(renderFrame(hurried.session.state()), name).toMatch(/ {2}y \/ N[\s\S]* y yes {2}n no, as Enter /);
      press(hurried.session, 'enter');
      press(refused.session, 'n');
      press(agreed.session, 'y');
      expect(hurried.session.state(), name).toEqual(refused.session.state());
      expect(hurried.session.state(), name).not.toEqual(agreed.session.state());
    }
    expect([...asked].toSorted()).toEqual([
      'cancel-export',
      'cancel-fetch',
      'overwrite',
      'quit',
      'replace-file',
      'switch-node',
    ]);
  });
});
