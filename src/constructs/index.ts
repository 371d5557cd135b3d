// `hostwright/constructs`: manifests in TypeScript. What a program makes of these becomes the documents that YAML
// becomes; everything else of Hostwright is the same for both.
export { Account } from './account.ts';
export type { CheckAnswer, CheckFinding, Synthesis, SynthesisAccount } from './app.ts';
export { App } from './app.ts';
export { Construct } from './construct.ts';
export * from './generated/kinds.ts';
export type { Over } from './merge.ts';
export type { ReferenceTo } from './manifest.ts';
export { Handle, Manifest, OutputReference } from './manifest.ts';
export type { Place } from './place.ts';
export type { SecretFromEntry, SecretFromEnv, SecretFromFile } from './secret.ts';
export { secret } from './secret.ts';
