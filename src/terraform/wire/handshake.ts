// How Terraform starts a provider: what it has put into the environment, and the one line that it waits for.
import type { Certificate } from './certificate.ts';

const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
const PROTOCOL = '6';

export interface Handshake {
  /** The certificate of Terraform, which alone may connect. Absent: TLS was switched off there. */
  readonly clientCertificate?: string;
  /** Ports that may be listened on where there are no sockets in files. */
  readonly ports: readonly [number, number];
}

/** What Terraform said, or why this process was not started by it. */
export function readHandshake(
  env: Readonly<Record<string, string | undefined>>,
): Handshake | { readonly refused: string } {
  if (env.TF_PLUGIN_MAGIC_COOKIE !== COOKIE)
    return {
      refused:
        'This is the Terraform provider of Hostwright. Terraform starts it by itself: `hostwright terraform install` puts it where Terraform finds it.',
    };
  const versions = env.PLUGIN_PROTOCOL_VERSIONS?.split(',') ?? [PROTOCOL];
  if (!versions.includes(PROTOCOL))
    return { refused: 'This Terraform does not speak version 6 of its plugin protocol: use Terraform 1.0 or newer.' };
  const { PLUGIN_CLIENT_CERT: clientCertificate = '' } = env;
  return {
    ...(clientCertificate !== '' && { clientCertificate }),
    ports: [Number(env.PLUGIN_MIN_PORT ?? 10_000), Number(env.PLUGIN_MAX_PORT ?? 25_000)],
  };
}

export interface Endpoint {
  readonly network: 'unix' | 'tcp';
  /** A path, or host and port. */
  readonly address: string;
}

/** The line that says where we listen and by what certificate we are known. */
export function handshakeLine({ network, address }: Endpoint, certificate: Certificate | undefined): string {
  const known = certificate?.der.toString('base64').replace(/=+$/, '') ?? '';
  return `1|${PROTOCOL}|${network}|${address}|grpc|${known}\n`;
}
