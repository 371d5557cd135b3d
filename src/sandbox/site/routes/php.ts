// How the PHP versions of a site are shown and changed.
import { keys } from '../../core/http/schema.ts';
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { inListOrder } from '../../core/world.ts';

function showVariants({ world }: Call, site: Site): Answer {
  const php = inListOrder(world, site.phpVariants).map(({ id, label, isDefault }) => ({
    id,
    label,
    is_default: isDefault,
    // PHP-02: `active` marks the version in use, `is_default` the one of new sites.
    active: label === site.phpVersion,
  }));
  // PHP-01: the variants are keyed by kind, of which there is one.
  return { ...ok({ php }), keyedByData: true };
}

function changeVersion(call: Call, site: Site): Answer {
  const { world, body } = call;
  const variant = site.phpVariants.find((one) => one.id === body['variant_id']);
  if (variant === undefined) return refuse(422, null, 'variant_id names no variant of this site');
  const use = (): void => {
    site.phpVersion = variant.label;
    site.updatedAt = world.clock.now();
  };
  const restart = (): void => {
    site.restarts.cms += 1;
  };
  // PHP-03/restart: the site restarts, and runs the version once the task is OK.
  const task = startTask(world, call.credential, site, 'site.variant.php', { running: restart, ok: use });
  // PHP-03: a change of the version answers a task id.
  switch (world.ambiguities['GAP-15']) {
    case 'task-id':
      return ok({ task_id: task.id });
    case 'task-id-202':
      return ok({ task_id: task.id }, 202);
    case 'without-task-id':
      return done(world, {});
  }
}

export const phpEndpoints = siteEndpoints({}, '/variants', {
  GET: showVariants,
  'PATCH /php': { body: keys('variant_id'), handle: changeVersion },
});
