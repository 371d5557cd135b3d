// What the front ends take of the credentials file.
export type { Credentials, CredentialsOptions } from '../../manifest/credentials/source.ts';
export { createCredentials } from '../../manifest/credentials/source.ts';
