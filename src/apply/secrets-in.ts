// Which secrets a request sends.
import { canonicalJson, isJsonObject } from '../model/json.ts';
import type { SecretReference, Step, Template } from '../model/plan/step.ts';
import { isLiteral, isReference, isSecretReference } from '../model/plan/step.ts';

/** Every secret that these steps send, each once. */
export function secretsIn(steps: readonly Step[]): readonly SecretReference[] {
  const found = new Map<string, SecretReference>();
  for (const step of steps) {
    if (step.do === 'request' && step.body !== undefined) collectSecrets(step.body, found);
  }
  return [...found.values()];
}

/** What a secret reference is kept under while the run goes on. */
export function secretKey(reference: SecretReference): string {
  return canonicalJson(reference);
}

function collectSecrets(template: Template, found: Map<string, SecretReference>): void {
  if (isSecretReference(template)) found.set(secretKey(template), template);
  else if (isLiteral(template) || isReference(template)) return;
  else if (Array.isArray(template)) for (const item of template as readonly Template[]) collectSecrets(item, found);
  else if (isJsonObject(template)) for (const item of Object.values(template)) collectSecrets(item, found);
}
