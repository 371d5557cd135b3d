// How the ownership of the primary domain is shown and proven. GAP-38: bodies are not documented.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { seePrimary } from '../clock.ts';
import { TXT_PREFIX } from '../dns.ts';
import type { Mailspace } from '../state.ts';

function show({ world }: Call, space: Mailspace): Answer {
  const state = space.provisioned ? 'provisioned' : space.verified ? 'verified' : 'pending_verification';
  const verification = {
    domain: space.domain,
    state,
    txt_host: `${TXT_PREFIX}.${space.domain}`,
    txt_value: space.token,
    txt_type: 'TXT',
  };
  return ok(world.ambiguities['GAP-38'] === 'wrapped' ? { domain_verification: verification } : verification);
}

function verify(call: Call, space: Mailspace): Answer {
  const { world } = call;
  seePrimary(world, space);
  if (!space.verified && world.ambiguities['GAP-38.missing'] === 'refuse')
    return refuse(422, null, 'The TXT record is not there');
  return show(call, space);
}

export const mailVerificationEndpoints = mailspaceEndpoints('/domain_verification', 'verification', {
  GET: show,
  POST: verify,
});
