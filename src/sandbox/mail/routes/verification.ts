// How the ownership of the primary domain is shown and proven. GAP-38: bodies are not documented.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import type { MailEndpoint } from '../guards.ts';
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

const PATH = '/api/mailspace/:mailspace/domain_verification';

export const mailVerificationEndpoints: readonly MailEndpoint[] = [
  { method: 'GET', path: PATH, scope: 'mailspace:read', mailspace: 'verification', handle: show },
  { method: 'POST', path: PATH, scope: 'mailspace:write', mailspace: 'verification', handle: verify },
];
