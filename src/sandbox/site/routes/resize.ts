// What a change of a site's plan does. GAP-05: what it answers is not documented: a purchase, a task or neither.
import { announceSite } from '../../billing/events.ts';
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { cartEnvelope, priceOf } from '../../billing/present.ts';
import { siteView } from '../../core/present.ts';
import { purchase, refuseAccount, refusePayment } from '../../billing/purchases.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { CATALOGUE } from '../../core/copy/load-core.ts';
import { LAYERS, planLayers } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { countCreation } from '../../core/world.ts';

/** Why the plan cannot be changed to this one. */
export function refuseResize({ world }: Call, site: Site, plan: unknown): Answer | undefined {
  const refusal = refuseAccount(world, site.accountId);
  if (refusal !== undefined) return refusal;
  // Codes of this endpoint are not documented.
  if (!world.state.plans.some(({ shortName }) => shortName === plan)) {
    if (world.state.catalogueUnread === true) throw new NotRead(CATALOGUE);
    return refuse(422, null, 'plan is unknown');
  }
  return world.ambiguities['GAP-05'] === 'cart' && plan !== site.package
    ? refusePayment(world, site.accountId)
    : undefined;
}

export function resize(call: Call, site: Site, plan: string): Answer {
  const { world } = call;
  if (plan === site.package) return done(world, { site: siteView(world, site) });
  const name = `resize of ${site.id} to ${plan}`;
  const apply = (): void => {
    // SIT-05/resize: a PATCH of `site.plan` changes the package, some time later.
    site.package = plan;
    site.updatedAt = world.clock.now();
    for (const layer of LAYERS)
      if (!planLayers(world.state, site).includes(layer) && world.ambiguities['GAP-22'] !== 'as-left')
        site.layers[layer].on = false;
    announceSite(world, site, 'resized');
  };
  if (world.ambiguities['GAP-05'] === 'cart') {
    const cart = purchase(call, {
      name,
      accountId: site.accountId,
      siteId: site.id,
      locationShortName: null,
      cents: priceOf(site),
      taskName: 'site.resize',
      fulfil: apply,
    });
    return ok(cartEnvelope(world, cart), 202);
  }
  countCreation(world, name);
  const task = startTask(world, call.credential, site, 'site.resize', { ok: apply });
  return world.ambiguities['GAP-05'] === 'task'
    ? ok({ task_id: task.id })
    : done(world, { site: siteView(world, site) });
}
