import { describe, expect, it } from 'vitest';
import { isTyping } from '../../../../src/explorer/app/focus.ts';
import { bindingFor, disabledReasonOf } from '../../../../src/explorer/app/keymap.ts';
import { renderFrame } from '../../support/frame.ts';
import { KEY_SCENES } from '../../support/key-scenes.ts';

/** `Esc clears the search; ] looks at the next page`: the keys that a sentence on the screen says something of. */
const HINT =
  /(?:^|[;,.:] +|\s{2,})(Esc|Enter|[[\]<>a-zA-Z])(?: and [a-z])? (?:goes|looks|turns|clears|changes|loads|opens|asks|tries|stops|reads)\b/gm;

const nameOf = (key: string): string => (key.length > 1 ? key.toLowerCase() : key);

describe('Keys in sentences on the screen', () => {
  it.each(Object.entries(KEY_SCENES))(
    'A key in a sentence on the screen does something there: %s',
    async (_, enter) => {
      const { session } = await enter();
      const state = session.state();
      if (isTyping(state)) return;
      const [, ...lines] = renderFrame(state).split('\n');
      for (const [hint, key = ''] of lines.join('\n').matchAll(HINT)) {
        const binding = bindingFor(state, nameOf(key));
        expect(binding, hint).toBeDefined();
        expect(binding === undefined ? '' : disabledReasonOf(state, binding), hint).toBeUndefined();
      }
    },
  );
});
