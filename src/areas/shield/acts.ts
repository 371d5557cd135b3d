// What commands do to Shield: `shield learn`.
import { addressOf } from '../../model/address.ts';
import type { Act } from '../../model/plan/act.ts';
import { path } from '../../model/plan/step.ts';
import { change, until } from '../common/steps.ts';

const SHOWN_WITHIN_MS = 60_000;

/** Begins the learning mode, or ends it; no call sets when it ends by itself (SHD-07, SHD-26). */
export function learnTraffic(site: string, isOn: boolean): Act {
  const shown = {
    read: path`/api/sites/${site}/shield`,
    rows: '',
    // Bare or wrapped: not documented (GAP-29).
    where: [{ pointer: '/waf/learning_mode', or: ['/shield/waf/learning_mode'], value: isOn }],
    capture: {},
  };
  return {
    address: addressOf(addressOf(null, 'Site', site), 'LearnTraffic', null),
    verb: 'update',
    reason: 'a person asks for it',
    steps: [
      change({
        name: 'learn',
        method: 'PATCH',
        path: path`/api/sites/${site}/shield`,
        body: { learning_mode: isOn },
        reason: isOn ? 'begin to learn' : 'end learning',
      }),
      { do: 'wait-for', name: 'shown', open: true, waitFor: until(true, shown, 'Shield reads so', SHOWN_WITHIN_MS) },
    ],
  };
}
