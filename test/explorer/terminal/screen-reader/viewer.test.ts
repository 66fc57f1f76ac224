import { describe, expect, it } from 'vitest';
import { announcementOf } from '../../../../src/explorer/terminal/screen-reader/announcement.ts';
import { press, told } from '../../support/fake-world.ts';
import { viewing } from '../../support/viewer-scenes.ts';

describe('Viewer for screen readers', () => {
  it('The viewer announces the table, its filters and sort order, and the selected row', async () => {
    const { session } = await viewing();
    press(session, 's', 'j', 'j', 'enter');
    await told();
    await told();
    const { place, selected } = announcementOf(session.state());
    expect(place.join('; ')).toContain('sorted by quantity in smallest units, largest first');
    expect(selected).toMatch(/^2026-10-02 16:20:00Z, .*, 1 003 626/);
  });
});
