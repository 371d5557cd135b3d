// Decides of which writes no billing webhook ever tells: mail, Shield, cache, backups, other tasks. The documents say
// so area by area. Must not send anything while the rules are in force; switched off, a write of that area is told of,
// and a case notices.
import { announceAnything } from './events.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';

const onlyDocumented = rule('CBK-18', 'no event is sent but the documented ones');

const SILENT = [
  {
    silent: rule('TSK-12', 'the tasks of cache and backups are not told of'),
    path: /^\/api\/sites\/[^/]+\/(cache|backups)/,
  },
  {
    silent: rule('BKP-07', 'neither backups nor restores are told of'),
    path: /^\/api\/sites\/[^/]+\/(backups|restores)/,
  },
  { silent: rule('SHD-28', 'Shield is not told of'), path: /^\/api\/sites\/[^/]+\/shield/ },
  { silent: rule('MSP-20', 'mail is not told of'), path: /^\/api\/mailspace/ },
];

export function noticeWrite(
  world: World,
  method: string,
  path: string,
  accountId: string | undefined,
  status: number,
): void {
  if (method === 'GET' || status >= 400 || accountId === undefined) return;
  const told =
    !world.rules.on(onlyDocumented) || SILENT.some((area) => area.path.test(path) && !world.rules.on(area.silent));
  if (told) announceAnything(world, accountId, `${method} ${path}`);
}
